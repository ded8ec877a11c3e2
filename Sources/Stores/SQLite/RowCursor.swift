package import CSQLite

/// The rows that a statement gives, one after the other.
@safe package final class RowCursor {
  private let statement: Statement
  /// True if there is a row.
  package private(set) var isAtRow = false
  /// The values of the row, taken all at once; nothing where there is none.
  private let values: UnsafeMutableBufferPointer<csq_value>

  /// Begins at the first row.
  ///
  /// The statement gives no other rows meanwhile.
  package init(_ statement: Statement, _ parameters: [StoredValue]) throws(StoreError) {
    self.statement = statement
    unsafe values = .allocate(capacity: statement.columnCount)
    unsafe values.initialize(repeating: csq_value())
    try statement.begin(parameters)
    try advance()
  }

  deinit { unsafe values.deallocate() }

  /// Goes to the next row.
  package func advance() throws(StoreError) {
    isAtRow = try statement.step()
    guard !isAtRow else { return try unsafe statement.read(into: values) }
    statement.end()
    unsafe values.update(repeating: csq_value())
  }

  /// The values of the row.
  package var row: UnsafeBufferPointer<csq_value> { unsafe UnsafeBufferPointer(values) }

  /// A value of the row; its bytes stay in place until the next one.
  package subscript(column: Int) -> csq_value { unsafe values[column] }

  /// The integer in a column of the row; nil if it is none.
  package func integer(_ column: Int) -> Int64? {
    let value = unsafe values[column]
    return unsafe value.kind == csq_kind_integer ? value.integer : nil
  }

  /// A copy of a value of the row.
  package func copy(_ column: Int) -> StoredValue { unsafe StoredValue(values[column]) }

  /// Copies of the values of the row.
  package func copies() -> [StoredValue] { unsafe values.map { unsafe StoredValue($0) } }
}
