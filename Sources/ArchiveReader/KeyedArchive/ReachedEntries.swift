extension ObjectReader {
  /// The entries of `$objects` that a reader has read, a bit for each.
  @safe final class ReachedEntries {
    // A buffer rather than an array: its bits are set once for each reference, and an array in a
    // class is checked for overlapping access each time.
    private let words: UnsafeMutableBufferPointer<UInt64>

    init(objectCount: Int) {
      unsafe words = .allocate(capacity: (objectCount + 63) / 64)
      unsafe words.initialize(repeating: 0)
    }

    deinit { unsafe words.deallocate() }

    /// Notes an entry; the reader has checked that it exists.
    func note(_ uid: Int) {
      unsafe words[uid >> 6] |= 1 << UInt64(uid & 63)
    }

    /// True if an entry that exists has been noted.
    func contains(_ uid: Int) -> Bool {
      unsafe words[uid >> 6] & 1 << UInt64(uid & 63) != 0
    }

    /// The number of entries that have been noted.
    var count: Int { unsafe words.reduce(0) { $0 + $1.nonzeroBitCount } }
  }
}

extension ObjectReader {
  /// Starts to note which entries are read.
  mutating func noteReachedEntries() {
    reachedEntries = ReachedEntries(objectCount: archive.objectCount)
  }

  /// The number of entries that have not been read since, those for nil and for classes left out.
  func countUnreachedEntries() -> Int {
    guard let reachedEntries else { return 0 }
    return (0..<archive.objectCount).count { uid in
      guard uid != 0, !reachedEntries.contains(uid) else { return false }
      guard case .dictionary(let keys, _) = table.value(of: table[archive.objects, uid]) else {
        return true
      }
      return !(0..<keys.count).contains { table.string(at: table[keys, $0]) == "$classname" }
    }
  }
}
