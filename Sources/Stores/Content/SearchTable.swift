import DataModel
import Support

/// The table of FTS5 by which the texts of a store are found: a row for each, with a copy of it.
///
/// Its rows depend on what the store's other tables hold, so each run makes it again.
package enum SearchTable {
  package static let name = RelationalLayout.searchTable
  /// The column that names the table of a text.
  package static let tableColumn = "table_name"

  private static let declaration =
    "\(name) USING fts5(\(tableColumn) UNINDEXED, row_id UNINDEXED, column_name UNINDEXED, text)"

  /// The statement that makes it, as the schema of a store has it.
  package static let text = StoreSchema.essence(of: "CREATE VIRTUAL TABLE \(declaration)")

  /// True if a store has it.
  package static func isDeclared(in schema: StoreSchema) -> Bool {
    schema.tables[name]?.text == text
  }

  /// Makes it of the texts of a store that is otherwise complete.
  ///
  /// - Parameters:
  ///   - connection: The store.
  ///   - database: The database that it is made in, by its name on the connection.
  /// - Throws: `StoreError`: SQLite may have been built without FTS5.
  package static func make(
    in connection: Database, _ database: String = "main"
  ) throws(StoreError) {
    let schema = try StoreSchema(connection)
    let texts = TextColumns { (sql) throws(StoreError) in try connection.rows(sql) }
    try connection.execute("CREATE VIRTUAL TABLE \(database).\(declaration)")
    let insertion = try connection.prepare("INSERT INTO \(database).\(name) VALUES (?, ?, ?, ?)")
    for (table, form) in schema.tables.sorted(by: { $0.key.precedesInBytes($1.key) })
    where !RelationalLayout.reservedTableNames.contains(table) {
      guard let key = form.columns.first(where: \.isPrimaryKey)?.name else { continue }
      let columns = try texts.names(of: table, form)
      guard !columns.isEmpty else { continue }
      // One pass over the rows, however many columns there are.
      let list = ([key] + columns).map(SQL.quoted).joined(separator: ", ")
      let rows = try connection.prepare(
        "SELECT \(list) FROM main.\(SQL.quoted(table)) ORDER BY \(SQL.quoted(key))")
      try rows.begin([])
      while try rows.step() {
        let row = try rows.copies()
        for (column, value) in zip(columns, row.dropFirst()) {
          guard case .text(let text) = value, !text.isEmpty else { continue }
          _ = try insertion.rows([.text(table), row[0], .text(column), value])
        }
      }
    }
  }
}
