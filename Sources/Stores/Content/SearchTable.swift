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

extension SearchTable {
  /// Finds the columns of a store that hold texts: words that people read and search.
  ///
  /// Dates, UUIDs, decimals and JSON are kept as text, too, but no key of theirs says so once they
  /// are in the store; so it is what a column holds that counts.
  package struct TextColumns {
    private let rows: (_ sql: String) throws(StoreError) -> [[StoredValue]]
    private let most: Int?

    /// Prepares to look into a store.
    ///
    /// - Parameters:
    ///   - most: How many rows of each table are looked at; nil for all.
    ///   - rows: Gives the rows that a statement selects.
    package init(
      most: Int? = nil, _ rows: @escaping (_ sql: String) throws(StoreError) -> [[StoredValue]]
    ) {
      (self.most, self.rows) = (most, rows)
    }

    /// The columns of a table in which at least one value is a text.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - form: What the store declares of it.
    /// - Returns: Their names, in the order of the table.
    /// - Throws: `StoreError` if the store cannot be read.
    /// - Complexity: Linear in the values up to the first text of each column, and a few times as
    ///   many.
    package func names(of table: String, _ form: StoreSchema.Form) throws(StoreError) -> [String] {
      let names = Set(form.columns.map(\.name))
      let indices = Set(form.columns.compactMap(\.numberOf))
      let columns = form.columns.filter { column in
        column.type == .text && column.numberOf == nil
          && column.name != RelationalLayout.entityColumn && !indices.contains(column.name)
          // It names the tables that the references beside it lead to.
          && !(column.name.hasSuffix("_type") && names.contains(column.name.dropLast(5) + "_id"))
      }.map(\.name)
      let found = try columnsWithText(columns, of: table)
      return columns.filter(found.contains)
    }

    /// The columns, of some, that hold a text.
    ///
    /// Most of them show it in the first rows. A pass over further rows looks for all others
    /// together, in more rows than those before.
    private func columnsWithText(
      _ columns: [String], of table: String
    ) throws(StoreError) -> Set<String> {
      var found: Set<String> = []
      var others = columns
      var start = 0
      var size = 64
      while !others.isEmpty, start < most ?? .max {
        size = min(size, (most ?? .max) - start)
        var isEnd = false
        for first in stride(from: 0, to: others.count, by: Self.maxColumns) {
          let part = others[first..<min(first + Self.maxColumns, others.count)]
          let names = part.map { SQL.quoted($0) }
          let row =
            try rows(
              """
              SELECT count(*), \(names.map(Self.condition).joined(separator: ", "))
                FROM (SELECT \(names.joined(separator: ", ")) FROM \(SQL.quoted(table))
                  LIMIT \(size) OFFSET \(start))
              """
            ).first ?? []
          isEnd = row.first != .integer(Int64(size))
          for (column, value) in zip(part, row.dropFirst()) where value == .integer(1) {
            found.insert(column)
          }
        }
        if isEnd { break }
        others.removeAll(where: found.contains)
        start += size
        size = start * 7
      }
      return found
    }

    /// True if a column holds a text in any of the rows.
    private static func condition(_ name: String) -> String {
      "max(\(name) <> '' AND NOT (\(name) GLOB '\(date)' OR \(name) GLOB '\(uuid)'"
        + " OR (\(name) GLOB '[[{]*' AND json_valid(\(name)))))"
    }

    /// The number of columns that a statement looks at; SQLite has a limit.
    private static let maxColumns = 500
    private static let date = "*[0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]*Z"
    private static let uuid = [8, 4, 4, 4, 12]
      .map { String(repeating: "[0-9A-F]", count: $0) }.joined(separator: "-")
  }
}
