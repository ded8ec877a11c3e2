import CoreDataStores
import DataModel
import Foundation
import Stores
import Support

/// Source code with a type for each table of a store, or for each entity of a model.
public struct StoreCode {
  /// The libraries and languages that code is written for.
  public enum Library: String, Sendable, CaseIterable {
    /// GRDB, in Swift.
    case grdb
    /// SwiftData, for stores in Core Data's layout.
    case swiftdata
    /// Core Data, for stores in its layout.
    case coredata
    /// SQLiteData, in Swift.
    case sqlitedata
    /// SQLAlchemy, in Python.
    case sqlalchemy
    /// JSON Schema, of which other generators make types.
    case jsonschema
    /// GRDB and `ArchiveReader`, as a Swift package that fills the tables on a device.
    case migrator

    /// True if the types are those of a Core Data model, not of tables.
    var isForModels: Bool { self == .swiftdata || self == .coredata }

    fileprivate var reservedWords: Set<String> {
      switch self {
      case .grdb: GRDBCode.reservedWords
      case .sqlitedata: SQLiteDataCode.reservedWords
      case .sqlalchemy: SQLAlchemyCode.reservedWords
      case .migrator: MigratorCode.reservedWords
      case .swiftdata, .coredata, .jsonschema: []
      }
    }
  }

  /// The files, in the order of their names.
  public let files: [CodeFile]

  /// Writes code for a store.
  ///
  /// - Parameters:
  ///   - path: The path of a store in the relational layout; for Core Data and SwiftData, of a store
  ///     in its layout or of a model.
  ///   - library: The library that the code is for.
  /// - Throws: `StoreError` if the store cannot be read, or has no report of a run; `ModelError` if
  ///   there is no model to be read.
  /// - Complexity: Linear in the number of tables and columns.
  public init(storeAt path: String, for library: Library) throws {
    guard !library.isForModels else {
      files = ManagedObjectCode(
        try ModelSource(contentsOf: path).model, isForSwiftData: library == .swiftdata
      ).files()
      return
    }
    files = try Self.files(of: path, for: library) { outline throws(StoreError) in
      switch library {
      case .grdb: GRDBCode(outline).files()
      case .sqlitedata: SQLiteDataCode(outline).files()
      case .sqlalchemy: SQLAlchemyCode(outline).files()
      case .jsonschema: try JSONSchemaCode(outline).files()
      case .swiftdata, .coredata: []
      case .migrator:
        throw StoreError(.unsupported, path: path, reason: "a migrator needs archives")
      }
    }
  }

  /// Writes a package that fills the tables of a store from archives.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - source: What the package is written from.
  /// - Throws: `StoreError` if the store cannot be read, or has no report of a run.
  package init(migratorOf path: String, _ source: MigratorSource) throws(StoreError) {
    files = try Self.files(of: path, for: .migrator) { outline throws(StoreError) in
      MigratorCode(outline: outline, source: source).files()
    }
  }

  private static func files(
    of path: String, for library: Library,
    _ write: (StoreOutline) throws(StoreError) -> [CodeFile]
  ) throws(StoreError) -> [CodeFile] {
    let reports = try StoreReports(path: path)
    do throws(StoreError) {
      let database = try Database(reading: path)
      let tables = try StoreTables(database, reports.allKept())
      return try write(
        StoreOutline(
          tables, views: try views(database), reserved: library.reservedWords,
          isForPython: library == .sqlalchemy))
    } catch {
      throw StoreError(.unreadable, path: path, reason: error.reason)
    }
  }

  /// The columns of the views of a store, with the types that they declare.
  private static func views(
    _ database: Database
  ) throws(StoreError) -> [String: [(name: String, type: String)]] {
    var views: [String: [(name: String, type: String)]] = [:]
    for row in try database.rows(
      """
      SELECT v.name, c.name, c.type FROM sqlite_schema AS v, pragma_table_info(v.name) AS c
        WHERE v.type = 'view' ORDER BY v.rowid, c.cid
      """)
    {
      guard case .text(let view) = row[0], case .text(let column) = row[1],
        case .text(let type) = row[2]
      else { continue }
      // The names of entities are literals, which have no type.
      let isEntity = column == RelationalLayout.entityColumn
      views[view, default: []].append((column, isEntity ? Table.ColumnType.text.rawValue : type))
    }
    return views
  }
}

extension StoreCode {
  /// Writes the files into a folder: those for humans only where there are none.
  ///
  /// Files that an earlier call made, and this one does not, are removed: their tables are gone.
  ///
  /// - Parameter folder: The path of the folder, which is made if it is not there.
  /// - Returns: The numbers of files that were written, that were kept, and that were removed.
  /// - Throws: `StoreError` if one cannot be written, or would take the place of another's file.
  public func write(
    to folder: String
  ) throws(StoreError) -> (written: Int, kept: Int, removed: Int) {
    let paths = files.map { "\(folder)/\($0.name)" }
    for path in Set(paths.map { ($0 as NSString).deletingLastPathComponent }).union([folder]) {
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      } catch {
        throw StoreError(.file, path: path, reason: "the folder cannot be made")
      }
    }
    for (file, path) in zip(files, paths) where !file.isForHumans && !OwnOutput.mayReplace(path) {
      throw StoreError(.file, path: path, reason: OwnOutput.refusal)
    }
    var kept = 0
    for (file, path) in zip(files, paths) {
      if file.isForHumans, FileManager.default.fileExists(atPath: path) {
        kept += 1
        continue
      }
      if let reason = OutputFile.write(file.text, to: path) {
        throw StoreError(.file, path: path, reason: reason)
      }
    }
    return (files.count - kept, kept, try removeFormerFiles(in: folder))
  }

  /// Removes the files that earlier calls made in the folder, and this one does not.
  private func removeFormerFiles(in folder: String) throws(StoreError) -> Int {
    // Some file systems take names for the same in whatever letters.
    let current = Set(files.map { $0.name.lowercased() })
    let made = files.filter { !$0.isForHumans }
    var count = 0
    for parent in Set(made.map { ($0.name as NSString).deletingLastPathComponent }) {
      let endings = Set(made.map { Self.ending($0.name) })
      let place = parent.isEmpty ? folder : "\(folder)/\(parent)"
      for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      where name.hasPrefix("_") && endings.contains(Self.ending(name)) {
        let path = "\(place)/\(name)"
        let own = parent.isEmpty ? name : "\(parent)/\(name)"
        guard !current.contains(own.lowercased()), OwnOutput.isCode(at: path) else { continue }
        do {
          try FileManager.default.removeItem(atPath: path)
          count += 1
        } catch {
          throw StoreError(.file, path: path, reason: "the file cannot be removed")
        }
      }
    }
    return count
  }

  private static func ending(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }
}
