import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Stores
import Support

/// Faults that keep a store from being read, whatever the checks of its parts say.
extension StoreCheck {
  /// Has SQLite check the pages, the indexes and the rows of the database.
  mutating func checkIntegrity() throws(ModelError) {
    func finding(_ words: String) -> StoreFinding {
      StoreFinding(.damagedDatabase, table: "", name: words)
    }
    let rows: [[StoredValue]]
    do throws(ModelError) {
      rows = try store.rows("PRAGMA integrity_check(\(Self.most + 1))")
    } catch {
      add(finding(error.name ?? "\(error)"))
      return
    }
    let problems = rows.compactMap { row in
      if case .text(let words) = row.first, words != "ok" { words } else { nil }
    }
    for words in problems.prefix(Self.most) { add(finding(words)) }
    result.leftOut += max(0, problems.count - Self.most)
  }

  /// Reads the store as a conversion does: whatever that refuses is a fault.
  ///
  /// - Parameter given: The model to read it by; nil for the one that it carries.
  mutating func checkReading(_ given: ModelSource?) {
    var refusal: ModelError?
    do throws(ModelError) {
      _ = try SQLiteStoreSource(path: store.path, model: given, limits: limits)
    } catch {
      refusal = error
    }
    do throws(ModelError) {
      let source = try SQLiteStoreSource(
        path: store.path, model: given, limits: limits, salvages: true)
      let isSound = result.isSound
      let faulty = Set(result.findings.filter { !$0.isNote }.map(\.table.folded))
      let losses = source.losses.filter { loss in
        guard !isSound, case .record(let record, let property) = loss.position else {
          return isSound
        }
        return faulty.isDisjoint(with: tables(of: property, inRecord: record))
      }
      list(losses.uniqued())
      noteRemainder(source.leftOut)
    } catch {
      refusal = error
    }
    // What is repaired where a store is salvaged is no loss, but is refused otherwise.
    guard var refusal, result.isSound else { return }
    refusal.path = ""
    add(StoreFinding(.unreadable, table: "", name: "\(refusal)"))
  }

  /// Notes what a conversion leaves out, but for what Core Data adds to a store itself.
  private mutating func noteRemainder(_ remainder: [StoreRemainder]) {
    let noted = Set(result.findings.filter { $0.code == .addedTable }.map(\.table.folded))
    for rest in remainder.filter({ $0.rows > 0 }).prefix(Self.most) {
      switch rest.kind {
      case .table where !noted.contains(rest.name.folded):
        add(StoreFinding(.addedTable, table: rest.name))
      case .files: add(StoreFinding(.surplusExternalFiles, table: rest.name, name: rest.count))
      default: break
      }
    }
  }

  private mutating func list(_ losses: [ArchiveError]) {
    for loss in losses.prefix(Self.most) {
      add(StoreFinding(.unreadable, table: "", name: "\(loss)"))
    }
    result.leftOut += max(0, losses.count - Self.most)
  }

  /// The tables that a property of an object is read from, or all of an object's, in small letters.
  ///
  /// - Parameters:
  ///   - property: The property; nil for the row of the object.
  ///   - record: The object by its entity and key, such as "Note 17".
  /// - Returns: The names of the tables.
  private func tables(of property: String?, inRecord record: String) -> Set<String> {
    let name = record[..<(record.lastIndex(of: " ") ?? record.endIndex)]
    guard let storage = layout.entities.first(where: { $0.entity.name == name }) else { return [] }
    var names: Set = [layout.tables[storage.table].name.folded]
    switch property.flatMap({ storage.relationships[$0] }) {
    case .members(let entity, _): names.insert(layout.table(of: entity).name.folded)
    case .memberColumn(let table, _): names.insert(layout.tables[table].name.folded)
    case .join(let tables):
      names.formUnion(tables.map { layout.joinTables[$0].table.name.folded })
    case .column, nil: break
    }
    return names
  }

  /// Checks an XML or binary store, whose objects are all read when it is opened.
  static func checkAtomicStore(
    _ path: String, _ models: [String], _ limits: ReadingLimits
  ) throws(ModelError) -> Result {
    var result = Result()
    do throws(ArchiveError) {
      let source = try CoreDataStoreKind(modelPaths: models, limits: limits).open(
        ByteStorage(contentsOf: path), at: path, limits: limits, salvages: true)
      result.rows = source.objectCount
      for loss in source.losses.prefix(most) {
        result.findings.append(StoreFinding(.unreadable, table: "", name: "\(loss)"))
      }
      result.leftOut = max(0, source.losses.count - most)
    } catch {
      // There is no model to read it by.
      guard error.code != .unreadableStore else {
        throw ModelError(.damagedArchive, path: path, name: error.name)
      }
      result.findings = [StoreFinding(.unreadable, table: "", name: "\(error)")]
    }
    return result
  }
}
