import ArchiveReader

extension ImportContext {
  /// The rows that the parts of texts have found or made, by their bytes: so that no text has to be
  /// made of what was met before.
  ///
  /// Takes the bytes of each part once, and some 40 bytes more.
  struct PartIndex {
    /// The rows of the text that was looked up last, each once.
    private(set) var found: [RowReference] = []

    /// The parts of one relationship's texts.
    private struct Parts {
      /// Leads to the entries.
      var table = InternTable()
      var entries: [Entry] = []
      var bytes: [UInt8] = []
    }

    private struct Entry {
      var start: Int
      var count: Int
      /// The row; nil where the part is left out.
      var row: RowReference?
    }

    private var parts: [Int: Parts] = [:]
    private var index = -1
    private var current = Parts()
    /// The greatest number of parts that are remembered for a relationship.
    private static let maxEntries = 1 << 20

    /// Looks up all parts of a text; returns false where one is not known, or the text has to be
    /// taken apart character by character.
    mutating func find(
      _ text: BorrowedText, _ split: ImportPlan.SplitPlan, _ relationship: Int
    ) -> Bool {
      open(relationship)
      guard !current.entries.isEmpty else { return false }
      let bytes = text.bytes
      guard text.encoding == .utf16 else { return find(bytes, split) }
      // A UTF-16 unit takes at most three bytes of UTF-8.
      guard bytes.count <= 1_024 else { return false }
      var isExact = false
      let utf8 = [UInt8](upTo: bytes.count / 2 * 3) {
        isExact = UTF16Text.transcode(bytes, into: &$0)
      }
      return isExact && utf8.withBorrowedBytes { find($0, split) }
    }

    private mutating func find(_ text: BorrowedBytes, _ split: ImportPlan.SplitPlan) -> Bool {
      guard Self.isPlain(text) else { return false }
      found.removeAll(keepingCapacity: true)
      var start = 0
      if let separator = split.rule.separator?.utf8.first {
        guard split.rule.separator?.utf8.count == 1, separator > 0x20, separator < 0x7F else {
          return false
        }
        for place in 0..<text.count where text[place] == separator {
          guard take(text.part(start..<place)) else { return false }
          start = place + 1
        }
      }
      return take(text.part(start..<text.count))
    }

    private mutating func take(_ part: BorrowedBytes) -> Bool {
      guard let place = place(of: part, InternTable.hash(part)) else { return false }
      if let row = current.entries[place].row, !found.contains(row) { found.append(row) }
      return true
    }

    /// Remembers what a part found, or that it is left out.
    mutating func add(_ part: String, _ row: RowReference?, _ relationship: Int) {
      open(relationship)
      var part = part
      part.withUTF8 { utf8 in
        let bytes = unsafe BorrowedBytes(.init(utf8))
        let hash = InternTable.hash(bytes)
        guard current.entries.count < Self.maxEntries, Self.isPlain(bytes),
          place(of: bytes, hash) == nil
        else { return }
        current.table.insert(hash, UInt32(current.entries.count))
        current.entries.append(
          Entry(start: current.bytes.count, count: bytes.count, row: row))
        unsafe current.bytes.append(contentsOf: bytes.buffer)
      }
    }

    /// True if each byte below 128 is a character of its own, and no character of a text stands for
    /// it: printable ASCII, and letters of the next blocks, none of which combine.
    private static func isPlain(_ text: BorrowedBytes) -> Bool {
      unsafe text.buffer.allSatisfy { byte in
        byte >= 0x20 && byte < 0x7F || byte >= 0x80 && byte < 0xC0 || byte >= 0xC3 && byte < 0xCC
      }
    }

    // MARK: The table

    private mutating func open(_ relationship: Int) {
      guard index != relationship else { return }
      if index >= 0 { parts[index] = current }
      current = parts.removeValue(forKey: relationship) ?? Parts()
      index = relationship
    }

    private func place(of part: BorrowedBytes, _ hash: UInt64) -> Int? {
      let found = current.table.index(hash) { index in
        let entry = current.entries[Int(index)]
        guard entry.count == part.count else { return false }
        let known = current.bytes[entry.start..<entry.start + entry.count]
        return unsafe known.elementsEqual(part.buffer)
      }
      return found.map(Int.init)
    }
  }
}
