import Stores

/// A store that is compared: a file like any other, which may hold anything.
///
/// Statements are prepared once for each form, as far as they are few.
package final class VerifiedStore {
  private let database: Database
  /// The tables, by name, each with its columns.
  private var tables: [String: [Column]] = [:]
  /// The primary keys of the tables.
  private var keys: [String: String] = [:]
  private var statements: [String: Statement] = [:]

  private static let maxStatements = 128

  struct Column {
    var name: String
    var type: String

    /// True if the column keeps numbers as reals, without a sign of zero.
    var isReal: Bool { type == Table.ColumnType.real.rawValue }
  }

  /// Opens a store for reading.
  package init(path: String) throws(StoreError) {
    database = try Database(reading: path)
    let found = try database.rows(
      """
      SELECT t.name, c.name, c.type, c.pk FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
        WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, c.cid
      """)
    for row in found {
      guard case .text(let table) = row[0], case .text(let name) = row[1],
        case .text(let type) = row[2]
      else { continue }
      tables[table, default: []].append(Column(name: name, type: type))
      if row[3] == .integer(1) { keys[table] = name }
    }
  }

  /// The columns of a table that are stored, not computed; nil if there is none of this name.
  func columns(of table: String) -> [Column]? { tables[table] }

  /// The first column of the primary key of a table; nil if it has none.
  func key(of table: String) -> String? { keys[table] }

  /// True if a table has a column.
  package func has(_ column: String, in table: String) -> Bool {
    tables[table]?.contains { $0.name == column } ?? false
  }

  /// The rows that a statement gives, all at once.
  package func rows(_ sql: String, _ parameters: [StoredValue] = []) throws(StoreError)
    -> [[StoredValue]]
  {
    try database.rows(sql, parameters)
  }

  /// The rows that a statement gives, one at a time.
  ///
  /// Not more than one at a time for each form of statement.
  func cursor(_ sql: String, _ parameters: [StoredValue] = []) throws(StoreError) -> RowCursor {
    let statement: Statement
    if let known = statements[sql] {
      statement = known
    } else {
      // Files with thousands of tables must not cost thousands of statements.
      if statements.count >= Self.maxStatements { statements = [:] }
      statement = try database.prepare(sql)
      statements[sql] = statement
    }
    return try RowCursor(statement, parameters)
  }

  /// Lets go of the rows that cursors have not come to: as long as there is one, nobody may write
  /// to the store.
  func endCursors() {
    for statement in statements.values { statement.end() }
  }
}
