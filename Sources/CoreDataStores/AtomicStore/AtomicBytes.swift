import ArchiveReader
import GraphCore

/// Memory for the bytes of many values, which stay where they are as long as it lives.
///
/// Unchecked: it is filled by one reader, and does not change any more when others have it.
final class AtomicBytes: @unchecked Sendable {
  private var blocks: [Block] = []
  /// A piece of memory from the system.
  private struct Block {
    var start: UnsafeMutableRawPointer
    var size: Int
    /// How many bytes the blocks before have.
    var offset: Int
  }

  /// The last of the blocks that values share, and what is free of it.
  private var shared: UnsafeMutableRawPointer?
  private var free = 0..<0
  /// How many bytes there are.
  private(set) var count = 0

  /// The size of a block that values share; a value of a quarter of it has a block of its own.
  private static let blockSize = 1 << 18

  /// Adds bytes.
  ///
  /// - Parameter source: The bytes.
  /// - Returns: The same bytes in this memory.
  func add(_ source: UnsafeRawBufferPointer) -> BorrowedBytes {
    let place = room(for: source.count)
    UnsafeMutableRawBufferPointer(start: place, count: source.count).copyMemory(from: source)
    count += source.count
    return BorrowedBytes(start: UnsafeRawPointer(place), count: source.count)
  }

  /// Adds bytes of an array.
  func add(_ source: some Collection<UInt8>) -> BorrowedBytes {
    let copied = source.withContiguousStorageIfAvailable { add(UnsafeRawBufferPointer($0)) }
    return copied ?? Array(source).withUnsafeBytes { add($0) }
  }

  /// Memory for bytes; for none of them, too, since they have to lie somewhere.
  private func room(for count: Int) -> UnsafeMutableRawPointer {
    let size = max(1, count)
    guard size < Self.blockSize / 4 else { return block(size) }
    if let shared, size <= free.count {
      defer { free = free.lowerBound + size..<free.upperBound }
      return shared + free.lowerBound
    }
    // The first block is small: the store may be, too.
    let capacity = shared == nil ? max(size, 4_096) : Self.blockSize
    let start = block(capacity)
    (shared, free) = (start, size..<capacity)
    return start
  }

  private func block(_ size: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    let offset = blocks.last.map { $0.offset + $0.size } ?? 0
    blocks.append(Block(start: block, size: size, offset: offset))
    return block
  }

  // MARK: Places

  /// Where bytes that were added are; nil if they are others.
  ///
  /// - Complexity: Linear in the number of blocks.
  func place(of bytes: BorrowedBytes) -> ByteRange? {
    for block in blocks {
      let start = bytes.start - UnsafeRawPointer(block.start)
      if start >= 0, start + bytes.count <= block.size {
        return ByteRange(offset: block.offset + start, count: bytes.count)
      }
    }
    return nil
  }

  /// The bytes at such a place; nil if there are none.
  func bytes(at place: ByteRange) -> UnsafeRawBufferPointer? {
    for block in blocks where block.offset <= place.offset {
      let start = place.offset - block.offset
      if place.count >= 0, start <= block.size, place.count <= block.size - start {
        return UnsafeRawBufferPointer(start: block.start + start, count: place.count)
      }
    }
    return nil
  }

  deinit {
    for block in blocks { block.start.deallocate() }
  }
}
