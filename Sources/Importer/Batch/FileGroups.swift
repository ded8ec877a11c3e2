/// Puts small files that stand one behind the other into groups, each of which one thread works on.
///
/// There are several groups for each thread, so that none is done long before the others. Their
/// number does not depend on that of the threads, nor does the order in which a store's pages are
/// written.
struct FileGroups {
  /// Larger files, in bytes, are in no group with others: their rows would take too much memory.
  static let largestFile = 1 << 20
  /// How many bytes the files of a group have at most, and how many files it has.
  private static let mostBytes = 3 << 18
  private static let mostFiles = 256

  /// The groups, by the numbers of their files.
  private(set) var ranges: [Range<Int>] = []

  /// - Parameters:
  ///   - sizes: How many bytes each file has.
  ///   - isEach: Whether each file is in a group of its own.
  init(_ sizes: [Int], isEach: Bool) {
    let enough = min(Self.mostBytes, sizes.reduce(0, +) / 64)
    let mostFiles = isEach ? 1 : Self.mostFiles
    var start = 0
    var bytes = 0
    for (number, size) in sizes.enumerated() {
      if number > start,
        bytes >= enough || number - start == mostFiles || size > Self.largestFile
      {
        ranges.append(start..<number)
        (start, bytes) = (number, 0)
      }
      bytes += size
    }
    if start < sizes.count { ranges.append(start..<sizes.count) }
  }
}
