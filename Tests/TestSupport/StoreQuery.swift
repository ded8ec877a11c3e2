internal import CSQLite
import Foundation

/// An SQLite database that a test looks into; it is opened for reading only.
///
/// Not for use by several threads at a time.
package final class StoreQuery {
  /// What SQLite says of a statement that it cannot run.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let handle: OpaquePointer

  /// Opens the database at a path.
  package init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = csq_open(path, 1, &opened)
    guard let handle = opened else { throw Failure(description: "\(path): out of memory") }
    self.handle = handle
    guard code == 0 else { throw failure(path) }
    // Stores of tests have no views of others.
    _ = try rows("PRAGMA trusted_schema = ON")
  }

  deinit { csq_close(handle) }

  /// The rows that a statement returns, each value as text.
  ///
  /// NULL is "NULL", a blob is "x'00ff'", and a real is written so that it cannot be taken for an
  /// integer.
  package func rows(_ sql: String) throws -> [[String]] {
    var prepared: OpaquePointer?
    guard csq_prepare(handle, sql, &prepared) == 0, let statement = prepared else {
      throw failure(sql)
    }
    defer { csq_finalize(statement) }
    var rows: [[String]] = []
    while true {
      let code = csq_step(statement)
      guard code >= 0 else { throw failure(sql) }
      guard code == 1 else { return rows }
      var values = [csq_value](repeating: csq_value(), count: Int(csq_column_count(statement)))
      guard csq_row(statement, &values, Int32(values.count)) == 0 else { throw failure(sql) }
      rows.append(values.map(Self.text))
    }
  }

  /// The rows that a statement returns, a line for each, with bars between the values.
  package func lines(_ sql: String) throws -> [String] {
    try rows(sql).map { $0.joined(separator: "|") }
  }

  /// The value in the only column of the only row that a statement returns.
  package func value(_ sql: String) throws -> String {
    let rows = try rows(sql)
    guard rows.count == 1, rows[0].count == 1 else {
      throw Failure(description: "\(sql): \(rows.count) rows")
    }
    return rows[0][0]
  }

  /// The statements that made the tables and indexes, in order.
  package func schema() throws -> String {
    try rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
      .map { $0[0] + "\n" }.joined()
  }

  /// A column of a table.
  package struct Column {
    package var name: String
    package var type: String
    package var isRequired: Bool
    package var isKey: Bool

    /// The name in quotes.
    package var quoted: String { "\"\(name.replacing("\"", with: "\"\""))\"" }
  }

  /// The columns of a table, without the key of one whose rows belong to those of another: the
  /// owner comes second there, and nothing leads to its rows.
  package func columnsWithContent(of table: String) throws -> [Column] {
    let literal = "'\(table.replacing("'", with: "''"))'"
    return try rows(
      """
      SELECT name, type, "notnull", pk FROM pragma_table_info(\(literal))
        WHERE NOT (cid = 0 AND EXISTS (
          SELECT 1 FROM pragma_table_info(\(literal)) AS owner
            JOIN pragma_foreign_key_list(\(literal)) AS f ON f."from" = owner.name
            WHERE owner.cid = 1 AND owner."notnull"))
        ORDER BY cid
      """
    ).map { Column(name: $0[0], type: $0[1], isRequired: $0[2] == "1", isKey: $0[3] == "1") }
  }

  /// All tables and their rows, whatever order they were written in.
  ///
  /// - Parameters:
  ///   - left: Tables to leave out.
  ///   - countsRows: Whether the ids by which rows are counted that nothing leads to belong to it.
  /// - Returns: The text.
  /// - Throws: `Failure`.
  package func content(
    except left: Set<String> = [], countsRows: Bool = true
  ) throws -> String {
    let tables = try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return try tables.map { $0[0] }.filter { !left.contains($0) }.map { table in
      let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
      let columns =
        countsRows
        ? "*"
        : try columnsWithContent(of: table).map(\.quoted).joined(separator: ", ")
      return ([table] + (try lines("SELECT \(columns) FROM \(quoted)")).sorted())
        .joined(separator: "\n  ")
    }.joined(separator: "\n")
  }

  /// What SQLite finds wrong with the file and with its foreign keys: nothing, as a rule.
  package func flaws() throws -> [String] {
    try lines("PRAGMA integrity_check").filter { $0 != "ok" } + lines("PRAGMA foreign_key_check")
  }

  private static func text(_ value: csq_value) -> String {
    let bytes = UnsafeRawBufferPointer(
      start: value.bytes, count: value.bytes == nil ? 0 : value.count)
    return switch value.kind {
    case csq_kind_null: "NULL"
    case csq_kind_integer: "\(value.integer)"
    case csq_kind_real: "\(value.real)"
    case csq_kind_text: String(decoding: bytes, as: UTF8.self)
    default: "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
    }
  }

  private func failure(_ what: String) -> Failure {
    Failure(description: "\(what): \(String(cString: csq_message(handle)))")
  }
}
