import ArchiveReader
import CoreDataStores
import Foundation
import Importer
import Stores
import Support
import Verification

/// A store that a migrator is drafted from, and the obstacles to that.
struct MigratedStore {
  /// The obstacle among the records of the run; nil if there is none.
  let obstacle: String?
  /// The paths of the archives, as the store has them.
  let archives: [String]
  private let database: Database
  private let records: [String: String]

  /// Looks into a store.
  ///
  /// - Throws: `StoreError` if it is no store of this program's.
  init(path: String) throws {
    let isOfCoreData: Bool
    do throws(StoreError) {
      database = try Database(reading: path)
      isOfCoreData = try database.has(tables: CoreDataLayout.metadataTable)
    } catch {
      throw StoreError(.unreadable, path: path, reason: error.reason)
    }
    guard !isOfCoreData else {
      (obstacle, archives, records) = ("it has the layout of Core Data", [], [:])
      return
    }
    // Before anything else is asked for, so that a file that is no store is told as such.
    _ = try StoreReports(path: path)
    let runs = try StoreVerifier.RunRecord.all(in: try VerifiedStore(path: path), path: path)
    let listed = try database.rows(
      "SELECT path, format FROM \(RelationalLayout.archiveTable) ORDER BY id")
    archives = listed.compactMap { if case .text(let path) = $0[0] { path } else { nil } }
    records = runs.first?.options.records ?? [:]
    guard let run = runs.first, runs.count == 1 else {
      obstacle = "\(Words.count(runs.count, "run")) made it"
      return
    }
    obstacle =
      try Self.obstacle(among: listed) ?? run.obstacleToMigrator ?? Self.obstacle(in: database)
  }

  private static func obstacle(among listed: [[StoredValue]]) -> String? {
    for row in listed {
      guard case .text(let path) = row[0] else { continue }
      guard [.text("binary"), .text("xml")].contains(row[1]) else {
        return "\(path) is no keyed archive"
      }
    }
    return nil
  }

  /// The obstacle in tables that are of no class.
  private static func obstacle(in database: Database) throws(StoreError) -> String? {
    func isThere(_ query: String) throws(StoreError) -> Bool {
      try !database.rows(query + " LIMIT 1").isEmpty
    }
    if try isThere("SELECT 1 FROM \(RelationalLayout.collectionTable) WHERE kind = 'countedSet'") {
      return "it has counted sets in other collections"
    }
    if try isThere("SELECT 1 FROM \(RelationalLayout.topTable) WHERE \"key\" GLOB '$[0-9]*'") {
      return "its archives have top-level values without keys"
    }
    return nil
  }

  /// The obstacle in the tables of a plan.
  func obstacle(to plan: ImportPlan) throws(StoreError) -> String? {
    let tables = plan.layout.tables + plan.layout.elementTables.map(\.table)
    for table in tables {
      let names = [table.name] + table.columns.map(\.name)
      // GRDB takes names into quotation marks as they are.
      if let name = names.first(where: { $0.contains("\"") }) {
        return "GRDB has no way to write the name \(name)"
      }
    }
    let collections = RelationalLayout.collectionTable
    var uses = [
      "SELECT \"row\" FROM \(RelationalLayout.topTable) WHERE entity = '\(collections)'"
    ]
    for form in plan.layout.elementTables + [RelationalLayout.collectionElements] {
      for (id, type) in [(form.reference, form.referenceType), (form.keyReference, form.keyType)] {
        guard let id, let type else { continue }
        let names = [id, type].map { SQL.quoted(form.table.columns[$0].name) }
        uses.append(
          "SELECT \(names[0]) FROM \(SQL.quoted(form.table.name)) "
            + "WHERE \(names[1]) = '\(collections)'")
      }
    }
    // In turn, for SQLite puts together some hundred queries at most.
    var seen: Set<StoredValue> = []
    for use in uses {
      for row in try database.rows(use) where !seen.insert(row[0]).inserted {
        return "it has collections that several others share"
      }
    }
    return nil
  }

  /// The classes as whose objects dictionaries are read, by their paths, as far as they have rows.
  func recordClasses(_ plan: ImportPlan) -> [String: String] {
    let classes = plan.passes.first?.classes ?? [:]
    return records.filter { classes[$0.value] != nil }
  }

  /// The statements that make the tables of rows.
  func statements() throws(StoreError) -> [String] {
    let own = RelationalLayout.self
    let left = [
      own.runTable, own.reportTable, own.archiveTable, own.rowsTable, own.classTable,
      own.objectsTable, own.originalTable,
    ]
    let archives = Table(
      name: own.archiveTable,
      columns: [Table.Column(name: "path", type: .text, isRequired: true)], numbersRows: true)
    let made = try database.rows(
      "SELECT tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    return [archives.creation]
      + made.compactMap { row in
        guard case .text(let table) = row[0], case .text(let sql) = row[1], !left.contains(table)
        else { return nil }
        return sql
      }
  }

  /// The numbers of rows of the tables of rows, as far as there are some.
  func rowCounts(_ plan: ImportPlan) throws(StoreError) -> [(table: String, rows: Int64)] {
    let own = [
      RelationalLayout.topTable, RelationalLayout.collectionTable,
      RelationalLayout.collectionElementTable,
    ]
    let names =
      plan.layout.tables.map(\.name) + plan.layout.elementTables.map(\.table.name) + own
    var counts: [(table: String, rows: Int64)] = []
    for name in names.sorted(by: { $0.precedesInBytes($1) }) {
      let rows = try database.rows("SELECT count(*) FROM \(SQL.quoted(name))")
      if case .integer(let count)? = rows.first?.first, count > 0 { counts.append((name, count)) }
    }
    return counts
  }
}

extension StoreVerifier.RunRecord {
  /// The obstacle to a migrator; nil if there is none.
  var obstacleToMigrator: String? {
    if mapping != nil { return "a mapping made its rows" }
    if usedModel { return "a model made its rows" }
    if options.hooks?.isEmpty == false { return "hooks in Swift made its rows" }
    for (isSet, option) in [
      (options.seeThrough?.isEmpty == false, "--see-through"),
      (options.fts == true, "--fts"), (options.salvage == true, "--salvage"),
      (options.openNested == true, "--open-nested"),
      (options.unwrap?.isEmpty == false, "--unwrap"),
      (options.limits?.isEmpty == false, "--limit"),
    ] where isSet {
      return "it was made with \(option)"
    }
    return nil
  }
}

extension ImportPlan {
  /// The obstacle to a migrator; nil if there is none.
  var obstacleToMigrator: String? {
    guard isPlain, passes.count == 1, let pass = passes.first else {
      return "its rows are more than the keys of objects"
    }
    for (name, use) in pass.classes.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      let plain = ArchivedName.plain(name)
      guard case .plain(let entity, let properties) = use else {
        return "objects of \(plain) are no rows"
      }
      if KnownClass(archivedName: name) != nil {
        return "objects of \(plain), a class of Foundation, are rows"
      }
      for (key, property) in properties.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        if ArchivedKey.isReserved(key) {
          return "\(plain) has values without keys, such as \(key)"
        }
        if layout.entities[entity].properties[property]?.overflow != nil {
          return "\(plain) has more keys than columns, such as \(ArchivedKey.plain(key))"
        }
      }
    }
    return nil
  }
}
