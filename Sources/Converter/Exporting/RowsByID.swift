import Stores

/// The rows of a query in the order of their last column, an id, from one id on.
///
/// Who asks for one id after the other reads them in one go.
final class RowsByID {
  private let statement: Statement
  /// The row that was reached.
  private var cursor: RowCursor?
  /// The id that was asked for last.
  private var id: Int64?

  init(_ statement: Statement) { self.statement = statement }

  /// Goes to the rows of an id.
  func seek(_ id: Int64) throws(StoreError) {
    let isAhead = self.id.map { $0 < id } ?? false
    self.id = id
    if isAhead, let cursor, reached(cursor).map({ id <= $0 }) ?? true { return }
    cursor = try RowCursor(statement, [.integer(id)])
  }

  /// The next row of the id; nil if there is no other.
  func next() throws(StoreError) -> [StoredValue]? {
    guard let cursor, let id, reached(cursor) == id else { return nil }
    let row = cursor.copies()
    try cursor.advance()
    return row
  }

  /// The id of the row that was reached; nil at the end.
  private func reached(_ cursor: RowCursor) -> Int64? {
    cursor.integer(statement.columnCount - 1)
  }
}
