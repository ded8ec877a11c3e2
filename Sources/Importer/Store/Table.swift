internal import CSQLite

/// A table of a store, as it is declared.
struct Table: Sendable, Equatable {
  /// The storage types of SQLite's STRICT tables.
  enum ColumnType: String, Sendable {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"
    case any = "ANY"
  }

  struct Column: Sendable, Equatable {
    var name: String
    var type: ColumnType
    var isPrimaryKey = false
    var isRequired = false
    /// The table whose `id` the column holds.
    var references: String?

    /// The column as it stands in the statement that makes its table.
    var declaration: String {
      var text = "\(SQL.quoted(name)) \(type.rawValue)"
      if isPrimaryKey { text += " PRIMARY KEY" }
      if isRequired { text += " NOT NULL" }
      if let references { text += " REFERENCES \(SQL.quoted(references))(id)" }
      return text
    }
  }

  var name: String
  var columns: [Column]

  /// The statement that makes the table.
  var creation: String {
    let lines = columns.map { "  \($0.declaration)" }
    return "CREATE TABLE \(SQL.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n) STRICT;"
  }

  /// The statement that inserts the rows that lie in memory, all columns in order: a table that was
  /// there before may have them in another.
  var insertion: String {
    let names = columns.map { SQL.quoted($0.name) }.joined(separator: ",")
    let cells = columns.indices.map { "c\($0)" }.joined(separator: ",")
    return "INSERT INTO \(SQL.quoted(name)) (\(names)) SELECT \(cells) FROM \"\(CSQ_ROWS)\""
  }
}

/// An index of a store.
struct Index: Sendable, Equatable {
  var name: String
  var table: String
  var columns: [String]
  var isUnique = false
  /// Which rows it is for, in SQL; nil for all.
  var condition: String?

  /// Whether it may be there before the rows: no row is refused or looked at for it.
  var canGrow: Bool { !isUnique && condition == nil }

  var creation: String { "CREATE \(kind) IF NOT EXISTS \(declaration);" }

  /// The statement as SQLite keeps it.
  var keptCreation: String { "CREATE \(kind) \(declaration)" }

  private var kind: String { isUnique ? "UNIQUE INDEX" : "INDEX" }

  private var declaration: String {
    let list = columns.map(SQL.quoted).joined(separator: ", ")
    let rows = condition.map { " WHERE \($0)" } ?? ""
    return "\(SQL.quoted(name)) ON \(SQL.quoted(table)) (\(list))\(rows)"
  }
}

/// A view of a store: some rows and columns of a table.
struct View: Sendable, Equatable {
  var name: String
  var table: String
  var columns: [String]
  /// The column that names the entity of a row.
  var discriminator: String
  /// The entities whose rows it shows.
  var entities: [String]

  /// Which rows of a table are of some entities, in SQL.
  static func condition(_ discriminator: String, _ entities: [String]) -> String {
    let names = entities.map { "'\($0.replacing("'", with: "''"))'" }
    return "\(SQL.quoted(discriminator)) IN (\(names.joined(separator: ", ")))"
  }

  /// The entities that the statement which made a view names; none if it is not one of ours.
  static func entities(in creation: String) -> [String] {
    guard let list = creation.firstMatch(of: /IN \((?<names>'.*')\)$/)?.names else { return [] }
    return list.matches(of: /'(?<name>(?:[^']|'')*)'/).map {
      String($0.name).replacing("''", with: "'")
    }
  }

  var creation: String { "DROP VIEW IF EXISTS \(SQL.quoted(name));\n\(keptCreation);" }

  /// The statement that makes it, as SQLite keeps it.
  var keptCreation: String {
    let list = columns.map(SQL.quoted).joined(separator: ", ")
    return """
      CREATE VIEW \(SQL.quoted(name)) AS
        SELECT \(list) FROM \(SQL.quoted(table)) WHERE \(Self.condition(discriminator, entities))
      """
  }
}

/// The spelling of names in SQL.
enum SQL {
  /// A name as it stands in a statement: in quotes where it needs them.
  static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { byte in
        byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte)
      } && !(name.utf8.first.map { (0x30...0x39).contains($0) } ?? true)
    guard !isPlain || csq_is_keyword(name, Int32(name.utf8.count)) != 0 else { return name }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
