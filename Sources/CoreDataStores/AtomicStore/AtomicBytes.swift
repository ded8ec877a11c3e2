import ArchiveReader
import GraphCore

/// Memory for the bytes of many values, which stay where they are as long as it lives.
///
/// Unchecked: it is filled by one reader, and does not change any more when others have it.
final class AtomicBytes: @unchecked Sendable {
  /// A piece of the memory.
  private struct Block {
    let bytes: ByteBlock
    /// The number of bytes in the blocks before.
    let offset: Int
  }

  private var blocks: [Block] = []
  /// The last of the blocks that values share.
  private var shared: ByteBlock?
  /// The number of bytes.
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
  private func block(for size: Int) -> ByteBlock {
    guard size < Self.blockSize / 4 else { return block(size) }
    if let shared, size <= shared.room { return shared }
    // The first block is small: the store may be, too.
    let made = block(shared == nil ? max(size, 4_096) : Self.blockSize)
    shared = made
    return made
  }

  private func block(_ size: Int) -> ByteBlock {
    let bytes = ByteBlock(size: size)
    blocks.append(Block(bytes: bytes, offset: blocks.last.map { $0.offset + $0.bytes.size } ?? 0))
    return bytes
  }

  // MARK: Places

  /// The place of bytes that were added; nil if they are others.
  ///
  /// - Complexity: Linear in the number of blocks.
  func place(of bytes: BorrowedBytes) -> ByteRange? {
    for block in blocks {
      guard let place = block.bytes.place(of: bytes) else { continue }
      return ByteRange(offset: block.offset + place, count: bytes.count)
    }
    return nil
  }

  /// The bytes at such a place; nil if there are none.
  func bytes(at place: ByteRange) -> BorrowedBytes? {
    for block in blocks where block.offset <= place.offset {
      let found = block.bytes.bytes(at: place.offset - block.offset, count: place.count)
      if let found { return found }
    }
    return nil
  }
}
