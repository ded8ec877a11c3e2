package import CSQLite

/// A prepared statement.
@safe package final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = unsafe handle
    self.database = database
  }

  deinit { unsafe csq_finalize(handle) }

  /// Binds the values of a row and runs the statement.
  package func run(_ cells: UnsafePointer<csq_cell>, count: Int) throws(StoreError) {
    if unsafe csq_run(handle, cells, Int32(count)) != 0 { throw database.error() }
  }

  /// Runs the statement, which selects from rows in memory.
  package func run(
    _ source: Database.RowsInMemory, _ rows: UnsafeBufferPointer<UnsafePointer<csq_cell>>
  ) throws(StoreError) {
    guard let first = rows.baseAddress else { return }
    if unsafe csq_run_rows(handle, source.source, first, Int32(rows.count)) != 0 {
      throw database.error()
    }
  }

  /// Begins to run the statement with other parameters: `step` gives its rows.
  package func begin(_ parameters: [StoredValue]) throws(StoreError) {
    unsafe csq_reset(handle)
    for (number, parameter) in parameters.enumerated() {
      guard unsafe parameter.bind(to: handle, number + 1) else { throw database.error() }
    }
  }

  /// Goes to the next row; returns whether there is one.
  package func step() throws(StoreError) -> Bool {
    let code = unsafe csq_step(handle)
    guard code >= 0 else { throw database.error() }
    return code == 1
  }

  /// Adds rows to a block until either ends; see `csq_fill`.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - isWaiting: True if the statement stands on a row that did not fit into another block.
  /// - Returns: The one of the two that ended; nil if the next row has a value beyond the limit of
  ///   the connection.
  /// - Throws: `StoreError`.
  package func fill(
    _ block: inout csq_block, isWaiting: Bool
  ) throws(StoreError) -> csq_fill_result? {
    let code = unsafe csq_fill(handle, &block, isWaiting ? 1 : 0)
    guard code != -CSQ_TOO_BIG else { return nil }
    guard code >= 0 else { throw database.error() }
    return csq_fill_result(rawValue: code)
  }

  /// The number of columns of its rows.
  package var columnCount: Int { unsafe Int(csq_column_count(handle)) }

  /// Takes the values of the row; their bytes stay in place until the next step.
  ///
  /// - Parameter values: Room for as many as there are columns, or fewer.
  /// - Throws: `StoreError` if there is no memory for them.
  package func read(into values: UnsafeMutableBufferPointer<csq_value>) throws(StoreError) {
    guard let first = values.baseAddress else { return }
    if unsafe csq_row(handle, first, Int32(values.count)) != 0 { throw database.error() }
  }

  /// Copies of the values of the row.
  ///
  /// - Throws: `StoreError` if there is no memory for them.
  package func copies() throws(StoreError) -> [StoredValue] {
    try unsafe withUnsafeTemporaryAllocation(of: csq_value.self, capacity: columnCount) {
      (values) throws(StoreError) in
      unsafe values.initialize(repeating: csq_value())
      try unsafe read(into: values)
      return unsafe values.map { unsafe StoredValue($0) }
    }
  }

  /// Lets go of the row that was reached.
  package func end() { unsafe csq_reset(handle) }

  /// Binds values, runs the statement and returns the rows that it gives.
  package func rows(_ parameters: [StoredValue]) throws(StoreError) -> [[StoredValue]] {
    defer { unsafe csq_reset(handle) }
    for (number, parameter) in parameters.enumerated() {
      guard unsafe parameter.bind(to: handle, number + 1) else { throw database.error() }
    }
    var rows: [[StoredValue]] = []
    while true {
      let code = unsafe csq_step(handle)
      guard code >= 0 else { throw database.error() }
      guard code == 1 else { return rows }
      rows.append(try copies())
    }
  }
}
