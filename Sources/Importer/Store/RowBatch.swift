import ArchiveReader
internal import CSQLite

/// Rows on their way from the thread that reads archives to the one that writes the store.
///
/// Unchecked: a batch belongs to one thread at a time. `InsertionQueue` hands it over.
package final class RowBatch: @unchecked Sendable {
  private struct Row {
    /// The number of the statement: that of a table, or one that changes a row.
    var table: Int
    var start: Int
    var count: Int
  }

  /// The values of all rows, one row after the other.
  private let values: UnsafeMutablePointer<csq_cell>
  private let capacity: Int
  // Nothing that is called while one of these is changed comes back to it.
  @exclusivity(unchecked) private var used = 0
  @exclusivity(unchecked) private var rows: [Row] = []
  /// For each table, its rows, while they are inserted.
  @exclusivity(unchecked) private var starts: [[UnsafePointer<csq_cell>]] = []
  @exclusivity(unchecked) private var touched: [Int] = []
  /// Memory for what is not in an archive's own: it stays in place until the batch is emptied.
  @exclusivity(unchecked) private var blocks: [UnsafeMutableRawBufferPointer] = []
  /// What is left of the last block.
  @exclusivity(unchecked) private var free = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  @exclusivity(unchecked) private var scratchBytes = 0

  /// The archives in whose memory values of the rows stand.
  @exclusivity(unchecked) private var archives: [any GraphSource] = []
  /// The number of the archive that was kept last; 0 if there is none.
  @exclusivity(unchecked) private(set) var archiveCount = 0
  /// What the ids of rows are counted from; nil where they are those of the store.
  var origins: IDColumns.Origins?
  /// How much memory they take, that of the first left out: it may be as large as it is.
  @exclusivity(unchecked) private var archiveBytes = 0

  private static let usualCapacity = 8_192
  private static let blockSize = 1 << 16
  private static let maxScratchBytes = 1 << 20
  private static let maxArchiveBytes = 4 << 20

  /// - Parameter widest: As many values as the widest row has.
  init(widest: Int) {
    capacity = max(Self.usualCapacity, widest)
    // Each row is initialized when it is begun: memory that none needs is not touched.
    values = .allocate(capacity: capacity)
  }

  deinit {
    values.deallocate()
    for block in blocks { block.deallocate() }
  }

  var isEmpty: Bool { rows.isEmpty }

  /// How much memory the batch takes, that of archives left out.
  var residentBytes: Int { capacity * MemoryLayout<csq_cell>.stride + scratchBytes }

  /// Whether there is no room for another row of a width, or enough has been gathered.
  func isFull(widest: Int) -> Bool {
    used + widest > capacity || scratchBytes > Self.maxScratchBytes
      || archiveBytes > Self.maxArchiveBytes
  }

  /// The place of the next row, its values set to NULL.
  func begin(_ count: Int) -> UnsafeMutablePointer<csq_cell> {
    let row = values + used
    row.initialize(repeating: csq_cell(), count: count)
    return row
  }

  /// Keeps an archive in memory until the batch is emptied.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - number: How many there were up to it.
  func keep(_ archive: any GraphSource, number: Int) {
    archiveCount = number
    if !archives.isEmpty { archiveBytes += archive.residentBytes }
    archives.append(archive)
  }

  /// Ends the row that was begun last.
  func end(table: Int, count: Int) {
    rows.append(Row(table: table, start: used, count: count))
    used += count
  }

  /// Calls with the rows of each table, and with each row that another statement is run with.
  ///
  /// Rows of one table keep their order, and rows keep theirs to other statements. Rows of several
  /// tables that stand one after the other may be put in order: they do not depend on each other.
  ///
  /// - Parameters:
  ///   - tables: How many of the statements insert into a table of their own.
  ///   - insert: Inserts rows.
  ///   - run: Runs another statement.
  /// - Throws: What these throw.
  func forEach(
    tables: Int, insert: (_ table: Int, Cells) throws(StoreError) -> Void,
    run: (_ statement: Int, UnsafePointer<csq_cell>, _ count: Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    var index = 0
    while index < rows.count {
      guard rows[index].table < tables else {
        try run(rows[index].table, UnsafePointer(values + rows[index].start), rows[index].count)
        index += 1
        continue
      }
      let end = rows[index...].firstIndex { $0.table >= tables } ?? rows.count
      try forEachTable(in: index..<end, insert)
      index = end
    }
  }

  /// Moves the ids in the rows after their origins, if they have some.
  ///
  /// - Parameters:
  ///   - columns: Which columns hold ids.
  ///   - tables: How many of the statements insert into a table of their own.
  ///   - changedTable: The table whose rows another statement changes.
  func moveIDs(_ columns: IDColumns, tables: Int, changedTable: (_ statement: Int) -> Int) {
    guard let origins else { return }
    for row in rows {
      if row.table < tables {
        columns.move(values + row.start, table: row.table, behind: origins)
      } else {
        columns.move(
          updateCells: values + row.start, table: changedTable(row.table), behind: origins)
      }
    }
  }

  typealias Cells = UnsafeBufferPointer<UnsafePointer<csq_cell>>

  private func forEachTable(
    in range: Range<Int>, _ insert: (_ table: Int, Cells) throws(StoreError) -> Void
  ) throws(StoreError) {
    for row in rows[range] {
      while starts.count <= row.table { starts.append([]) }
      if starts[row.table].isEmpty { touched.append(row.table) }
      starts[row.table].append(UnsafePointer(values + row.start))
    }
    defer {
      for table in touched { starts[table].removeAll(keepingCapacity: true) }
      touched.removeAll(keepingCapacity: true)
    }
    for table in touched {
      try starts[table].withUnsafeBufferPointer { (cells) throws(StoreError) in
        try insert(table, cells)
      }
    }
  }

  /// Makes room for new rows.
  func empty() {
    used = 0
    rows.removeAll(keepingCapacity: true)
    archives.removeAll(keepingCapacity: true)
    archiveBytes = 0
    archiveCount = 0
    scratchBytes = 0
    origins = nil
    // A long text has a block of its own, which is not kept.
    while blocks.count > 1 { blocks.removeLast().deallocate() }
    if let block = blocks.first, block.count > Self.blockSize {
      blocks.removeLast().deallocate()
    }
    free = blocks.first ?? UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Memory that stays in place until the batch is emptied.
  func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if count > free.count || free.baseAddress == nil { addBlock(count) }
    let space = UnsafeMutableRawBufferPointer(start: free.baseAddress, count: count)
    free = UnsafeMutableRawBufferPointer(rebasing: free[count...])
    scratchBytes += count
    return space
  }

  private func addBlock(_ count: Int) {
    free = .allocate(byteCount: max(count, Self.blockSize), alignment: 16)
    blocks.append(free)
  }
}
