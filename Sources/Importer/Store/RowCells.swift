internal import CSQLite
import GraphCore
import RelationalStores
import SQLite

/// The cells of a row, which are in the memory of a batch.
///
/// Sound as long as the batch lives, which whoever has them keeps: that they are those of one row,
/// and initialized, is up to `RowBatch.Cells`; that a column is among them is checked.
@safe struct RowCells: BitwiseCopyable {
  private let start: UnsafeMutablePointer<csq_cell>
  let count: Int

  /// - Parameters:
  ///   - start: The first of the cells.
  ///   - count: How many there are, all of them initialized.
  @inline(__always)
  @unsafe init(_ start: UnsafeMutablePointer<csq_cell>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// The cell of a column.
  @inline(__always)
  private func cell(_ column: Int) -> UnsafeMutablePointer<csq_cell> {
    precondition(column >= 0 && column < count)
    return unsafe start + column
  }

  // MARK: Setting

  @inline(__always)
  func set(_ column: Int, _ value: Int64) {
    let cell = unsafe cell(column)
    unsafe cell.pointee.kind = csq_kind_integer
    unsafe cell.pointee.integer = value
  }

  @inline(__always)
  func set(_ column: Int, _ value: Double) {
    let cell = unsafe cell(column)
    unsafe cell.pointee.kind = csq_kind_real
    unsafe cell.pointee.real = value
  }

  /// Sets a column to a text or blob, whose bytes stay where they are until the row is in the
  /// store.
  @inline(__always)
  func set(_ column: Int, _ bytes: BorrowedBytes, isText: Bool) {
    let cell = unsafe cell(column)
    unsafe cell.pointee.kind = isText ? csq_kind_text : csq_kind_blob
    unsafe cell.pointee.bytes = bytes.start
    unsafe cell.pointee.count = UInt32(clamping: bytes.count)
  }

  // MARK: Reading

  /// Adds one for each column that is set.
  ///
  /// - Parameters:
  ///   - columns: How many columns are looked at, from the first on.
  ///   - counts: The counts.
  ///   - first: Where that of the first column stands.
  @inline(__always)
  func countSet(_ columns: Int, into counts: inout MutableSpan<Int>, from first: Int) {
    precondition(columns >= 0 && columns <= count)
    precondition(first >= 0 && first <= counts.count - columns)
    for column in 0..<columns where unsafe start[column].kind != csq_kind_null {
      unsafe counts[unchecked: first + column] += 1
    }
  }

  /// The whole number that a column is set to; nil for anything else.
  func integer(at column: Int) -> Int64? {
    let cell = unsafe cell(column)
    return unsafe cell.pointee.kind == csq_kind_integer ? cell.pointee.integer : nil
  }

  /// The text that a column is set to; nil for anything else.
  func text(at column: Int) -> String? {
    let cell = unsafe cell(column)
    guard unsafe cell.pointee.kind == csq_kind_text else { return nil }
    return unsafe String(
      decoding: UnsafeRawBufferPointer(
        start: cell.pointee.bytes, count: Int(cell.pointee.count)), as: UTF8.self)
  }

  // MARK: SQLite

  /// Runs a statement with the values.
  func run(_ statement: Statement) throws(StoreError) {
    try unsafe statement.run(start, count: count)
  }

  /// Rows of one table.
  @safe struct List {
    private var starts: [UnsafePointer<csq_cell>] = unsafe []

    var isEmpty: Bool { unsafe starts.isEmpty }

    mutating func append(_ row: RowCells) { unsafe starts.append(UnsafePointer(row.start)) }

    mutating func removeAll() { unsafe starts.removeAll(keepingCapacity: true) }

    /// Runs a statement that inserts the rows.
    func run(_ statement: Statement, _ source: Database.RowsInMemory) throws(StoreError) {
      try unsafe starts.withUnsafeBufferPointer { (rows) throws(StoreError) in
        try unsafe statement.run(source, rows)
      }
    }
  }
}
