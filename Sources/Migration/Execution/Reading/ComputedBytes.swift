import GraphCore

extension MigratedGraph {
  /// The bytes of values that were computed for the objects that a graph has read last.
  ///
  /// Bytes stay where they are until `GraphValue.objectsAtHand` more objects have been read.
  final class ComputedBytes {
    /// Memory that is filled from its beginning.
    @safe private final class Chunk {
      private let start: UnsafeMutableRawPointer
      private let size: Int
      private var used = 0
      /// The last object that has bytes in it.
      var lastObject = 0

      init(size: Int) {
        unsafe start = .allocate(byteCount: size, alignment: 16)
        self.size = size
      }

      deinit { unsafe start.deallocate() }

      /// How many bytes there is room for.
      var room: Int { size - used }

      /// Copies bytes, for which there is room.
      func add(_ bytes: some Collection<UInt8>) -> BorrowedBytes {
        let count = bytes.count
        precondition(count <= room)
        let place = unsafe start + used
        unsafe UnsafeMutableRawBufferPointer(start: place, count: count).copyBytes(from: bytes)
        used += count
        return unsafe BorrowedBytes(start: place, count: count)
      }
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
      if chunks.last.map({ $0.room < bytes.count }) ?? true {
        chunks.append(Chunk(size: max(bytes.count, Self.chunkSize)))
      }
      let chunk = chunks[chunks.count - 1]
      chunk.lastObject = object
      return chunk.add(bytes)
    }
  }
}
