extension MigrationState {
  /// The source objects that an entity mapping migrates, in ascending order.
  ///
  /// Takes no memory as long as their indices have no gaps, and four bytes for each object
  /// otherwise.
  struct SourceList: Sendable {
    private var first = 0
    private(set) var count = 0
    /// The indices, where they have gaps.
    private var indices: [UInt32] = []

    /// Adds an object after all others.
    ///
    /// - Parameter uid: Its index, greater than all before; sources have fewer than 2^32 objects.
    mutating func append(_ uid: Int) {
      if count == 0 { first = uid }
      if indices.isEmpty, uid != first + count {
        indices = (first..<first + count).map { UInt32(truncatingIfNeeded: $0) }
      }
      if uid != first + count || !indices.isEmpty {
        indices.append(UInt32(truncatingIfNeeded: uid))
      }
      count += 1
    }

    /// The object at a place, which is below `count`.
    @inline(__always)
    subscript(rank: Int) -> Int { indices.isEmpty ? first + rank : Int(indices[rank]) }

    /// The place of an object; nil if it is not in the list.
    ///
    /// - Complexity: Logarithmic where the indices have gaps.
    @inline(__always)
    func rank(of uid: Int) -> Int? {
      guard !indices.isEmpty else { return uid >= first && uid - first < count ? uid - first : nil }
      var (low, high) = (0, indices.count)
      while low < high {
        let middle = (low + high) / 2
        if Int(indices[middle]) < uid { low = middle + 1 } else { high = middle }
      }
      return low < indices.count && Int(indices[low]) == uid ? low : nil
    }

    /// How many bytes it takes.
    var byteCount: Int { indices.count * 4 }
  }
}
