/// Why a change of a row cannot be put back into the archive.
package struct EditError: Error, CustomStringConvertible {
  package var table: String
  package var row: Int64?
  package var column: String
  package var reason: String

  package init(table: String, row: Int64?, column: String, reason: String) {
    (self.table, self.row, self.column, self.reason) = (table, row, column, reason)
  }

  /// The error in words: names and numbers, never values.
  package var description: String {
    let place = row.map { "\(table) \($0)" } ?? table
    return "\(place)\(column.isEmpty ? "" : ", \(column)"): \(reason)"
  }
}
