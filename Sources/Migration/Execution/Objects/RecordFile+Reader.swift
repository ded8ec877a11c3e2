import GraphCore

extension RecordFile {
  /// Reads the records of a file for one thread, most of them one after the other.
  final class Reader {
    private let file: RecordFile
    private var window: [UInt8] = []
    private var start = 0

    private static let windowSize = 1 << 16

    init(_ file: RecordFile) { self.file = file }

    /// The record that begins at a place: it begins with its length.
    func record(at offset: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
      try load(offset, count: 4)
      guard let head = bytes(offset, 4) else { throw Self.damaged }
      let count = ValueRecord.number(head)
      try load(offset, count: 4 + count)
      guard let record = bytes(offset + 4, count) else { throw Self.damaged }
      return record
    }

    private static var damaged: ArchiveError { ArchiveError(.unreadable, name: "temporary values") }

    private func bytes(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
      let first = offset - start
      guard first >= 0, first + count <= window.count else { return nil }
      return window[first..<first + count]
    }

    private func load(_ offset: Int, count: Int) throws(ArchiveError) {
      guard bytes(offset, count) == nil else { return }
      var loaded = [UInt8](repeating: 0, count: max(count, Self.windowSize))
      let found = try file.read(at: offset, into: &loaded)
      loaded.removeLast(loaded.count - found)
      (window, start) = (loaded, offset)
    }
  }
}
