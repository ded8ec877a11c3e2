extension SchemaProfiler {
  /// Some of the entries of an archive, to be emptied often.
  ///
  /// Takes a bit for each entry, and four bytes for each that is marked.
  struct MarkedEntries {
    private var bits: [UInt64]
    private var marked: [UInt32] = []

    /// - Parameter count: The number of entries.
    init(count: Int) {
      bits = Array(repeating: 0, count: Self.words(count))
    }

    private static func words(_ count: Int) -> Int { (count + 63) / 64 }

    /// Marks none of `count` entries.
    mutating func reset(count: Int) {
      removeAll()
      let missing = Self.words(count) - bits.count
      if missing > 0 { bits += repeatElement(0, count: missing) }
    }

    /// Marks an entry; returns whether it was not marked.
    mutating func insert(_ entry: Int) -> Bool {
      let mask: UInt64 = 1 << UInt64(entry & 63)
      guard bits[entry >> 6] & mask == 0 else { return false }
      bits[entry >> 6] |= mask
      marked.append(UInt32(truncatingIfNeeded: entry))
      return true
    }

    /// Marks none.
    ///
    /// - Complexity: Linear in those that are marked.
    mutating func removeAll() {
      for entry in marked { bits[Int(entry) >> 6] = 0 }
      marked.removeAll(keepingCapacity: true)
    }
  }
}
