import GraphCore

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
