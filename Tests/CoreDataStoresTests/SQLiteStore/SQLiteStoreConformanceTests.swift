import CoreDataStores
import DataModel
import Foundation
import GraphCore
import GraphTesting
import TestSupport
import Testing

/// Compares what a graph gives with what plain SQL does, without a word of the reader's code:
/// tables and columns are named by the simplest of Core Data's rules.
@Suite(
  "Real SQLite stores",
  .enabled(if: SharedFolder.path("coredata") != nil, "needs the folder of real stores"))
struct SQLiteStoreConformanceTests {
  static let stores = SharedFolder.databases(in: "coredata", "sources")

  /// Opens a store by the model that it carries, or else by the one beside it.
  private static func open(_ path: String) throws -> SQLiteStoreSource {
    do {
      return try SQLiteStoreSource(path: path, model: nil)
    } catch {
      guard error.code == .missingCache else { throw error }
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    let beside = folder.appendingPathComponent("model.xcdatamodel").path
    let name = folder.deletingLastPathComponent().appendingPathComponent(
      "Model.xcdatamodeld/Model1.xcdatamodel"
    ).path
    guard let model = [beside, name].first(where: FileManager.default.fileExists) else {
      let models = folder.deletingLastPathComponent().appendingPathComponent("models").path
      return try SQLiteStoreSource(
        path: path, versions: try ModelVersions(contentsOf: models))
    }
    let source = try SQLiteStoreSource(path: path, model: try ModelSource(contentsOf: model))
    #expect(source.notes.allSatisfy { $0.code != .otherModel }, "\(path)")
    return source
  }

  @Test("have the objects, values and links that SQL finds in them", arguments: stores)
  func content(path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let before = try SQLiteStoreOpeningTests.listing(folder)
    let source = try Self.open(path)
    #expect(checkGraph(source) == [])
    let copy = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      guard let bytes = FileManager.default.contents(atPath: path + suffix) else { continue }
      try copy.write(bytes, to: "store\(suffix)")
    }
    let comparison = StoreComparison(source, try StoreQuery(copy.file(named: "store")))
    #expect(try comparison.differences() == [])
    #expect(comparison.valueCount > 0 || source.objectCount == 0)
    #expect(try SQLiteStoreOpeningTests.listing(folder) == before)
  }

  @Test("are refused without a model where theirs is not that of their data")
  func otherCache() throws {
    func path(_ version: Int) -> String {
      "\(SharedFolder.path("coredata") ?? "")/apple-browsers-Bookmarks-V\(version)/store.sqlite"
    }
    let folder = try TemporaryFolder()
    let copy = try folder.write(
      try Data(contentsOf: URL(fileURLWithPath: path(3))), to: "store.sqlite")
    let other = try StoreQuery(path(2)).value("SELECT hex(Z_PLIST) FROM Z_METADATA")
    let editor = try StoreEditor(copy)
    try editor.run("PRAGMA journal_mode = DELETE; UPDATE Z_METADATA SET Z_PLIST = x'\(other)'")
    editor.close()
    #expect(throws: ModelError(.otherCache, path: copy, name: "BookmarkEntity")) {
      try SQLiteStoreSource(path: copy, model: nil)
    }
    let source = try SQLiteStoreSource(path: copy, model: try ModelSource(contentsOf: path(3)))
    #expect(source.notes == [StoreNote(.otherModel, name: "BookmarkEntity")])
    #expect(source.objectCount == 10)
  }

  @Test("are many, of many ages")
  func count() throws {
    #expect(Self.stores.count >= 33)
    let sources = try Self.stores.compactMap(Self.open)
    #expect(Set(sources.map(\.version)).count >= 9)
    #expect(sources.reduce(0) { $0 + $1.objectCount } > 30_000)
  }
}

/// Something that a model or a store does not have.
private struct Mismatch: Error { var description: String }

/// Compares a store with plain SQL.
final class StoreComparison {
  private let source: SQLiteStoreSource
  private let query: StoreQuery
  private let graph: any ObjectGraph
  private let model: Model
  private(set) var valueCount = 0

  init(_ source: SQLiteStoreSource, _ query: StoreQuery) {
    (self.source, self.query) = (source, query)
    graph = source.makeGraph(GraphOptions())
    model = source.modelSource.model
  }

  /// What differs, at most some of it.
  func differences() throws -> [String] {
    var found: [String] = []
    var count = 0
    for row in try query.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000") {
      let entity = try entity(named: row[0])
      let table = "Z\(try root(of: entity).name.uppercased())"
      let uids = (0..<source.objectCount).filter { source.storeKey(ofObject: $0)?.entity == row[0] }
      count += uids.count
      let keys = try query.lines("SELECT Z_PK FROM \(table) WHERE Z_ENT = \(row[1]) ORDER BY Z_PK")
      if uids.compactMap({ source.storeKey(ofObject: $0).map { "\($0.key)" } }) != keys {
        found.append("the keys of \(row[0])")
        continue
      }
      for owner in try lineage(of: entity) {
        for attribute in owner.attributes where !attribute.isTransient {
          let cells = try query.lines(
            """
            SELECT Z\(attribute.name.uppercased()) FROM \(table) WHERE Z_ENT = \(row[1])
              ORDER BY Z_PK
            """)
          for (uid, cell) in zip(uids, cells)
          where try !words(uid, attribute.name, attribute).contains(cell) {
            found.append("\(row[0]).\(attribute.name) of \(uid): \(cell)")
          }
          valueCount += cells.count
        }
        for relationship in owner.relationships where !relationship.isTransient {
          for (uid, key) in zip(uids, keys) {
            let expected = try links(of: key, relationship, owner, table)
            let given = try members(uid, relationship.name)
            let isSame =
              relationship.isOrdered ? given == expected : given.sorted() == expected.sorted()
            if !isSame { found.append("\(row[0]).\(relationship.name) of \(uid): \(given)") }
            valueCount += expected.count
          }
        }
      }
      if found.count > 20 { break }
    }
    if count != source.objectCount { found.append("\(count) of \(source.objectCount) objects") }
    return found
  }

  private func entity(named name: String) throws -> Entity {
    guard let found = model.entities.first(where: { $0.name == name }) else {
      throw Mismatch(description: "no entity \(name)")
    }
    return found
  }

  private func lineage(of entity: Entity) throws -> [Entity] {
    var found = [entity]
    while let parent = found[found.count - 1].parent {
      found.append(try self.entity(named: parent))
    }
    return found
  }

  private func root(of entity: Entity) throws -> Entity {
    let all = try lineage(of: entity)
    return all[all.count - 1]
  }

  private func value(_ uid: Int, _ key: String) throws -> GraphValue {
    let object = try graph.object(uid)
    guard let position = graph.position(of: key, in: object) else {
      throw Mismatch(description: "no key \(key)")
    }
    return try graph.value(of: object, at: position)
  }

  /// The forms in which SQL may give the value of an attribute.
  private func words(_ uid: Int, _ key: String, _ attribute: Attribute) throws -> [String] {
    func hexadecimal(_ bytes: BorrowedBytes) -> String {
      bytes.buffer.map { String(format: "%02x", $0) }.joined()
    }
    switch try value(uid, key) {
    case .null: return ["NULL"]
    case .bool(let value): return [value ? "1" : "0"]
    case .integer(let value): return ["\(value)"]
    case .real(let value), .date(let value):
      return ["\(value)"] + (Int64(exactly: value).map { ["\($0)"] } ?? [])
    case .text(let text), .url(let text): return [text.string]
    case .uuid(let bytes): return ["x'\(hexadecimal(bytes))'"]
    case .data(let bytes):
      let digits = hexadecimal(bytes)
      return attribute.allowsExternalBinaryDataStorage
        ? ["x'01\(digits)'", "x'\(digits)'"] : ["x'\(digits)'"]
    case .decimal(let decimal):
      return [decimal.text] + (Double(decimal.text).map { ["\($0)"] } ?? [])
    default: return []
    }
  }

  private func members(_ uid: Int, _ key: String) throws -> [String] {
    func storeKey(of value: GraphValue) -> String {
      guard case .object(let uid, _) = value else { return "?" }
      return source.storeKey(ofObject: uid).map { "\($0.key)" } ?? "?"
    }
    switch try value(uid, key) {
    case .null: return []
    case .collection(let id, let kind):
      let elements = try graph.elements(of: id, kind)
      return try (0..<elements.count).map {
        storeKey(of: try graph.value(of: elements, at: $0))
      }
    case let value: return [storeKey(of: value)]
    }
  }

  /// The keys of the members of a relationship, by SQL.
  private func links(
    of key: String, _ relationship: Relationship, _ owner: Entity, _ table: String
  ) throws -> [String] {
    let name = relationship.name.uppercased()
    guard relationship.isToMany else {
      return try query.lines(
        "SELECT Z\(name) FROM \(table) WHERE Z_PK = \(key) AND Z\(name) NOT NULL")
    }
    let destination = try entity(named: relationship.destinations.first ?? "")
    let inverse = try lineage(of: destination).flatMap(\.relationships)
      .first { $0.name == relationship.inverse }
    guard let inverse else { throw Mismatch(description: "no inverse of \(name)") }
    let back = inverse.name.uppercased()
    guard inverse.isToMany else {
      let members = "Z\(try root(of: destination).name.uppercased())"
      let order = relationship.isOrdered ? "Z_FOK_\(back), Z_PK" : "Z_PK"
      return try query.lines(
        "SELECT Z_PK FROM \(members) WHERE Z\(back) = \(key) ORDER BY \(order)")
    }
    func number(_ entity: Entity) throws -> String {
      try query.value("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)'")
    }
    let (own, other) = (try number(owner), try number(destination))
    let joins = try query.lines(
      """
      SELECT name FROM sqlite_master WHERE type = 'table'
        AND name IN ('Z_\(own)\(name)', 'Z_\(other)\(back)')
      """)
    guard let join = joins.first else { throw Mismatch(description: "no join \(name)") }
    let order = relationship.isOrdered ? "Z_FOK_\(other)\(name), 1" : "1"
    return try query.lines(
      """
      SELECT Z_\(other)\(name) FROM \(join) WHERE Z_\(own)\(back) = \(key) ORDER BY \(order)
      """)
  }
}
