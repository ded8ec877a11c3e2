import ArchiveReader
internal import CSQLite

/// Rows on their way from the thread that reads archives to the one that writes the store.
///
/// Unchecked: a batch belongs to one thread at a time. `InsertionQueue` hands it over.
final class RowBatch: @unchecked Sendable {
  private struct Row {
    var table: Int
    var start: Int
    var count: Int
  }

  /// The values of all rows, one row behind the other.
  private let values: UnsafeMutablePointer<csq_value>
  private let capacity: Int
  private var used = 0
  private var rows: [Row] = []
  /// Memory for what is not in an archive's own: it stays in place until the batch is emptied.
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var usedInBlock = 0
  private var scratchBytes = 0

  /// The archives in whose memory values of the rows stand.
  private var archives: [KeyedArchive] = []
  /// How much memory they take, that of the first left out: it may be as large as it is.
  private var archiveBytes = 0

  private static let usualCapacity = 4_096
  private static let blockSize = 1 << 16
  private static let mostScratchBytes = 1 << 20
  private static let mostArchiveBytes = 4 << 20

  /// - Parameter widest: As many values as the widest row has.
  init(widest: Int) {
    capacity = max(Self.usualCapacity, widest)
    values = .allocate(capacity: capacity)
    values.initialize(repeating: csq_value(), count: capacity)
  }

  deinit {
    values.deallocate()
    for block in blocks { block.deallocate() }
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Whether there is no room for another row of a width, or enough has been gathered.
  func isFull(widest: Int) -> Bool {
    used + widest > capacity || scratchBytes > Self.mostScratchBytes
      || archiveBytes > Self.mostArchiveBytes
  }

  /// The place of the next row, its values set to NULL.
  func begin(_ count: Int) -> UnsafeMutablePointer<csq_value> {
    let row = values + used
    row.update(repeating: csq_value(), count: count)
    return row
  }

  /// Keeps an archive in memory until the batch is emptied.
  func keep(_ archive: KeyedArchive) {
    guard archives.last !== archive else { return }
    if !archives.isEmpty { archiveBytes += archive.propertyList.residentBytes }
    archives.append(archive)
  }

  /// The row that was begun last and not ended.
  var begun: UnsafePointer<csq_value> { UnsafePointer(values + used) }

  /// Ends the row that was begun last.
  func end(table: Int, count: Int) {
    rows.append(Row(table: table, start: used, count: count))
    used += count
  }

  /// Calls with each row, in order.
  func forEach(
    _ body: (_ table: Int, UnsafePointer<csq_value>, _ count: Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    for row in rows { try body(row.table, UnsafePointer(values + row.start), row.count) }
  }

  /// Makes room for new rows.
  func empty() {
    used = 0
    rows.removeAll(keepingCapacity: true)
    archives.removeAll(keepingCapacity: true)
    archiveBytes = 0
    usedInBlock = 0
    scratchBytes = 0
    // A long text has a block of its own, which is not kept.
    while blocks.count > 1 { blocks.removeLast().deallocate() }
    if let block = blocks.first, block.count > Self.blockSize {
      blocks.removeLast().deallocate()
    }
  }

  /// Memory that stays in place until the batch is emptied.
  func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if blocks.isEmpty || usedInBlock + count > blocks[blocks.count - 1].count {
      blocks.append(.allocate(byteCount: max(count, Self.blockSize), alignment: 16))
      usedInBlock = 0
    }
    let start = usedInBlock
    usedInBlock += count
    scratchBytes += count
    return UnsafeMutableRawBufferPointer(rebasing: blocks[blocks.count - 1][start..<start + count])
  }
}
