/// Some of the rows of the archive whose turn it is, a bit for each.
struct RowBits {
  /// The first row that can be among them.
  private(set) var firstRow: Int64
  private var bits: [UInt64] = []

  /// - Parameter lastID: The last row before the archive's.
  init(after lastID: Int64) {
    firstRow = lastID + 1
  }

  /// Begins again without any, after another row; keeps the memory.
  mutating func reset(after lastID: Int64) {
    bits.removeAll(keepingCapacity: true)
    firstRow = lastID + 1
  }

  func contains(_ row: Int64) -> Bool {
    guard row >= firstRow else { return false }
    let index = Int(row - firstRow)
    return index >> 6 < bits.count && bits[index >> 6] & 1 << UInt64(index & 63) != 0
  }

  /// Calls with each of them, in order.
  func forEach(_ body: (Int64) -> Void) {
    for (place, word) in bits.enumerated() where word != 0 {
      for bit in 0..<64 where word & 1 << UInt64(bit) != 0 {
        body(firstRow + Int64(place * 64 + bit))
      }
    }
  }

  mutating func insert(_ row: Int64) {
    guard row >= firstRow else { return }
    let index = Int(row - firstRow)
    if bits.count <= index >> 6 {
      bits.append(contentsOf: repeatElement(0, count: (index >> 6) + 1 - bits.count))
    }
    bits[index >> 6] |= 1 << UInt64(index & 63)
  }
}
