internal import CSQLite
import Foundation
import GraphCore
import SQLite
import Support

/// Rows that were copied out of a store, one after the other.
///
/// The first cells of a row are its key and the number of its entity.
final class RowBlock {
  /// The place in its table of the first row.
  let firstRank: Int
  private(set) var rowCount = 0
  /// When a value of the block was last given out: see `RowBlockPool`.
  var lastUse = 0
  private let cells: UnsafeMutableBufferPointer<csq_cell>
  private let columnCount: Int
  private let rowCapacity: Int
  private let bytes: UnsafeMutableRawBufferPointer
  /// The memory of a block for many rows, which is used again.
  let reusable: UnsafeMutableRawBufferPointer?
  private let large: MappedMemory?
  /// Files next to the store whose bytes were given out, by the cell that names them.
  var files: [Int: MappedInput] = [:]

  /// A block for many rows, which divides memory between cells and bytes.
  init(firstRank: Int, columnCount: Int, rows: Int, in memory: UnsafeMutableRawBufferPointer) {
    self.firstRank = firstRank
    self.columnCount = columnCount
    let stride = max(1, columnCount) * MemoryLayout<csq_cell>.stride
    // Half of it is for cells at most.
    rowCapacity = max(1, min(rows, memory.count / 2 / stride))
    let head = min(memory.count, rowCapacity * stride)
    cells = UnsafeMutableRawBufferPointer(rebasing: memory[..<head])
      .bindMemory(to: csq_cell.self)
    bytes = UnsafeMutableRawBufferPointer(rebasing: memory[head...])
    reusable = memory
    large = nil
  }

  /// A block for one row, with as much memory as its texts and blobs need.
  ///
  /// - Throws: `ArchiveError` if a large one finds no room.
  init(rank: Int, columnCount: Int, byteCount: Int) throws(ArchiveError) {
    large = byteCount > Self.largestInMemory ? try MappedMemory(byteCount) : nil
    bytes = large?.bytes ?? .allocate(byteCount: max(1, byteCount), alignment: 16)
    cells = .allocate(capacity: max(1, columnCount))
    firstRank = rank
    self.columnCount = columnCount
    rowCapacity = 1
    reusable = nil
  }

  deinit {
    guard reusable == nil else { return }
    cells.deallocate()
    if large == nil { bytes.deallocate() }
  }

  /// The bytes of a row beyond these are put into a file, which takes no memory for long.
  private static let largestInMemory = 16 << 10

  /// Takes rows from a statement.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - isWaiting: Whether it stands on a row that did not fit into another block.
  /// - Returns: Why it ended, nil for a value beyond the limit; and how many bytes the row needs
  ///   that waits.
  /// - Throws: `StoreError`.
  func fill(
    from statement: Statement, isWaiting: Bool
  ) throws(StoreError) -> (result: csq_fill_result?, needed: Int) {
    guard let first = cells.baseAddress else { return (csq_fill_end, 0) }
    var block = csq_block(
      cells: first, column_count: Int32(columnCount), row_capacity: Int32(rowCapacity),
      row_count: 0, bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
      byte_capacity: bytes.count, byte_count: 0, needed: 0)
    defer {
      rowCount = Int(block.row_count)
      large?.giveUpPages()
    }
    return (try statement.fill(&block, isWaiting: isWaiting), Int(clamping: block.needed))
  }

  /// Forgets the last rows.
  func keep(_ count: Int) { rowCount = min(rowCount, count) }

  /// The cells of a row, by its place in the table; nil if it is not in the block.
  @inline(__always)
  func row(_ rank: Int) -> UnsafePointer<csq_cell>? {
    guard rank >= firstRank, rank - firstRank < rowCount, let first = cells.baseAddress else {
      return nil
    }
    return UnsafePointer(first + (rank - firstRank) * columnCount)
  }

  /// Fills the only row by hand: cells, and where their bytes go.
  func setRow(_ fill: (UnsafeMutableBufferPointer<csq_cell>, UnsafeMutableRawBufferPointer) -> Void)
  {
    fill(cells, bytes)
    rowCount = 1
    large?.giveUpPages()
  }
}
