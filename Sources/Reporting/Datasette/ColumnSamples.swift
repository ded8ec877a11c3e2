import RelationalStores
import SQLite

extension DatasetteMetadata {
  /// Finds out from the first rows of a table what its columns are good for.
  struct ColumnSamples {
    private let database: Database
    private let table: String
    private let form: StoreSchema.Form
    /// The columns that hold texts.
    private let texts: [String]

    /// How many rows are looked at.
    private static let size = 10_000
    /// The most facets of a table, and the most values that one of them may have.
    private static let maxFacets = 4
    private static let maxValues = 30
    /// Names of columns that rows are called by, if there are any; in small letters.
    private static let labelNames = ["title", "name", "label", "displayname", "subject"]

    /// Looks at a table.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - form: What the store declares of it.
    ///   - database: The store.
    /// - Throws: `StoreError` if the store cannot be read.
    init(
      of table: String, _ form: StoreSchema.Form, in database: Database
    ) throws(StoreError) {
      (self.database, self.table, self.form) = (database, table, form)
      texts = try SearchTables.TextColumns(most: Self.size) { (sql) throws(StoreError) in
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
      for (_, column) in ranked {
        let name = SQL.quoted(column)
        let isGood = try database.rows(
          """
          SELECT 2 * count(\(name)) >= count(*) AND 2 * count(DISTINCT \(name)) >= count(\(name))
              AND avg(length(\(name))) <= 100
            FROM (SELECT \(name) FROM \(SQL.quoted(table)) LIMIT \(Self.size))
          """)
        if isGood.first?.first == .integer(1) { return column }
      }
      return nil
    }

    /// The columns by whose values the rows of a table fall into a few groups.
    ///
    /// - Parameter others: Columns that are something else: they are not looked at.
    /// - Returns: Their names, in the order of the table.
    /// - Throws: `StoreError` if the store cannot be read.
    func facets(except others: Set<String>) throws(StoreError) -> [String] {
      var found: [String] = []
      for column in form.columns {
        guard found.count < Self.maxFacets else { break }
        guard column.type == .integer || texts.contains(column.name), !column.isPrimaryKey,
          !others.contains(column.name)
        else { continue }
        let name = SQL.quoted(column.name)
        let isGood = try database.rows(
          """
          SELECT count(DISTINCT \(name)) BETWEEN 2 AND \(Self.maxValues)
              AND 3 * count(DISTINCT \(name)) <= count(\(name)) AND max(length(\(name))) <= 60
            FROM (SELECT \(name) FROM \(SQL.quoted(table)) LIMIT \(Self.size))
          """)
        if isGood.first?.first == .integer(1) { found.append(column.name) }
      }
      return found
    }
  }
}
