import ArchiveReader
import Foundation
import Support

extension ArchiveBatch.Worker {
  /// Has the system read small files before they have their turn, as long as files come from the
  /// disk.
  ///
  /// Whoever opens files one by one waits for the disk at each: the system foresees what comes next
  /// in a file, but not which file comes next. Where files are in memory already, nothing is done,
  /// since every look at a file costs something.
  struct ReadAhead {
    /// The number of blocks that the process has read from the disk so far.
    private let blockCount: () -> Int
    /// That number at the last call.
    private var lastCount = 0

    /// More of a file, in bytes, is not read before its turn.
    private static let maxBytes = 1 << 20

    /// - Parameter blockCount: Tells how many blocks the process has read from the disk so far.
    init(blockCount: @escaping () -> Int = Self.blocksOfProcess) { self.blockCount = blockCount }

    /// Begins to read files, without waiting for them, if something came from the disk since the
    /// last time.
    ///
    /// - Parameter paths: The files that have their turn next. What is wrong with one is told then.
    /// - Returns: The number of files that were begun with.
    @discardableResult
    mutating func begin(_ paths: some Sequence<String>) -> Int {
      let count = blockCount()
      defer { lastCount = count }
      guard count != lastCount else { return 0 }
      return paths.count { Self.begin($0) }
    }

    private static func begin(_ path: String) -> Bool {
      #if os(Linux)
        guard let descriptor = try? FileSystem.open(path) else { return false }
        defer { close(descriptor) }
        return posix_fadvise(descriptor, 0, off_t(maxBytes), POSIX_FADV_WILLNEED) == 0
      #else
        return false
      #endif
    }

    private static func blocksOfProcess() -> Int {
      var usage = rusage()
      #if os(Linux)
        let isKnown = unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0
      #else
        let isKnown = getrusage(RUSAGE_SELF, &usage) == 0
      #endif
      return isKnown ? Int(usage.ru_inblock) : 0
    }
  }
}
