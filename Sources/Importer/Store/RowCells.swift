internal import CSQLite
import GraphCore
import Stores

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
    unsafe cell.pointee.count = 0
  }

  /// Sets a column to an instant, which has yet to get the form of the column.
  @inline(__always)
  func set(_ column: Int, instant seconds: Double) {
    set(column, seconds)
    unsafe cell(column).pointee.count = Self.instant
  }

  /// The count of a real number that is an instant in seconds since 2001.
  private static let instant: UInt32 = 1

  /// Sets a column to a value, whose bytes are copied.
  func set(_ column: Int, _ value: StoredValue, _ bytes: RowBatch.Bytes) {
    switch value {
    case .null: unsafe cell(column).pointee.kind = csq_kind_null
    case .integer(let number): set(column, number)
    case .real(let number): set(column, number)
    case .text(var text):
      text.withUTF8 { utf8 in
        let copy = unsafe bytes.copy(BorrowedBytes(.init(utf8)))
        set(column, copy, isText: true)
      }
    case .blob(let data):
      unsafe data.withUnsafeBytes { blob in
        let copy = unsafe bytes.copy(BorrowedBytes(blob))
        set(column, copy, isText: false)
      }
    }
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
    borrowedText(at: column).map { unsafe String(decoding: $0.buffer, as: UTF8.self) }
  }

  /// The bytes of the text that a column is set to; nil for anything else.
  func borrowedText(at column: Int) -> BorrowedBytes? {
    let cell = unsafe cell(column)
    guard unsafe cell.pointee.kind == csq_kind_text, let start = unsafe cell.pointee.bytes else {
      return nil
    }
    return unsafe BorrowedBytes(start: start, count: Int(cell.pointee.count))
  }

  /// The instant that a column is set to; nil for anything else.
  @inline(__always)
  func instant(at column: Int) -> Double? {
    let cell = unsafe cell(column)
    let isInstant = unsafe cell.pointee.kind == csq_kind_real && cell.pointee.count == Self.instant
    return unsafe isInstant ? cell.pointee.real : nil
  }

  /// True if a column is set to a value that its form may change.
  @inline(__always)
  func needsForm(_ column: Int, _ form: Form) -> Bool {
    form == .plain
      ? instant(at: column) != nil : unsafe cell(column).pointee.kind != csq_kind_null
  }

  /// A copy of what a column is set to.
  func value(at column: Int) -> StoredValue {
    let cell = unsafe cell(column).pointee
    var value = unsafe csq_value()
    unsafe value.kind = cell.kind
    switch unsafe cell.kind {
    case csq_kind_integer: unsafe value.integer = cell.integer
    case csq_kind_real: unsafe value.real = cell.real
    case csq_kind_text, csq_kind_blob:
      unsafe (value.bytes, value.count) = (cell.bytes, Int(cell.count))
    default: break
    }
    return unsafe StoredValue(value)
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
    var count: Int { unsafe starts.count }

    mutating func append(_ row: RowCells) { unsafe starts.append(UnsafePointer(row.start)) }

    /// Calls with each row, of which each has a number of cells.
    func forEach(_ width: Int, _ body: (_ index: Int, RowCells) -> Void) {
      for index in unsafe starts.indices {
        body(index, unsafe RowCells(UnsafeMutablePointer(mutating: starts[index]), count: width))
      }
    }

    mutating func removeAll() { unsafe starts.removeAll(keepingCapacity: true) }

    /// Runs a statement that inserts the rows.
    func run(_ statement: Statement, _ source: Database.RowsInMemory) throws(StoreError) {
      try unsafe starts.withUnsafeBufferPointer { (rows) throws(StoreError) in
        try unsafe statement.run(source, rows)
      }
    }
  }
}
