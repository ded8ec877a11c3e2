import Stores

extension DatasetteMetadata {
  /// Finds out from the first rows of a table what its columns are good for.
  struct ColumnSamples {
    private let database: Database
    private let table: String
    private let form: StoreSchema.Form
    /// The columns that hold texts.
    private let texts: [String]

    /// The number of rows that are looked at.
    private static let size = 10_000
    /// The most facets of a table, and the most values that one of them may have.
    private static let maxFacets = 4
    private static let maxValues = 30
    /// The greatest number of columns that one pass over the rows looks at.
    private static let maxColumns = 128
    /// Names of columns that rows are called by, if there are any; in small letters.
    private static let labelNames = ["title", "name", "label", "displayname", "subject"]

    /// Looks at a table.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - form: The store's declaration of it.
    ///   - database: The store.
    /// - Throws: `StoreError` if the store cannot be read.
    init(
      of table: String, _ form: StoreSchema.Form, in database: Database
    ) throws(StoreError) {
      (self.database, self.table, self.form) = (database, table, form)
      texts = try SearchTable.TextColumns(most: Self.size) { (sql) throws(StoreError) in
        try database.rows(sql)
      }
      .names(of: table, form)
    }

    /// The column that a row is called by where other tables refer to it: one with short texts, of
    /// which most rows have one, and most one of their own.
    ///
    /// - Returns: Its name; nil if there is none.
    /// - Throws: `StoreError` if the store cannot be read.
    func label() throws(StoreError) -> String? {
      func rank(_ name: String) -> Int {
        let name = name.lowercased()
        return Self.labelNames.firstIndex(of: name)
          ?? Self.labelNames.count + (Self.labelNames.contains { name.hasSuffix($0) } ? 0 : 1)
      }
      let ranked = texts.enumerated().sorted {
        (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
      }
      return try first(1, of: ranked.map(\.element)) { name in
        "2 * count(\(name)) >= count(*) AND 2 * count(DISTINCT \(name)) >= count(\(name))"
          + " AND avg(length(\(name))) <= 100"
      }.first
    }

    /// The columns by whose values the rows of a table fall into a few groups.
    ///
    /// - Parameter others: Columns that are something else: they are not looked at.
    /// - Returns: Their names, in the order of the table.
    /// - Throws: `StoreError` if the store cannot be read.
    func facets(except others: Set<String>) throws(StoreError) -> [String] {
      let columns = form.columns.filter { column in
        (column.type == .integer || texts.contains(column.name)) && !column.isPrimaryKey
          && !others.contains(column.name)
      }
      return try first(Self.maxFacets, of: columns.map(\.name)) { name in
        "count(DISTINCT \(name)) BETWEEN 2 AND \(Self.maxValues)"
          + " AND 3 * count(DISTINCT \(name)) <= count(\(name)) AND max(length(\(name))) <= 60"
      }
    }

    /// The first columns for which a condition holds, in the first rows of the table.
    ///
    /// Each pass over these looks at more columns than the one before: where there are many, few
    /// passes are enough.
    ///
    /// - Parameters:
    ///   - most: The greatest number of columns.
    ///   - columns: The columns.
    ///   - condition: The condition in SQL, for the name of a column.
    /// - Returns: Their names, in the order given.
    /// - Throws: `StoreError` if the store cannot be read.
    private func first(
      _ most: Int, of columns: [String], where condition: (String) -> String
    ) throws(StoreError) -> [String] {
      var found: [String] = []
      var start = 0
      var size = 1
      while start < columns.count, found.count < most {
        let part = columns[start..<min(columns.count, start + size)]
        let names = part.map { SQL.quoted($0) }
        let rows = try database.rows(
          """
          SELECT \(names.map(condition).joined(separator: ", "))
            FROM (SELECT \(names.joined(separator: ", ")) FROM \(SQL.quoted(table))
              LIMIT \(Self.size))
          """)
        for (column, value) in zip(part, rows.first ?? []) where value == .integer(1) {
          if found.count < most { found.append(column) }
        }
        start += part.count
        size = min(2 * size, Self.maxColumns)
      }
      return found
    }
  }
}
