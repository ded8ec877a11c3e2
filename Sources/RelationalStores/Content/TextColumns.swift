import SQLite

extension SearchTables {
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
    /// - Complexity: Linear in the values before the first text of each column.
    package func names(of table: String, _ form: StoreSchema.Form) throws(StoreError) -> [String] {
      let names = Set(form.columns.map(\.name))
      let indices = Set(form.columns.compactMap(\.numberOf))
      var found: [String] = []
      for column in form.columns where column.type == .text && column.numberOf == nil {
        guard column.name != RelationalLayout.entityColumn, !indices.contains(column.name),
          // It names the tables that the references beside it lead to.
          !(column.name.hasSuffix("_type") && names.contains(column.name.dropLast(5) + "_id"))
        else { continue }
        if try holdsText(table, column.name) { found.append(column.name) }
      }
      return found
    }

    private func holdsText(_ table: String, _ column: String) throws(StoreError) -> Bool {
      let name = SQL.quoted(column)
      let all = SQL.quoted(table)
      let source = most.map { "(SELECT \(name) FROM \(all) LIMIT \($0))" } ?? all
      return try !rows(
        """
        SELECT 1 FROM \(source) WHERE \(name) <> ''
          AND NOT (\(name) GLOB '\(Self.date)' OR \(name) GLOB '\(Self.uuid)'
            OR (\(name) GLOB '[[{]*' AND json_valid(\(name))))
          LIMIT 1
        """
      ).isEmpty
    }

    private static let date = "*[0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]*Z"
    private static let uuid = [8, 4, 4, 4, 12]
      .map { String(repeating: "[0-9A-F]", count: $0) }.joined(separator: "-")
  }
}
