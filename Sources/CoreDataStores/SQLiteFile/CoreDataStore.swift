import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Stores
import Support

/// A Core Data store that is read: what it says of itself and of its model.
package final class CoreDataStore {
  /// The greatest size of values that are held in memory, the metadata and the model among them:
  /// far beyond real ones.
  static let maxValueSize = 64 << 20

  let path: String
  let database: Database
  /// The names of the tables, by the same in small letters: no views, which could run for ever.
  let tables: [String: String]

  private let snapshot: StoreSnapshot

  /// The files next to the store in which it keeps large data.
  var externalData: ExternalDataFolder { ExternalDataFolder(ofStore: snapshot.realPath) }

  /// The note on the store's write-ahead log; nil where all of it is read.
  var logNote: StoreNote? { snapshot.logNote }

  /// Opens a store for reading, without a change to its folder.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: `ModelError` if it is no database, or none of Core Data's.
  package convenience init(_ path: String) throws(ModelError) {
    try self.init(try StoreSnapshot(path))
  }

  /// Opens a store for reading.
  ///
  /// - Parameter snapshot: The files of the store.
  /// - Throws: `ModelError` if it is no database, or none of Core Data's.
  init(_ snapshot: StoreSnapshot) throws(ModelError) {
    self.snapshot = snapshot
    let path = snapshot.path
    self.path = path
    database = try Self.reading(path) { () throws(StoreError) in try snapshot.connect() }
    let found = try Self.reading(path) { [database] () throws(StoreError) in
      try database.rows(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    }
    var tables: [String: String] = [:]
    for row in found {
      if case .text(let name) = row.first { tables[name.folded] = name }
    }
    self.tables = tables
    for name in [CoreDataLayout.metadataTable, CoreDataLayout.primaryKeyTable]
    where tables[name.folded] == nil {
      throw ModelError(.notAStore, path: path, name: "it has no table \(name)")
    }
    try expect(["Z_UUID", "Z_PLIST"], in: CoreDataLayout.metadataTable, .damagedMetadata)
    try expect(
      ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], in: CoreDataLayout.primaryKeyTable,
      .damagedMetadata)
  }

  /// Refuses the store if a table that each store has is without one of its columns.
  private func expect(
    _ columns: [String], in table: String, _ code: ModelError.Code
  ) throws(ModelError) {
    let names = try self.columns(of: table)
    for column in columns where !names.contains(column.folded) {
      throw ModelError(code, path: path, name: "\(table) has no column \(column)")
    }
  }

  /// The names of a table's columns, in small letters.
  func columns(of table: String) throws(ModelError) -> Set<String> {
    let found = try rows("SELECT name FROM pragma_table_xinfo(?)", [.text(table)])
    return Set(
      found.compactMap { row in if case .text(let name) = row[0] { name.folded } else { nil } })
  }

  /// Refuses what was read so far if the store has changed since it was opened.
  func check() throws(ModelError) {
    do throws(ArchiveError) {
      try snapshot.check()
    } catch {
      throw ModelError(.unreadable, path: path, name: error.name)
    }
  }

  /// The error, or that the store has changed since it was opened, which is no damage.
  func explained(_ error: ModelError) -> ModelError { snapshot.change ?? error }

  /// The metadata of the store: nothing but its name, where somebody has taken out the rest.
  package func metadata() throws(ModelError) -> CoreDataMetadata {
    let rows = try rows(
      """
      SELECT Z_UUID, CASE WHEN length(Z_PLIST) <= \(Self.maxValueSize) THEN Z_PLIST END,
          Z_PLIST IS NULL
        FROM Z_METADATA LIMIT 2
      """)
    guard rows.count == 1 else {
      throw ModelError(.damagedMetadata, path: path, name: "Z_METADATA must have exactly one row")
    }
    var uuid = ""
    if case .text(let text) = rows[0][0] { uuid = text }
    guard rows[0][2] == .integer(0) else { return CoreDataMetadata(nameAlone: uuid) }
    guard case .blob(let list) = rows[0][1] else {
      throw ModelError(.damagedMetadata, path: path, name: "Z_PLIST holds no data")
    }
    do throws(ModelError) {
      return try CoreDataMetadata(propertyList: list, uuid: uuid)
    } catch {
      throw error.placed(in: path)
    }
  }

  /// The compiled model that the store carries; nil where it carries none.
  func compiledModel() throws(ModelError) -> Data? { try modelCache()?.content }

  /// The compiled model that the store carries, and how many bytes follow it; nil where it carries
  /// none.
  func modelCache() throws(ModelError) -> (content: Data, surplus: Int)? {
    let table = CoreDataLayout.modelCacheTable
    guard tables[table.folded] != nil else { return nil }
    try expect(["Z_CONTENT"], in: table, .damagedCache)
    let rows = try rows(
      "SELECT length(Z_CONTENT), CASE WHEN length(Z_CONTENT) <= \(Self.maxValueSize) THEN Z_CONTENT "
        + "END FROM Z_MODELCACHE LIMIT 1")
    guard let row = rows.first, case .integer(let size) = row[0], size > 0 else { return nil }
    guard case .blob(let content) = row[1] else {
      throw ModelError(.damagedCache, path: path, name: "it is too large or not data")
    }
    do throws(Deflate.Failure) {
      return try Deflate.inflate(content, limit: Self.maxValueSize)
    } catch {
      let reason = error == .tooLarge ? "it is too large" : "it is damaged"
      throw ModelError(.damagedCache, path: path, name: reason)
    }
  }

  /// The rows that a statement gives.
  func rows(
    _ sql: String, _ parameters: [StoredValue] = []
  ) throws(ModelError) -> [[StoredValue]] {
    try Self.reading(path) { () throws(StoreError) in try database.rows(sql, parameters) }
  }

  private static func reading<Result>(
    _ path: String, _ step: () throws(StoreError) -> Result
  ) throws(ModelError) -> Result {
    do throws(StoreError) {
      return try step()
    } catch {
      throw ModelError(.unreadable, path: path, name: error.reason)
    }
  }
}
