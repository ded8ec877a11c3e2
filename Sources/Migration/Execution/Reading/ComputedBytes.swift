import GraphCore

extension MigratedGraph {
  /// The bytes of values that were computed for the objects that a graph has read last.
  ///
  /// Bytes stay where they are until `GraphValue.objectsAtHand` more objects have been read.
  final class ComputedBytes {
    /// A piece of the memory.
    private struct Chunk {
      let bytes: ByteBlock
      /// The last object that has bytes in it.
      var lastObject = 0
    }

    private var chunks: [Chunk] = []
    private var object = 0
    private var lastNumber = -1

    private static let chunkSize = 1 << 16

    /// Begins with an object, unless it is the one that was read last.
    func begin(_ index: Int) {
      guard index != lastNumber else { return }
      lastNumber = index
      object += 1
      guard let first = chunks.first, chunks.count > 1,
        first.lastObject + GraphValue.objectsAtHand < object
      else { return }
      chunks.removeFirst()
    }

    /// Copies bytes.
    func store(_ bytes: some Collection<UInt8>) -> BorrowedBytes {
      let size = max(1, bytes.count)
      if chunks.last.map({ $0.bytes.room < size }) ?? true {
        chunks.append(Chunk(bytes: ByteBlock(size: max(size, Self.chunkSize))))
      }
      let last = chunks.count - 1
      chunks[last].lastObject = object
      return chunks[last].bytes.add(bytes)
    }
  }
}
