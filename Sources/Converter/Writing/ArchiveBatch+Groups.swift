extension ArchiveBatch {
  /// Puts small files that stand one after the other into groups, each of which one thread works
  /// on.
  ///
  /// There are many groups for each thread, and the last ones are small, so that none is done long
  /// before the others. Their number does not depend on that of the threads, nor does the order in
  /// which a store's pages are written.
  struct Groups {
    /// Larger files, in bytes, are in no group with others: their rows would take too much memory.
    static let largestFile = 1 << 20
    /// The greatest size of the files of a group, in bytes, and the greatest number of files in it.
    private static let maxBytes = 3 << 19
    private static let maxFiles = 256

    /// The groups, by the indices of their files.
    private(set) var ranges: [Range<Int>] = []

    /// - Parameters:
    ///   - sizes: The size of each file, in bytes.
    ///   - isEach: True if each file is in a group of its own.
    init(_ sizes: [Int], isEach: Bool) {
      let maxFiles = isEach ? 1 : Self.maxFiles
      var rest = sizes.reduce(0, +)
      let usual = min(Self.maxBytes, rest / 64)
      var start = 0
      var bytes = 0
      var enough = usual
      for (index, size) in sizes.enumerated() {
        if index > start,
          bytes >= enough || index - start == maxFiles || size > Self.largestFile
        {
          ranges.append(start..<index)
          rest -= bytes
          (start, bytes) = (index, 0)
          enough = max(min(usual, rest / 8), usual / 8)
        }
        bytes += size
      }
      if start < sizes.count { ranges.append(start..<sizes.count) }
    }
  }
}
