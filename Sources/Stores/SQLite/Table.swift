internal import CSQLite

/// A table of a store, as it is declared.
package struct Table: Sendable, Equatable {
  /// The storage types of SQLite's STRICT tables.
  package enum ColumnType: String, Sendable {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"
    case any = "ANY"
  }

  package struct Column: Sendable, Equatable {
    package var name: String
    package var type: ColumnType
    package var isPrimaryKey = false
    package var isRequired = false
    /// The table whose key the column holds.
    package var references: String?
    /// The name of that key.
    package var referencedKey: String
    /// The column of decimal texts whose value this one computes as a number; nil for one that is
    /// stored.
    package var numberOf: String?
    /// The form in which it keeps values.
    package var form = Form.plain
    /// The number that it has in each row, whatever the row says; nil for that of the row.
    package var constant: Int?

    package init(
      name: String, type: ColumnType, isPrimaryKey: Bool = false, isRequired: Bool = false,
      references: String? = nil, referencedKey: String = "id", numberOf: String? = nil
    ) {
      self.name = name
      self.type = type
      self.isPrimaryKey = isPrimaryKey
      self.isRequired = isRequired
      self.references = references
      self.referencedKey = referencedKey
      self.numberOf = numberOf
    }

    /// A column with the keys of the rows of a table, if one is given.
    package init(name: String, type: ColumnType, references table: Table?) {
      self.init(
        name: name, type: type, references: table?.name,
        referencedKey: table?.key ?? Column.id.name)
    }

    /// The primary key of a table.
    package static let id = key(named: "id")

    /// The primary key of a table, under a name.
    package static func key(named name: String) -> Column {
      Column(name: name, type: .integer, isPrimaryKey: true, isRequired: true)
    }

    /// The number that the text of a decimal writes, in SQL.
    package static func number(of text: String) -> String {
      "CASE WHEN \(text) GLOB '[-0-9]*' THEN CAST(\(text) AS REAL) END"
    }

    /// The column as it stands in the statement that makes its table.
    package var declaration: String {
      var text = "\(SQL.quoted(name)) \(type.rawValue)"
      if let numberOf {
        // Programs that read the declaration stop at a comma. NaN is not a number in SQLite.
        text += " GENERATED ALWAYS AS (\(Self.number(of: SQL.quoted(numberOf)))) VIRTUAL"
      }
      if isPrimaryKey { text += " PRIMARY KEY" }
      if isRequired { text += " NOT NULL" }
      if let references {
        text += " REFERENCES \(SQL.quoted(references))(\(SQL.quoted(referencedKey)))"
      }
      return text
    }
  }

  package var name: String
  /// The columns that rows are inserted with, and those that SQLite computes from them.
  package var columns: [Column]
  /// True if SQLite numbers its rows: then it has a primary key in front of the columns.
  package var numbersRows: Bool
  /// Whether an attached database has the table already.
  package var isAttached = false

  package init(name: String, columns: [Column], numbersRows: Bool = false) {
    self.name = name
    self.columns = columns
    self.numbersRows = numbersRows
  }

  /// All columns, as the table is declared.
  package var declaredColumns: [Column] { (numbersRows ? [.id] : []) + columns }

  /// The name of its primary key.
  package var key: String {
    let key = numbersRows ? nil : columns.first(where: \.isPrimaryKey)
    return (key ?? Column.id).name
  }

  /// The name of its primary key as it stands in SQL.
  package var quotedKey: String { SQL.quoted(key) }

  /// The statement that makes the table.
  package var creation: String {
    let lines = declaredColumns.map { "  \($0.declaration)" }
    return "CREATE TABLE \(SQL.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n) STRICT;"
  }

  /// The rows that lie in memory, in SQL: their columns are c0, c1 and so on.
  package static let rowsInMemory = "\"\(CSQ_ROWS)\""

  /// The statement that inserts the rows that lie in memory, all columns in order: a table that was
  /// there before may have them in another.
  package var insertion: String {
    let stored = columns.indices.filter { columns[$0].numberOf == nil }
    let names = stored.map { SQL.quoted(columns[$0].name) }.joined(separator: ",")
    let cells = stored.map { columns[$0].constant.map(String.init) ?? "c\($0)" }
      .joined(separator: ",")
    return "INSERT INTO \(SQL.quoted(name)) (\(names)) SELECT \(cells) FROM \(Self.rowsInMemory)"
  }
}

/// An index of a store.
package struct Index: Sendable, Equatable {
  package var name: String
  package var table: String
  package var columns: [String]
  package var isUnique = false
  /// The condition on its rows, in SQL; nil for all rows.
  package var condition: String?

  package init(
    name: String, table: String, columns: [String], isUnique: Bool = false, condition: String? = nil
  ) {
    self.name = name
    self.table = table
    self.columns = columns
    self.isUnique = isUnique
    self.condition = condition
  }

  /// True if it may be there before the rows: no row is refused or looked at for it.
  package var canGrow: Bool { !isUnique && condition == nil }

  package var creation: String { "CREATE \(kind) IF NOT EXISTS \(declaration);" }

  /// The statement as SQLite keeps it.
  package var keptCreation: String { "CREATE \(kind) \(declaration)" }

  private var kind: String { isUnique ? "UNIQUE INDEX" : "INDEX" }

  private var declaration: String {
    let list = columns.map(SQL.quoted).joined(separator: ", ")
    let rows = condition.map { " WHERE \($0)" } ?? ""
    return "\(SQL.quoted(name)) ON \(SQL.quoted(table)) (\(list))\(rows)"
  }
}

/// A view of a store: some rows and columns of a table.
package struct View: Sendable, Equatable {
  package var name: String
  package var table: String
  package var columns: [String]
  /// The column that names the entity of a row.
  package var discriminator: String
  /// The entities whose rows it shows.
  package var entities: [String]

  package init(
    name: String, table: String, columns: [String], discriminator: String, entities: [String]
  ) {
    self.name = name
    self.table = table
    self.columns = columns
    self.discriminator = discriminator
    self.entities = entities
  }

  /// Which rows of a table are of some entities, in SQL, as are what the column has for these.
  package static func condition(_ discriminator: String, _ kinds: [String]) -> String {
    "\(SQL.quoted(discriminator)) IN (\(kinds.joined(separator: ", ")))"
  }

  /// The entities that the statement which made a view names; none if it is not one of ours.
  package static func entities(in creation: String) -> [String] {
    guard let list = creation.firstMatch(of: /IN \((?<names>'.*')\)$/)?.names else { return [] }
    return list.matches(of: /'(?<name>(?:[^']|'')*)'/).map {
      String($0.name).replacing("''", with: "'")
    }
  }

  package var creation: String { "DROP VIEW IF EXISTS \(SQL.quoted(name));\n\(keptCreation);" }

  /// The statement that makes it, as SQLite keeps it.
  package var keptCreation: String {
    let list = columns.map(SQL.quoted).joined(separator: ", ")
    return """
      CREATE VIEW \(SQL.quoted(name)) AS
        SELECT \(list) FROM \(SQL.quoted(table)) WHERE \(Self.condition(discriminator, entities.map(SQL.literal)))
      """
  }
}

/// A view of a store that is any query.
package struct NamedQuery: Sendable, Equatable {
  package let name: String
  /// A `SELECT`, without what ends a statement.
  package let query: String
  /// Words by which reports list the number of its rows; nil if they do not.
  package let report: String?

  package init(name: String, query: String, report: String? = nil) {
    (self.name, self.query, self.report) = (name, query, report)
  }

  package var creation: String { "DROP VIEW IF EXISTS \(SQL.quoted(name));\n\(keptCreation);" }

  /// The statement that makes it, as SQLite keeps it.
  package var keptCreation: String { "CREATE VIEW \(SQL.quoted(name)) AS\n\(query)" }
}

/// The spelling of names in SQL.
package enum SQL {
  /// The most columns that SQLite allows in a table unless it was built otherwise.
  package static let maxColumns = 2_000

  /// A text in a statement.
  package static func literal(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }

  /// A name as it stands in a statement: in quotes where it needs them.
  package static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { byte in
        byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte)
      } && !(name.utf8.first.map { (0x30...0x39).contains($0) } ?? true)
    guard unsafe !isPlain || csq_is_keyword(name, Int32(name.utf8.count)) != 0 else { return name }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
