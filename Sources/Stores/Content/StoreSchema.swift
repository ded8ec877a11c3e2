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

extension StoreSchema {
  /// The columns of a table that SQLite computes from texts, found in the statement that made it.
  ///
  /// They are asked for in the order in which they stand there, which takes one way through it.
  struct NumberColumns {
    private let text: [UInt8]
    /// The offset at which the search goes on.
    private var place = 0
    /// The columns whose values may be such texts, as SQL spells them.
    private var sources: [(name: String, quoted: [UInt8])] = []
    private var knownCount = 0

    /// Takes a statement without the white space that makes no difference.
    init(_ text: String) {
      self.text = Array(text.utf8)
    }

    /// The column of texts, or of values of any kind, whose value a computed column has as a
    /// number.
    ///
    /// - Parameters:
    ///   - name: The computed column.
    ///   - columns: The columns that stand before it.
    /// - Returns: The name; nil if it computes anything else.
    mutating func source(of name: String, _ columns: [Table.Column]) -> String? {
      for column in columns[knownCount...] where [.text, .any].contains(column.type) {
        sources.append((column.name, Array(SQL.quoted(column.name).utf8)))
      }
      knownCount = columns.count
      // What all such declarations begin with, up to the name of the column of texts.
      let whole = declaration(of: name, from: "x")
      guard let end = whole.firstRange(of: Self.beforeSource)?.upperBound else { return nil }
      let start = whole[..<end]
      for range in [place..<text.count, 0..<place] {
        for found in range where isBeginning(found) && text[found...].starts(with: start) {
          let rest = text[(found + start.count)...]
          let source = sources.first {
            rest.starts(with: $0.quoted)
              && text[found...].starts(with: declaration(of: name, from: $0.name))
          }
          guard let source else { continue }
          place = found + start.count
          return source.name
        }
      }
      return nil
    }

    private static let beforeSource = Array("(CASEWHEN".utf8)

    /// True if the declaration of a column may begin at an offset: a longer name may end with this
    /// one.
    private func isBeginning(_ index: Int) -> Bool {
      index > 0 && (text[index - 1] == UInt8(ascii: "(") || text[index - 1] == UInt8(ascii: ","))
    }

    private func declaration(of name: String, from source: String) -> [UInt8] {
      let column = Table.Column(name: name, type: .real, numberOf: source)
      return Array(StoreSchema.essence(of: column.declaration).utf8)
    }
  }
}
