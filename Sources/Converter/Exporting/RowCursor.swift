import Stores

/// The rows of a query in the order of their last column, an id, from one id on.
///
/// Who asks for one id after the other reads them in one go.
final class RowCursor {
  private let statement: Statement
  /// The row that was reached; nil at the end.
  private var row: [StoredValue]?
  /// The id that was asked for last.
  private var id: Int64?

  init(_ statement: Statement) { self.statement = statement }

  /// Goes to the rows of an id.
  func seek(_ id: Int64) throws(StoreError) {
    let isAhead = self.id.map { $0 < id } ?? false
    self.id = id
    if isAhead {
      guard case .integer(let reached)? = row?.last else { return }
      if id <= reached { return }
    }
    try statement.begin([.integer(id)])
    row = try statement.step() ? statement.copies() : nil
  }

  /// The next row of the id; nil if there is no other.
  func next() throws(StoreError) -> [StoredValue]? {
    guard let row, let id, row.last == .integer(id) else { return nil }
    self.row = try statement.step() ? statement.copies() : nil
    return row
  }
}
