import ArchiveReader
import GraphCore

/// Memory for the bytes of many values, which stay where they are as long as it lives.
///
/// Unchecked: it is filled by one reader, and does not change any more when others have it.
final class AtomicBytes: @unchecked Sendable {
  /// A piece of memory from the system, which is filled from its beginning.
  @safe private final class Block {
    private let start: UnsafeMutableRawPointer
    let size: Int
    /// How many bytes the blocks before have.
    let offset: Int
    private var used = 0

    init(size: Int, offset: Int) {
      unsafe start = .allocate(byteCount: size, alignment: 16)
      (self.size, self.offset) = (size, offset)
    }

    deinit { unsafe start.deallocate() }

    /// How many bytes there is room for.
    var room: Int { size - used }

    /// Copies bytes, for which there is room; none take one byte, since they have to lie somewhere.
    func add(_ bytes: some Collection<UInt8>) -> BorrowedBytes {
      let count = bytes.count
      precondition(max(1, count) <= room)
      let place = unsafe start + used
      unsafe UnsafeMutableRawBufferPointer(start: place, count: count).copyBytes(from: bytes)
      used += max(1, count)
      return unsafe BorrowedBytes(start: place, count: count)
    }

    /// Where in the block bytes are; nil if they are elsewhere.
    func place(of bytes: BorrowedBytes) -> Int? {
      let place = unsafe bytes.start - UnsafeRawPointer(start)
      return place >= 0 && place <= size && bytes.count <= size - place ? place : nil
    }

    /// Bytes of the block; nil if they go beyond it.
    func bytes(at place: Int, count: Int) -> BorrowedBytes? {
      guard place >= 0, count >= 0, place <= size, count <= size - place else { return nil }
      return unsafe BorrowedBytes(start: start + place, count: count)
    }
  }

  private var blocks: [Block] = []
  /// The last of the blocks that values share.
  private var shared: Block?
  /// How many bytes there are.
  private(set) var count = 0

  /// The size of a block that values share; a value of a quarter of it has a block of its own.
  private static let blockSize = 1 << 18

  /// Adds bytes.
  ///
  /// - Parameter source: The bytes.
  /// - Returns: The same bytes in this memory.
  func add(_ source: some Collection<UInt8>) -> BorrowedBytes {
    count += source.count
    return block(for: max(1, source.count)).add(source)
  }

  /// A block with room for so many bytes.
  private func block(for size: Int) -> Block {
    guard size < Self.blockSize / 4 else { return block(size) }
    if let shared, size <= shared.room { return shared }
    // The first block is small: the store may be, too.
    let made = block(shared == nil ? max(size, 4_096) : Self.blockSize)
    shared = made
    return made
  }

  private func block(_ size: Int) -> Block {
    let block = Block(size: size, offset: blocks.last.map { $0.offset + $0.size } ?? 0)
    blocks.append(block)
    return block
  }

  // MARK: Places

  /// Where bytes that were added are; nil if they are others.
  ///
  /// - Complexity: Linear in the number of blocks.
  func place(of bytes: BorrowedBytes) -> ByteRange? {
    for block in blocks {
      guard let place = block.place(of: bytes) else { continue }
      return ByteRange(offset: block.offset + place, count: bytes.count)
    }
    return nil
  }

  /// The bytes at such a place; nil if there are none.
  func bytes(at place: ByteRange) -> BorrowedBytes? {
    for block in blocks where block.offset <= place.offset {
      let found = block.bytes(at: place.offset - block.offset, count: place.count)
      if let found { return found }
    }
    return nil
  }
}
