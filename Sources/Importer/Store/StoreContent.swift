import ArchiveReader
import Stores

/// The content of a store before rows are added to it.
package struct StoreContent {
  /// For each table of the layout, the id of its last row.
  package var lastIDs: [Int64]
  package var lastArchive: Int64 = 0
  package var lastCollection: Int64 = 0
  package var lastRun: Int64 = 0
  /// The names of the classes that it lists: see `ArchivedName`.
  package var classes: Set<String> = []
  /// For each kind of request, the archives that were converted for it: their ids, by digest.
  package var archives: [String: [String: Int64]] = [:]

  /// The largest id of a store that rows can be added to: far more than a store can have, and far
  /// below where numbers overflow.
  static let maxID: Int64 = 1 << 48

  /// The content of an empty store.
  package init(_ layout: RelationalLayout) {
    lastIDs = layout.tables.map { _ in 0 }
  }

  /// True if a store holds an archive, by its digest, as the same request converted it, with or
  /// without indexes of its texts.
  ///
  /// - Throws: `StoreError` if the file cannot be read; one that is no store holds nothing.
  package static func holds(
    _ sha256: String, _ fingerprint: String, isSearchable: Bool, at path: String
  ) throws(StoreError) -> Bool {
    let sql = """
      SELECT count(*) FROM \(RelationalLayout.runTable) AS run
        JOIN \(RelationalLayout.archiveTable) AS archive
        ON archive.id BETWEEN run.first_archive AND run.last_archive
        WHERE fingerprint = ? AND sha256 = ?
          AND iif(json_valid(options), coalesce(json_extract(options, '$.fts'), 0), 0) = ?
      """
    do throws(StoreError) {
      let found = try Database(reading: path).rows(
        sql, [.text(fingerprint), .text(sha256), .integer(isSearchable ? 1 : 0)])
      return found.first?.first != .integer(0)
    } catch {
      guard error.isDamage else { throw error }
      return false
    }
  }

  /// Reads the content of a store that was made fit for a layout.
  package init(_ store: StoreWriter, _ layout: RelationalLayout) throws(StoreError) {
    let last = try Self.lastRows(layout, in: "main") { (sql) throws(StoreError) in
      try store.query(sql)
    }
    (lastIDs, lastCollection, lastArchive) = (last.rows.ids, last.rows.collection, last.archive)
    let runs = try store.query("SELECT coalesce(max(id), 0) FROM \(RelationalLayout.runTable)")
    if case .integer(let run) = runs.first?.first {
      lastRun = try Self.checked(run, RelationalLayout.runTable)
    }
    let reports = RelationalLayout.reportTable
    let others = try store.query(
      "SELECT max(run_id) FROM \(reports) WHERE run_id > ?", [.integer(lastRun)])
    if case .integer(let run) = others.first?.first {
      throw StoreError(
        .incompatible, path: "",
        reason: "its table \(reports) has a report of run \(run), but no other trace of that run")
    }
    for row in try store.query("SELECT name FROM \(RelationalLayout.classTable)") {
      if case .text(let name) = row[0] { classes.insert(ArchivedName.text(name)) }
    }
    // Archives inside of others come and go with them.
    let archiveTable = RelationalLayout.archiveTable
    let columns = try store.query(
      "SELECT count(*) FROM pragma_table_info('\(archiveTable)') WHERE name = ?",
      [.text(RelationalLayout.nestingColumn)])
    let isFile =
      columns.first?.first == .integer(0)
      ? "" : "WHERE archive.\(RelationalLayout.nestingColumn) IS NULL"
    let done = try store.query(
      """
      SELECT fingerprint, sha256, archive.id FROM \(RelationalLayout.runTable) AS run
        JOIN \(RelationalLayout.archiveTable) AS archive
        ON archive.id BETWEEN run.first_archive AND run.last_archive
        \(isFile)
      """)
    for row in done {
      guard case .text(let fingerprint) = row[0], case .text(let digest) = row[1],
        case .integer(let id) = row[2]
      else { continue }
      archives[fingerprint, default: [:]][digest] = id
    }
  }
}

extension StoreContent {
  /// The last rows and the last archive of a store that was made fit for a layout.
  ///
  /// - Parameters:
  ///   - layout: The tables.
  ///   - schema: The name by which the connection knows the store.
  ///   - query: Returns the rows of a query.
  /// - Returns: The last rows, and the id of the last archive.
  /// - Throws: `StoreError` if the file cannot be read, or has no ids left.
  static func lastRows(
    _ layout: RelationalLayout, in schema: String,
    _ query: (_ sql: String) throws(StoreError) -> [[StoredValue]]
  ) throws(StoreError) -> (rows: LastRows, archive: Int64) {
    func last(_ table: String, _ key: String = "id") throws(StoreError) -> Int64 {
      let found = try query("SELECT coalesce(max(\(key)), 0) FROM \(schema).\(SQL.quoted(table))")
      guard case .integer(let id) = found.first?.first else { return 0 }
      return try checked(id, table)
    }
    var ids: [Int64] = []
    for table in layout.tables { ids.append(try last(table.name, table.quotedKey)) }
    // Ids that were handed out for rows which were not made, or are deleted, are taken, too: they
    // belong to the archive that has them among its rows.
    let rows = RelationalLayout.rowsTable
    for row in try query("SELECT entity, max(\"last\") FROM \(schema).\(rows) GROUP BY entity") {
      guard case .text(let name) = row[0], case .integer(let id) = row[1],
        let table = layout.tables.firstIndex(where: { $0.name == name })
      else { continue }
      ids[table] = max(ids[table], try checked(id, rows))
    }
    return (
      LastRows(ids: ids, collection: try last(RelationalLayout.collectionTable)),
      try last(RelationalLayout.archiveTable)
    )
  }

  /// The last id of a table, which may say anything: those of new rows come after it.
  private static func checked(_ id: Int64, _ table: String) throws(StoreError) -> Int64 {
    guard id <= maxID else {
      throw StoreError(
        .incompatible, path: "", reason: "its table \(table) has no ids left: the last is \(id)")
    }
    return max(0, id)
  }
}

/// The place of an archive inside of another.
public struct NestedLocation: Sendable, Hashable {
  /// The path of the archive around it.
  public var outer: String
  /// The object that holds its bytes, by its UID, or by its primary key in a Core Data store; nil
  /// if a top-level key does.
  public var uid: Int?
  /// The key that holds them.
  public var key: String

  package init(outer: String, uid: Int?, key: String) {
    (self.outer, self.uid, self.key) = (outer, uid, key)
  }
}
