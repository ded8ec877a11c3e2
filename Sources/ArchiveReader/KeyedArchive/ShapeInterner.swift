import Synchronization

extension ObjectReader {
  /// The shapes and class records that a reader has met in archives before, by their texts.
  ///
  /// A shape is a list of keys; a class record is a list of names. Archives of one program have the
  /// same ones at other places, so they are found by their bytes.
  struct ShapeInterner: Sendable {
    private var shapes = NumberedTexts()
    private var classes = NumberedTexts()
    /// The archive that is being read, counted from 0.
    private var archive = 0

    /// The texts of a shape or a class record.
    struct Texts: Sendable {
      var texts: [Text] = []
      /// The number of texts in the first of two lists.
      var mark = 0

      /// Makes room for others.
      mutating func removeAll() {
        texts.removeAll(keepingCapacity: true)
        mark = 0
      }

      fileprivate func hash(_ nodes: NodeTable) -> UInt64 {
        InternTable.hash(texts.lazy.map { InternTable.hash(nodes.borrowed($0.bytes)) }, count: mark)
      }
    }

    /// True if no more is kept.
    var isFull: Bool { shapes.isFull || classes.isFull }

    /// Begins another archive.
    mutating func beginArchive() { archive += 1 }

    /// The index of the shape with some keys, if it was met in an archive before, and not yet in
    /// this one: there it is known by its run of keys.
    mutating func shape(_ texts: Texts, _ nodes: NodeTable) -> Int? {
      shapes.find(texts, nodes, archive, skipsMet: true)?.index
    }

    /// The index of the class record with some names, and whether it was met in this archive
    /// already.
    mutating func classRecord(
      _ texts: Texts, _ nodes: NodeTable
    ) -> (index: Int, wasMet: Bool)? {
      classes.find(texts, nodes, archive, skipsMet: false)
    }

    /// Keeps a shape.
    mutating func add(shape index: Int, _ texts: Texts, _ nodes: NodeTable) {
      shapes.add(index, texts, nodes, archive)
    }

    /// Keeps a class record.
    mutating func add(class index: Int, _ texts: Texts, _ nodes: NodeTable) {
      classes.add(index, texts, nodes, archive)
    }
  }
}

/// Lists of texts that have indices.
private struct NumberedTexts: Sendable {
  private struct Entry {
    var index: Int
    var mark: Int
    var textCount: Int
    /// The position of its first text among the bytes.
    var start: Int
    /// The archive in which it was met last.
    var archive: Int
  }

  private var table = InternTable()
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  /// The most lists, and the most bytes of them, that are kept.
  private static let maxLists = 4_096
  private static let maxBytes = 1 << 18

  var isFull: Bool { entries.count >= Self.maxLists || bytes.count >= Self.maxBytes }

  mutating func find(
    _ query: ObjectReader.ShapeInterner.Texts, _ nodes: NodeTable, _ archive: Int, skipsMet: Bool
  ) -> (index: Int, wasMet: Bool)? {
    let found = table.index(query.hash(nodes)) { place in
      let entry = entries[Int(place)]
      return !(skipsMet && entry.archive == archive) && isEqual(entry, query, nodes)
    }
    guard let found else { return nil }
    let wasMet = entries[Int(found)].archive == archive
    entries[Int(found)].archive = archive
    return (entries[Int(found)].index, wasMet)
  }

  mutating func add(
    _ index: Int, _ query: ObjectReader.ShapeInterner.Texts, _ nodes: NodeTable, _ archive: Int
  ) {
    guard !isFull else { return }
    table.insert(query.hash(nodes), UInt32(truncatingIfNeeded: entries.count))
    entries.append(
      Entry(
        index: index, mark: query.mark, textCount: query.texts.count, start: bytes.count,
        archive: archive))
    for text in query.texts {
      unsafe withUnsafeBytes(of: Self.head(of: text)) { unsafe bytes.append(contentsOf: $0) }
      unsafe bytes.append(contentsOf: nodes.bytes(text.bytes))
    }
  }

  private func isEqual(
    _ entry: Entry, _ query: ObjectReader.ShapeInterner.Texts, _ nodes: NodeTable
  ) -> Bool {
    guard entry.mark == query.mark, entry.textCount == query.texts.count else { return false }
    return bytes.withBorrowedBytes { bytes in
      var place = entry.start
      for text in query.texts {
        let own = nodes.borrowed(text.bytes)
        guard Int(truncatingIfNeeded: bytes.word(at: place)) == Self.head(of: text) else {
          return false
        }
        // As many bytes follow: those of the text that was added.
        place += MemoryLayout<Int>.size
        guard bytes.part(place..<place + own.count).hasSameBytes(as: own) else { return false }
        place += own.count
      }
      return true
    }
  }

  /// The number before the bytes of a text, which gives their count and their encoding.
  private static func head(of text: Text) -> Int {
    if case .utf16 = text.encoding { text.bytes.count << 1 | 1 } else { text.bytes.count << 1 }
  }
}

extension ObjectReader {
  /// The shapes and class records that readers of several archives share, by the texts that they
  /// are made of.
  ///
  /// The archives of one program have the same keys and classes. So for most of them, these are
  /// looked up rather than made. What is kept is bounded.
  package final class SharedShapes: Sendable {
    private struct State {
      var shapes: [[UInt8]: Shape] = [:]
      var classes: [[UInt8]: Class] = [:]
      var byteCount = 0
    }

    /// A class record.
    struct Class: Sendable {
      var name: String
      var hierarchy: [String]
      var hints: [String]
      /// The known class of that name, if there is one.
      var known: KnownClass?
    }

    private let state = Mutex(State())

    private static let maxBytes = 1 << 18

    package init() {}

    /// The shape whose keys have these texts.
    func shape(_ texts: [UInt8]) -> Shape? { state.withLock { $0.shapes[texts] } }

    /// Keeps a shape, with the forms that were found.
    func keep(_ shape: Shape, _ texts: [UInt8]) {
      state.withLock { state in
        guard state.shapes[texts] != nil || Self.spend(texts.count, &state) else { return }
        state.shapes[texts] = shape
      }
    }

    /// The class record that has these texts.
    func classRecord(_ texts: [UInt8]) -> Class? { state.withLock { $0.classes[texts] } }

    /// Keeps a class record.
    func keep(_ record: Class, _ texts: [UInt8]) {
      state.withLock { state in
        guard state.classes[texts] != nil || Self.spend(texts.count, &state) else { return }
        state.classes[texts] = record
      }
    }

    private static func spend(_ count: Int, _ state: inout State) -> Bool {
      // The texts are kept as strings as well, with what each takes.
      guard state.byteCount + count + 256 <= maxBytes else { return false }
      state.byteCount += count + 256
      return true
    }
  }
}

/// Texts as bytes, so that different ones give different bytes.
extension Array<UInt8> {
  mutating func append(_ text: Text, in table: NodeTable) {
    append(count: text.bytes.count)
    if case .utf16 = text.encoding { append(1) } else { append(0) }
    unsafe append(contentsOf: table.bytes(text.bytes))
  }

  mutating func append(count: Int) {
    unsafe Swift.withUnsafeBytes(of: count) { unsafe append(contentsOf: $0) }
  }
}
