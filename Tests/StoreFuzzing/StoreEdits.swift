import Foundation
import Stores

/// Changes of `SampleStore` that bytes stand for: values of other kinds, rows, links, names, tables
/// and what may be in their place, and the property list and the model that the store carries.
package struct StoreEdits {
  /// The statements of SQLite, some of which may fail after others.
  package private(set) var statements: [String] = []
  private var bytes: ArraySlice<UInt8>

  /// The most changes of one store.
  private static let maxCount = 16

  /// Reads changes from bytes; any bytes stand for some.
  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)[...]
    while !self.bytes.isEmpty, statements.count < Self.maxCount { statements.append(next()) }
  }

  /// Makes the changes, as far as SQLite does.
  ///
  /// - Parameter path: The path of the store.
  /// - Throws: `StoreError` if the file cannot be opened.
  package func apply(at path: String) throws(StoreError) {
    let database = try Database(path: path)
    try database.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA writable_schema = ON;
      """)
    for statement in statements { try? database.execute(statement) }
  }

  // MARK: Choices

  private static let tables: [(name: String, columns: [String])] = [
    (
      "ZNOTE",
      [
        "Z_PK", "Z_ENT", "ZAMOUNT", "ZBODY", "ZCHANGED", "ZEASE", "ZID", "ZISOPEN", "ZLEVEL",
        "ZLINK", "ZSTYLE", "ZTITLE", "ZPARENT", "Z_FOK_PARENT",
      ]
    ),
    ("ZTAG", ["Z_PK", "Z_ENT"]), ("Z_1TAGS", ["Z_1NOTES", "Z_3TAGS"]),
    ("Z_3NARROWER", ["Z_3NARROWER", "Z_3WIDER"]), ("Z_3WIDER", ["Z_3NARROWER", "Z_3WIDER"]),
    ("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
    ("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"]), ("Z_MODELCACHE", ["Z_CONTENT"]),
    ("ACHANGE", ["Z_PK", "ZENTITY"]),
  ]

  private static let literals = [
    "NULL", "0", "1", "2", "3", "-1", "1.5", "1e300", "9e999", "9223372036854775807",
    "-9223372036854775808", "4294967298", "''", "'1'", "'NaN'", "'Book'", "'Note'", "x''", "x'01'",
    "x'02'", "CAST(x'41FF00' AS TEXT)", "zeroblob(16)", "zeroblob(70000)", "hex(zeroblob(9000))",
    "CAST(x'02' || '0F0E0D0C-0B0A-4908-8706-050403020100' AS BLOB)", "randomblob(9)",
  ]

  private mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

  private mutating func choice<Choice>(_ choices: [Choice]) -> Choice {
    choices[byte() % choices.count]
  }

  private mutating func literal() -> String {
    let number = byte()
    return number < 128 ? Self.literals[number % Self.literals.count] : "\(number - 192)"
  }

  // MARK: Changes

  private mutating func next() -> String {
    let table = choice(Self.tables)
    let column = choice(table.columns)
    let row = "rowid = \(byte() % 5)"
    switch byte() % 20 {
    case 0...5: return "UPDATE OR IGNORE \(table.name) SET \(column) = \(literal()) WHERE \(row)"
    case 6: return "UPDATE OR IGNORE \(table.name) SET \(column) = \(literal())"
    case 7: return "DELETE FROM \(table.name) WHERE \(row)"
    case 8:
      let columns = table.columns.joined(separator: ", ")
      let values = table.columns.map { _ in literal() }.joined(separator: ", ")
      return "INSERT OR IGNORE INTO \(table.name) (\(columns)) VALUES (\(values))"
    case 9: return "DROP TABLE \(table.name)"
    case 10: return "ALTER TABLE \(table.name) DROP COLUMN \(column)"
    case 11: return "ALTER TABLE \(table.name) RENAME \(column) TO \(choice(table.columns))2"
    case 12: return "ALTER TABLE \(table.name) RENAME TO \(choice(Self.tables).name)"
    case 13: return replacement(of: table.name, table.columns)
    case 14:
      return """
        CREATE TRIGGER t\(byte()) AFTER UPDATE ON \(table.name) BEGIN
          DELETE FROM \(choice(Self.tables).name); END
        """
    case 15: return "UPDATE sqlite_schema SET rootpage = \(byte()) WHERE tbl_name = '\(table.name)'"
    case 16: return "CREATE INDEX i\(byte()) ON \(table.name) (\(column), \(choice(table.columns)))"
    case 17: return patch("Z_METADATA", "Z_PLIST")
    default: return patch("Z_MODELCACHE", "Z_CONTENT")
    }
  }

  /// Something else in the place of a table, with the same rows.
  private mutating func replacement(of table: String, _ columns: [String]) -> String {
    let list = columns.joined(separator: ", ")
    let saved = "CREATE TABLE saved\(byte()) AS SELECT rowid AS id, * FROM \(table);"
    let rows = saved.split(separator: " ")[2]
    let creation =
      switch byte() % 4 {
      case 0: "CREATE VIEW \(table) AS SELECT * FROM \(rows), \(rows);"
      case 1: "CREATE TABLE \(table) (\(list)); INSERT INTO \(table) SELECT \(list) FROM \(rows);"
      case 2:
        """
        CREATE TABLE \(table) (\(list), PRIMARY KEY (\(columns[0]))) WITHOUT ROWID;
        INSERT OR IGNORE INTO \(table) SELECT \(list) FROM \(rows);
        """
      default:
        """
        CREATE TABLE \(table) (\(list), _rowid_ AS (\(columns[0])));
        INSERT INTO \(table) SELECT \(list) FROM \(rows);
        """
      }
    return "\(saved) DROP TABLE \(table); \(creation)"
  }

  /// Other bytes at a place of a blob.
  private mutating func patch(_ table: String, _ column: String) -> String {
    let place = byte() << 8 | byte()
    let patch = (0..<(1 + byte() % 4)).map { _ in String(format: "%02X", byte()) }.joined()
    return """
      UPDATE \(table) SET \(column) = CAST(substr(\(column), 1, \(place) % length(\(column)))
        || x'\(patch)' || substr(\(column), \(place) % length(\(column)) + \(1 + patch.count / 2))
        AS BLOB)
      """
  }
}
