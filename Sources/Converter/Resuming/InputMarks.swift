import Foundation
import Support

extension Checkpoint {
  /// The marks of a run's inputs: 24 bytes for each file.
  ///
  /// It tells a later run whether a file has changed, and which: the path of each has 8 bytes, its
  /// digest, or the error that it was rejected for, has 16.
  struct InputMarks: Sendable, Hashable {
    private(set) var bytes = Data()

    private static let pathSize = 8
    private static let stateSize = 16
    private static let size = pathSize + stateSize

    init() {}

    /// Marks that were kept; nil if they are none.
    init?(_ bytes: Data) {
      guard bytes.count.isMultiple(of: Self.size) else { return nil }
      self.bytes = Data(bytes)
    }

    /// The number of files.
    var count: Int { bytes.count / Self.size }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - state: Its digest, or what is wrong with it.
    mutating func add(_ path: String, _ state: String) {
      bytes += Self.digest(path, Self.pathSize) + Self.digest(state, Self.stateSize)
    }

    /// The index of the first file that is another one, or has changed, since older marks were
    /// taken; nil if there is none.
    func firstDifference(from older: InputMarks) -> (index: Int, isSamePath: Bool)? {
      for index in 0..<min(count, older.count) {
        let start = index * Self.size
        let whole = start..<start + Self.size
        guard bytes[whole] != older.bytes[whole] else { continue }
        let path = start..<start + Self.pathSize
        return (index, bytes[path] == older.bytes[path])
      }
      return count == older.count ? nil : (min(count, older.count), false)
    }

    private static func digest(_ text: String, _ count: Int) -> Data {
      Data(MessageDigest.sha256(of: Array(text.utf8)).prefix(count))
    }
  }
}
