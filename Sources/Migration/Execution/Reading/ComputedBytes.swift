import GraphCore

/// The bytes of values that were computed for the objects that a graph has read last.
///
/// Bytes stay where they are until `GraphValue.objectsAtHand` more objects have been read.
final class ComputedBytes {
  private struct Chunk {
    var memory: UnsafeMutableRawBufferPointer
    var used = 0
    /// The last object that has bytes in it.
    var lastObject = 0
  }

  @exclusivity(unchecked) private var chunks: [Chunk] = []
  @exclusivity(unchecked) private var object = 0
  @exclusivity(unchecked) private var lastNumber = -1

  private static let chunkSize = 1 << 16
  /// No bytes, at an address that is never freed.
  private static let nothing: BorrowedBytes = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    return BorrowedBytes(start: UnsafeRawPointer(memory), count: 0)
  }()

  deinit {
    for chunk in chunks { chunk.memory.deallocate() }
  }

  /// Begins with an object, unless it is the one that was read last.
  func begin(_ index: Int) {
    guard index != lastNumber else { return }
    lastNumber = index
    object += 1
    guard let first = chunks.first, chunks.count > 1,
      first.lastObject + GraphValue.objectsAtHand < object
    else { return }
    first.memory.deallocate()
    chunks.removeFirst()
  }

  /// Copies bytes.
  func store(_ bytes: some Collection<UInt8>) -> BorrowedBytes {
    let count = bytes.count
    if chunks.last.map({ $0.memory.count - $0.used < count }) ?? true {
      chunks.append(
        Chunk(
          memory: .allocate(byteCount: max(count, Self.chunkSize), alignment: 16)))
    }
    let last = chunks.count - 1
    let place = chunks[last].used
    let space = UnsafeMutableRawBufferPointer(
      rebasing: chunks[last].memory[place..<place + count])
    space.copyBytes(from: bytes)
    chunks[last].used += count
    chunks[last].lastObject = object
    // A chunk has bytes, so its memory has an address.
    guard let start = chunks[last].memory.baseAddress else { return Self.nothing }
    return BorrowedBytes(start: start + place, count: count)
  }
}
