internal import CSQLite
import Foundation
import GraphCore
import Stores
import Support

/// Rows that were copied out of a store, one after the other.
///
/// The first cells of a row are its key and the number of its entity. SQLite fills it no further
/// than it has room, and only rows that were filled are given out.
@safe final class RowBlock {
  /// The place in its table of the first row.
  let firstRank: Int
  private(set) var rowCount = 0
  /// When a value of the block was last given out: see `Pool`.
  var lastUse = 0
  private let cells: UnsafeMutableBufferPointer<csq_cell>
  private let columnCount: Int
  private let rowCapacity: Int
  private let bytes: UnsafeMutableRawBufferPointer
  private let memory: Memory
  private let isReusable: Bool
  private let large: MappedMemory?
  /// Files next to the store whose bytes were given out, by the cell that names them.
  var files: [Int: MappedInput] = [:]

  /// A block for many rows, which divides memory between cells and bytes.
  init(firstRank: Int, columnCount: Int, rows: Int, in memory: Memory) {
    self.firstRank = firstRank
    self.columnCount = columnCount
    let stride = max(1, columnCount) * Self.cellSize
    // A row has 2,000 columns at most, unless SQLite was built otherwise.
    let memory = unsafe stride <= memory.bytes.count ? memory : Memory(stride)
    self.memory = memory
    // Half of it is for cells at most, but for one row.
    rowCapacity = unsafe max(1, min(rows, memory.bytes.count / 2 / stride))
    let head = rowCapacity * stride
    unsafe cells = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<head])
      .bindMemory(to: csq_cell.self)
    unsafe bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[head...])
    isReusable = true
    large = nil
  }

  /// A block for one row, with as much memory as its texts and blobs need.
  ///
  /// - Throws: `ArchiveError` if a large one finds no room.
  init(rank: Int, columnCount: Int, byteCount: Int) throws(ArchiveError) {
    firstRank = rank
    self.columnCount = columnCount
    rowCapacity = 1
    large = byteCount > Self.largestInMemory ? try MappedMemory(byteCount) : nil
    let head = max(1, columnCount) * Self.cellSize
    memory = Memory(head + (large == nil ? max(1, byteCount) : 0))
    unsafe cells = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<head])
      .bindMemory(to: csq_cell.self)
    unsafe bytes = large?.bytes ?? UnsafeMutableRawBufferPointer(rebasing: memory.bytes[head...])
    isReusable = false
  }

  /// The memory of a block for many rows, which can be used again.
  var reusable: Memory? { isReusable ? memory : nil }

  private static let cellSize = unsafe MemoryLayout<csq_cell>.stride
  /// The bytes of a row beyond these are put into a file, which takes no memory for long.
  private static let largestInMemory = 16 << 10

  /// Takes rows from a statement.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - isWaiting: True if the statement stands on a row that did not fit into another block.
  /// - Returns: Why it ended, nil for a value beyond the limit; and how many bytes the row needs
  ///   that waits.
  /// - Throws: `StoreError`.
  func fill(
    from statement: Statement, isWaiting: Bool
  ) throws(StoreError) -> (result: csq_fill_result?, needed: Int) {
    guard let first = unsafe cells.baseAddress else { return (csq_fill_end, 0) }
    var block = unsafe csq_block(
      cells: first, column_count: Int32(columnCount), row_capacity: Int32(rowCapacity),
      row_count: 0, bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
      byte_capacity: bytes.count, byte_count: 0, needed: 0)
    defer {
      rowCount = unsafe Int(block.row_count)
      large?.giveUpPages()
    }
    let result = try unsafe statement.fill(&block, isWaiting: isWaiting)
    return unsafe (result, Int(clamping: block.needed))
  }

  /// Forgets the last rows.
  func keep(_ count: Int) { rowCount = min(rowCount, count) }

  /// The cells of a row, by its place in the table; nil if it is not in the block.
  @inline(__always)
  func row(_ rank: Int) -> StoredRow? {
    guard rank >= firstRank, rank - firstRank < rowCount, let first = unsafe cells.baseAddress
    else { return nil }
    let row = unsafe UnsafePointer(first + (rank - firstRank) * columnCount)
    return unsafe StoredRow(UnsafeBufferPointer(start: row, count: columnCount))
  }

  /// The content of a column of a row that is put together by hand.
  enum Part {
    case value(StoredValue)
    /// A text or a blob of so many bytes.
    case bytes(csq_kind, count: Int)
  }

  /// Fills the only row by hand.
  ///
  /// - Parameters:
  ///   - parts: The contents of its columns; the block has room for their bytes.
  ///   - read: Reads the bytes of a column, as many as there is room for.
  /// - Throws: The error of `read`.
  func setRow(
    _ parts: [Part],
    _ read: (_ column: Int, _ room: UnsafeMutableRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    precondition(parts.count == columnCount)
    var offset = 0
    for (column, part) in parts.enumerated() {
      var cell = unsafe csq_cell()
      switch part {
      case .value(.integer(let integer)):
        unsafe (cell.kind, cell.integer) = (csq_kind_integer, integer)
      case .value(.real(let real)): unsafe (cell.kind, cell.real) = (csq_kind_real, real)
      case .value: unsafe cell.kind = csq_kind_null
      case .bytes(let kind, let count):
        precondition(unsafe count >= 0 && count <= bytes.count - offset)
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + count])
        unsafe (cell.kind, cell.count) = (kind, UInt32(clamping: count))
        unsafe cell.bytes = UnsafeRawPointer(room.baseAddress)
        try unsafe read(column, room)
        offset += count
      }
      unsafe cells[column] = unsafe cell
    }
    rowCount = 1
    large?.giveUpPages()
  }
}

extension RowBlock {
  /// Memory for the cells and bytes of rows.
  @safe final class Memory {
    let bytes: UnsafeMutableRawBufferPointer

    /// Makes memory, some for no bytes, too.
    init(_ byteCount: Int) {
      unsafe bytes = .allocate(byteCount: max(1, byteCount), alignment: 16)
    }

    deinit { unsafe bytes.deallocate() }
  }
}

extension RowBlock {
  /// The blocks of rows of a graph, whose bytes stay in place for a time.
  ///
  /// The values of the last `GraphValue.objectsAtHand` objects that were read stay valid: a block
  /// is let go of when that many objects were read since a value of it was given out. Rows that are
  /// read one after the other share blocks, whose memory is used again.
  final class Pool {
    /// The number of objects that were read.
    private(set) var time = 0
    /// Blocks that no table reads from any more, in the order in which they were given up.
    private var retired: [RowBlock] = []
    private var firstRetired = 0
    private var spare: [Memory] = []

    /// The memory of a block for many rows, in bytes.
    static let blockSize = 128 << 10
    /// The greatest number of pieces of such memory that are kept for later blocks.
    private static let maxSpare = 8

    /// Notes that an object is read.
    @inline(__always)
    func tick() { time += 1 }

    /// Memory for a block of many rows.
    func takeMemory() -> Memory { spare.popLast() ?? Memory(Self.blockSize) }

    /// Gives a block up, whose values stay valid until enough others were read.
    func retire(_ block: RowBlock) {
      retired.append(block)
      while firstRetired < retired.count,
        retired[firstRetired].lastUse + GraphValue.objectsAtHand < time
      {
        free(retired[firstRetired])
        firstRetired += 1
      }
      // Those in front are gone; moving the rest at most doubles the work.
      if firstRetired > retired.count / 2 {
        retired.removeFirst(firstRetired)
        firstRetired = 0
      }
    }

    /// Gives up a block of which no value was given out.
    func free(_ block: RowBlock) {
      guard let memory = block.reusable else { return }
      if spare.count < Self.maxSpare { spare.append(memory) }
    }
  }
}
