import Foundation
import TestSupport
import Testing

@testable import CoreDataStores
@testable import DataModel

/// A real store with the path of its models.
struct CheckedStore: CustomTestStringConvertible, Sendable {
  let path: String
  let models: String

  var testDescription: String { path.split(separator: "/").suffix(3).joined(separator: "/") }

  /// The SQLite stores of both folders of samples.
  static let all: [CheckedStore] = {
    var stores = SourceSamples.files(".sqlite", ".moody", ".storedata").filter {
      !$0.hasSuffix(".b_storedata") && FileManager.default.isFile(SourceSamples.path($0))
    }.map { CheckedStore(path: SourceSamples.path($0), models: SourceSamples.models(of: $0)) }
    guard let pairs = SourceSamples.pairs else { return stores }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: pairs))?.sorted() ?? [] {
      for model in ["model.xcdatamodel", "modelcache.mom"]
      where FileManager.default.fileExists(atPath: "\(pairs)/\(name)/\(model)") {
        stores.append(
          CheckedStore(path: "\(pairs)/\(name)/store.sqlite", models: "\(pairs)/\(name)/\(model)"))
      }
    }
    return stores
  }()
}

extension FileManager {
  fileprivate func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }
}

@Suite(
  "Checks of stores of real applications",
  .enabled(if: SourceSamples.folder != nil, Comment(rawValue: SourceSamples.absence)))
struct StoreCheckConformanceTests {
  @Test("They are sound, and nothing is said of them", arguments: CheckedStore.all)
  func sound(_ store: CheckedStore) throws {
    let folder = try TemporaryFolder()
    let path = try SourceSamples.copy(store.path, to: folder)
    let result = try StoreCheck.run(path, model: store.models)
    #expect(result.findings.map(\.description) == [])
    #expect(result.rows > 0)
  }

  @Test("A change of a reference, a row or an entity is found", arguments: CheckedStore.all)
  func changed(_ store: CheckedStore) throws {
    let sound = try TemporaryFolder()
    let opened = try CoreDataStore(try SourceSamples.copy(store.path, to: sound))
    let source = try opened.modelSource([store.models], .standard)
    let entities = try opened.entityRows().rows(of: source.model, hashes: [:])
    let numbers = entities.mapValues(\.number)
    let layout = CoreDataLayout(source.model, storeNumbers: numbers)
    let changes = try Self.changes(layout, opened)
    #expect(!changes.isEmpty)
    for change in changes {
      let folder = try TemporaryFolder()
      let path = try SourceSamples.copy(store.path, to: folder)
      let editor = try StoreEditor(path)
      try editor.run(change)
      editor.close()
      #expect(try !StoreCheck.run(path, model: store.models).isSound, "\(change)")
    }
  }

  /// Changes that no sound store has.
  private static func changes(
    _ layout: CoreDataLayout, _ store: CoreDataStore
  ) throws -> [String] {
    var changes: [String] = []
    for (table, members) in zip(layout.tables, layout.members) {
      let rows = try store.rows("SELECT max(Z_PK) FROM \"\(table.name)\"")
      guard case .integer(let last) = rows.first?.first else { continue }
      // It is not read in a table of one entity.
      if members.count > 1 {
        changes.append("UPDATE \"\(table.name)\" SET Z_ENT = 12345 WHERE Z_PK = \(last)")
      }
      changes.append("UPDATE Z_PRIMARYKEY SET Z_MAX = \(last - 1) WHERE Z_MAX >= \(last)")
    }
    for place in layout.entities {
      for relationship in place.entity.references {
        guard case .column(let reference) = place.relationships[relationship.name] else { continue }
        let table = layout.tables[place.table].name
        let column = layout.tables[place.table].columns[reference.column].name
        let used = try store.rows("SELECT \"\(column)\" FROM \"\(table)\" WHERE \"\(column)\" > 0")
        guard case .integer(let key) = used.first?.first else { continue }
        changes.append("UPDATE \"\(table)\" SET \"\(column)\" = 987654321")
        let target = layout.table(of: reference.destination).name
        changes.append("DELETE FROM \"\(target)\" WHERE Z_PK = \(key)")
      }
    }
    for join in layout.joinTables where !join.isAlternative {
      let name = join.table.name
      guard let count = try? store.rows("SELECT count(*) FROM \"\(name)\""),
        count.first?.first != .integer(0)
      else { continue }
      let column = join.table.columns[join.first.column].name
      changes.append("UPDATE \"\(name)\" SET \"\(column)\" = 987654321 WHERE rowid = 1")
    }
    return changes
  }
}
