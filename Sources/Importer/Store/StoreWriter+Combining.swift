import Stores

extension StoreWriter {
  /// The name by which a store is known whose rows are copied.
  private static let copiedSchema = "part"
  /// The tables that are not copied, since they say the same of all parts.
  private static let commonTables: Set<String> = [
    RelationalLayout.runTable, RelationalLayout.reportTable, RelationalLayout.classTable,
  ]

  /// Copies the rows of another store with the same tables, after those of this one.
  ///
  /// - Parameters:
  ///   - path: The path of the other store, which no other program may write to.
  ///   - last: The last rows of this store.
  ///   - archive: The id of the last archive.
  /// - Returns: The last rows and the last archive of the other store.
  /// - Throws: `StoreError` if it cannot be read, or has not these tables.
  /// - Complexity: Linear in the rows of the other store.
  package func insertRows(
    ofStoreAt path: String, after last: LastRows, archive: Int64
  ) throws(StoreError) -> (rows: LastRows, archive: Int64) {
    let origins = queue.origins(after: last, archive: archive, layout)
    let tables = layout.allTables(after: own)
    var found = (rows: LastRows(ids: [], collection: 0), archive: Int64(0))
    try withDatabase { (database) throws(StoreError) in
      // Another database comes and goes between transactions only.
      try database.execute("COMMIT;")
      try database.attach(path, as: Self.copiedSchema)
      try database.execute("BEGIN;")
      try Self.check(tables, database)
      found = try StoreContent.lastRows(layout, in: Self.copiedSchema) { (sql) throws(StoreError) in
        try database.rows(sql)
      }
      for (number, table) in tables.enumerated() where !Self.commonTables.contains(table.name) {
        let columns = queue.expressions(of: table, number: number, behind: origins)
        let name = SQL.quoted(table.name)
        try database.execute(
          """
          INSERT INTO main.\(name) (\(columns.map(\.name).joined(separator: ", ")))
            SELECT \(columns.map(\.value).joined(separator: ", "))
            FROM \(Self.copiedSchema).\(name) ORDER BY \(table.quotedKey);
          """)
      }
      try database.execute("COMMIT; DETACH \(Self.copiedSchema); BEGIN;")
    }
    return found
  }

  /// Refuses a store in which something else has the name of a table: a view could do anything.
  private static func check(_ tables: [Table], _ database: Database) throws(StoreError) {
    var names: Set<String> = []
    for row in try database.rows(
      "SELECT name FROM pragma_table_list WHERE schema = ? AND type = 'table'",
      [.text(copiedSchema)])
    {
      if case .text(let name) = row[0] { names.insert(name) }
    }
    for table in tables where !names.contains(table.name) {
      throw StoreError(
        .file, path: database.path, reason: "it has no table \(table.name)")
    }
  }
}
