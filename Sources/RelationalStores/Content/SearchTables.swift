import DataModel
import SQLite
import Support

/// The tables by which the texts of a store are searched: an index of FTS5 for each table with
/// texts, which holds their words, but not the texts themselves.
///
/// See https://www.sqlite.org/fts5.html#external_content_tables. What a store has depends on its
/// other tables and what they hold, so each run makes all of them again.
package struct SearchTables {
  /// The index of a table.
  package struct Entry {
    /// Its own name.
    package var name: String
    /// The table whose texts it finds, the columns that hold them, and the one that numbers the
    /// rows.
    package var table: String
    package var columns: [String]
    package var key: String

    /// The statement that makes it, as SQLite keeps it.
    package var creation: String { creation(as: SQL.quoted(name), ofContent: true) }

    /// The statement that makes an index like it, which is filled by `filling`.
    ///
    /// - Parameter name: Its name, quoted where it needs to be.
    /// - Returns: The statement.
    package func creation(ofCopy name: String) -> String { creation(as: name, ofContent: false) }

    private func creation(as name: String, ofContent: Bool) -> String {
      let list = columns.map(Self.quoted).joined(separator: ", ")
      let source =
        ofContent
        ? "content=\(Self.quoted(table)), content_rowid=\(Self.quoted(key))" : "content=''"
      return "CREATE VIRTUAL TABLE \(name) USING fts5(\(list), \(source))"
    }

    /// The statement that takes in the words of all rows.
    package var filling: String {
      "INSERT INTO \(SQL.quoted(name))(\(SQL.quoted(name))) VALUES ('rebuild')"
    }

    /// The statement that takes the words of all rows into an index that has no source.
    package func filling(ofCopy name: String) -> String {
      let list = columns.map(SQL.quoted).joined(separator: ", ")
      return "INSERT INTO \(name)(rowid, \(list)) "
        + "SELECT \(SQL.quoted(key)), \(list) FROM main.\(SQL.quoted(table))"
    }

    /// A name in quotes, as programs look for it that find the index of a table.
    fileprivate static func quoted(_ name: String) -> String {
      "\"\(name.replacing("\"", with: "\"\""))\""
    }
  }

  package let entries: [Entry]

  /// Determines the search tables of a store.
  ///
  /// - Parameters:
  ///   - schema: What it declares.
  ///   - rows: Gives the rows that a statement selects from it.
  /// - Throws: `StoreError` if it cannot be read.
  package init(
    _ schema: StoreSchema, _ rows: @escaping (_ sql: String) throws(StoreError) -> [[StoredValue]]
  ) throws(StoreError) {
    let own = Self.names(in: schema)
    let others = schema.tables.keys.filter { !own.contains($0) }
    var taken = Set(
      (others + schema.indexes.keys + schema.views.keys + RelationalLayout.reservedTableNames)
        .map(\.folded))
    let texts = TextColumns(rows)
    var entries: [Entry] = []
    for table in others.sorted(by: { $0.precedesInBytes($1) })
    where !RelationalLayout.reservedTableNames.contains(table) {
      guard let form = schema.tables[table],
        let key = form.columns.first(where: \.isPrimaryKey)?.name
      else { continue }
      let columns = try texts.names(of: table, form).filter {
        !Self.reserved.contains($0.lowercased())
      }
      guard !columns.isEmpty else { continue }
      var index = 1
      func name() -> String { "\(table)_fts\(index == 1 ? "" : "_\(index)")" }
      func names() -> [String] { Self.all(name()).map(\.folded) }
      while !taken.isDisjoint(with: names()) || columns.contains(name()) { index += 1 }
      taken.formUnion(names())
      entries.append(
        Entry(
          name: name(), table: table, columns: Array(columns.prefix(Self.maxColumns)), key: key))
    }
    self.entries = entries
  }

  /// Makes the search tables of a store that is otherwise complete.
  ///
  /// - Parameter database: The store.
  /// - Throws: `StoreError`: SQLite may have been built without FTS5.
  package static func make(in database: Database) throws(StoreError) {
    let tables = try SearchTables(StoreSchema(database)) { (sql) throws(StoreError) in
      try database.rows(sql)
    }
    for entry in tables.entries {
      try database.execute(entry.creation)
      try database.execute(entry.filling)
    }
  }

  /// The search tables that a store declares, and those that SQLite keeps their words in.
  package static func names(in schema: StoreSchema) -> Set<String> {
    Set(schema.tables.filter { isOwn($0.key, $0.value) }.flatMap { all($0.key) })
  }

  /// The search tables that a store declares.
  package static func found(in schema: StoreSchema) -> [String] {
    schema.tables.filter { isOwn($0.key, $0.value) }.map(\.key).sorted()
  }

  /// The search table of a table; nil if it has none.
  package static func name(forTable table: String, in schema: StoreSchema) -> String? {
    let source = StoreSchema.essence(of: "content=\(Entry.quoted(table)),")
    return found(in: schema).first { schema.tables[$0]?.text.contains(source) ?? false }
  }

  private static func isOwn(_ name: String, _ form: StoreSchema.Form) -> Bool {
    let start = "CREATE VIRTUAL TABLE \(SQL.quoted(name)) USING fts5("
    return form.text.hasPrefix(StoreSchema.essence(of: start))
      && form.text.contains(",content_rowid=\"")
  }

  /// A search table, and those that SQLite keeps its words in.
  package static func all(_ name: String) -> [String] {
    ["", "_data", "_idx", "_docsize", "_config"].map { name + $0 }
  }

  /// Names that columns of FTS5 cannot have.
  private static let reserved: Set<String> = ["rank", "rowid"]
  /// Two columns are FTS5's own.
  private static let maxColumns = SQL.maxColumns - 10
}
