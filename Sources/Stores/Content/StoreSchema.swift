/// The schema of a database: its tables, indexes, views and triggers, and numbers in its header.
package struct StoreSchema {
  /// An entry of the schema.
  package struct Entry {
    /// Its name; that of the table for a table.
    package var name: String
    /// The table that it belongs to.
    package var table: String
    /// The statement that made it, without the white space that makes no difference.
    package var text: String

    /// Takes an entry with the statement that made it, as SQLite keeps it.
    package init(name: String, table: String, sql: String) {
      self.name = name
      self.table = table
      text = StoreSchema.essence(of: sql)
    }
  }

  /// A table as SQLite understands it.
  package struct Form {
    package var columns: [Table.Column] = []
    /// Columns that SQLite hides, or computes otherwise than stores have it, and those of a type
    /// that stores do not have.
    package var strangeColumns: [String] = []
    package var isStrict = false
    package var text = ""

    /// True if the statement that made the table says nothing but what `Table` does.
    package func isOwnForm(_ name: String) -> Bool {
      isStrict && strangeColumns.isEmpty
        && text == StoreSchema.essence(of: Table(name: name, columns: columns).creation)
    }
  }

  package private(set) var tables: [String: Form] = [:]
  package private(set) var indexes: [String: Entry] = [:]
  package private(set) var views: [String: Entry] = [:]
  package private(set) var triggers: [Entry] = []
  /// The numbers that programs may set, by the names of their pragmas.
  package private(set) var headerNumbers: [String: StoredValue] = [:]

  /// Reads what a database declares.
  package init(_ database: Database) throws(StoreError) {
    for row in try database.rows(
      "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY rowid")
    {
      guard case .text(let kind) = row[0], case .text(let name) = row[1],
        case .text(let table) = row[2], case .text(let sql) = row[3]
      else { continue }
      let entry = Entry(name: name, table: table, sql: sql)
      switch kind {
      case "table": tables[name, default: Form()].text = entry.text
      case "index": indexes[name] = entry
      case "view": views[name] = entry
      default: triggers.append(entry)
      }
    }
    try readColumns(database)
    for name in Database.headerNumbers {
      headerNumbers[name] = try database.rows("PRAGMA \(name)").first?.first
    }
  }

  private mutating func readColumns(_ database: Database) throws(StoreError) {
    let tables = "pragma_table_list AS t"
    let isTable = "t.schema = 'main' AND t.type IN ('table', 'shadow')"
    var references: [String: [String: (table: String, key: String)]] = [:]
    for row in try database.rows(
      """
      SELECT t.name, f."from", f."table", f."to", f.on_update, f.on_delete
        FROM \(tables), pragma_foreign_key_list(t.name) AS f WHERE \(isTable)
      """)
    {
      guard case .text(let table) = row[0], case .text(let column) = row[1],
        case .text(let target) = row[2]
      else { continue }
      var key = Table.Column.id.name
      if case .text(let name) = row[3] { key = name }
      references[table, default: [:]][column] = (target, key)
    }
    func columns(_ condition: String) throws(StoreError) -> [[StoredValue]] {
      try database.rows(
        """
        SELECT t.name, t.strict, c.name, c.type, c."notnull", c.pk, c.hidden
          FROM \(tables), pragma_table_xinfo(t.name) AS c WHERE \(condition)
          ORDER BY t.name, c.cid
        """)
    }
    var found = try columns(isTable)
    do throws(StoreError) {
      found += try columns("t.schema = 'main' AND t.type = 'virtual'")
    } catch {
      // The module of one cannot read its tables.
      guard error.isDamage else { throw error }
    }
    var numbers: [String: NumberColumns] = [:]
    for row in found {
      guard case .text(let table) = row[0], case .text(let name) = row[2],
        case .text(let type) = row[3], self.tables[table] != nil
      else { continue }
      self.tables[table]?.isStrict = row[1] == .integer(1)
      let isStored = row[6] == .integer(0)
      let source =
        isStored
        ? nil
        : self.tables[table].flatMap { form in
          numbers[table, default: NumberColumns(form.text)].source(of: name, form.columns)
        }
      guard let known = Table.ColumnType(rawValue: type), isStored || source != nil else {
        self.tables[table]?.strangeColumns.append(name)
        continue
      }
      self.tables[table]?.columns.append(
        Table.Column(
          name: name, type: known, isPrimaryKey: row[5] == .integer(1),
          isRequired: row[4] == .integer(1), references: references[table]?[name]?.table,
          referencedKey: references[table]?[name]?.key ?? Table.Column.id.name, numberOf: source))
    }
  }

  /// A statement without the white space outside of quotes, and without the semicolon at its end.
  package static func essence(of sql: String) -> String {
    var kept: [UInt8] = []
    var quote: UInt8?
    for byte in sql.utf8 {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        continue
      }
      kept.append(byte)
    }
    if kept.last == UInt8(ascii: ";") { kept.removeLast() }
    return String(decoding: kept, as: UTF8.self)
  }
}
