import ArchiveWriter

extension ArchiveCopy {
  /// The XML form of an archive.
  ///
  /// Values that would not be the same after reading are refused: XML has no fractions of seconds in
  /// dates, and lacks some characters.
  struct XMLOutput {
    private let copy: ArchiveCopy
    private var text = XMLPropertyListWriter.Output()
    private let flush: ([UInt8]) throws -> Void
    private var pending: [Step] = []
    /// The number of values that may still be written: shared ones are written for each owner.
    private var budget: Int
    private var objectCount = 0

    private enum Step {
      case part(Part, depth: Int)
      case key(Part, depth: Int)
      /// The elements of an array of the archive from an index on.
      case elements(Node.Run, from: Int, depth: Int)
      /// The objects from one on.
      case objects(from: Int, depth: Int)
      /// The objects of a series that are made.
      case made(MadeObjects.Series, depth: Int)
      case line(String, depth: Int)
    }

    init(_ copy: ArchiveCopy, _ flush: @escaping ([UInt8]) throws -> Void) {
      self.copy = copy
      self.flush = flush
      budget = copy.maxValues
    }

    /// Writes the archive; returns the number of objects.
    mutating func write() throws -> Int {
      pending.append(.part(.node(copy.archive.propertyList.top), depth: 0))
      try writePending(above: 0)
      text.end()
      try flush(text.takeBytes())
      return objectCount
    }

    /// Takes steps until a number of them are left.
    private mutating func writePending(above count: Int) throws {
      while pending.count > count, let step = pending.popLast() {
        switch step {
        case .line(let line, let depth): text.append(line: line, depth: depth)
        case .key(let part, let depth): try writeKey(part, depth)
        case .elements(let run, let index, let depth):
          guard index < run.count else { continue }
          pending.append(.elements(run, from: index + 1, depth: depth))
          pending.append(.part(.node(copy.archive.table[run, index]), depth: depth))
        case .objects(let uid, let depth):
          guard uid < copy.objectCount else {
            objectCount = uid
            pending += [.made(.second, depth: depth), .made(.first, depth: depth)]
            continue
          }
          pending.append(.objects(from: uid + 1, depth: depth))
          pending.append(.part(copy[uid], depth: depth))
        case .made(let series, let depth):
          let count = pending.count
          try copy.made?.make { ofPart, part in
            guard ofPart == series else { return }
            objectCount += 1
            pending.append(.part(part, depth: depth))
            try writePending(above: count)
          }
        case .part(let part, let depth):
          budget -= 1
          guard budget >= 0 else { throw ReadingLimits.standard.exceeded(.expansion) }
          try write(part, depth)
        }
        if text.pendingCount >= copyChunk { try flush(text.takeBytes()) }
      }
    }

    private mutating func write(_ part: Part, _ depth: Int) throws {
      switch part {
      case .node(let node): try write(node, depth)
      case .leaf(let value): try write(value, depth)
      case .array(let elements):
        open("array", isEmpty: elements.isEmpty, depth)
        pending += elements.reversed().map { .part($0, depth: depth + 1) }
      case .dictionary, .object:
        let entries = copy.entries(of: part) ?? []
        open("dict", isEmpty: entries.isEmpty, depth)
        add(entries, depth)
      }
    }

    private mutating func write(_ node: Node, _ depth: Int) throws {
      let table = copy.archive.table
      switch table.value(of: node) {
      case .array(let run) where run == copy.archive.objects && run.count > 0:
        open("array", isEmpty: false, depth)
        pending.append(.objects(from: 0, depth: depth + 1))
      case .array(let run):
        open("array", isEmpty: run.count == 0, depth)
        pending.append(.elements(run, from: 0, depth: depth + 1))
      case .set: throw PropertyListWritingError.noXMLForm(of: "a set")
      case .dictionary(let keys, let values):
        open("dict", isEmpty: keys.count == 0, depth)
        let isFrame = node == copy.archive.propertyList.top
        add(
          (0..<keys.count).map { index in
            let own = isFrame ? copy.framePart(table[keys, index]) : nil
            return (.node(table[keys, index]), own ?? .node(table[values, index]))
          }, depth)
      case .wideInteger(let offset):
        text.append(element: "integer", "\(table.wideInteger(at: offset))", depth: depth)
      case let value: try write(copy.leaf(value), depth)
      }
    }

    private mutating func open(_ name: String, isEmpty: Bool, _ depth: Int) {
      text.append(line: isEmpty ? "<\(name)/>" : "<\(name)>", depth: depth)
      if !isEmpty { pending.append(.line("</\(name)>", depth: depth)) }
    }

    private mutating func add(_ entries: [(key: Part, value: Part)], _ depth: Int) {
      for entry in entries.reversed() {
        pending.append(.part(entry.value, depth: depth + 1))
        pending.append(.key(entry.key, depth: depth + 1))
      }
    }

    private mutating func writeKey(_ part: Part, _ depth: Int) throws {
      let value: PropertyListValue =
        switch part {
        case .node(let node): copy.leaf(copy.archive.table.value(of: node))
        case .leaf(let value): value
        case .array, .dictionary, .object: .null
        }
      guard case .string(let key) = value else {
        throw PropertyListWritingError.noXMLForm(of: "a key with half a character")
      }
      try Self.check(key)
      text.append(element: "key", key, depth: depth)
    }

    private mutating func write(_ value: PropertyListValue, _ depth: Int) throws {
      switch value {
      case .uid(let uid):
        text.append(line: "<dict>", depth: depth)
        text.append(element: "key", "CF$UID", depth: depth + 1)
        text.append(element: "integer", "\(uid)", depth: depth + 1)
        text.append(line: "</dict>", depth: depth)
      case .utf16: throw PropertyListWritingError.noXMLForm(of: "a text with half a character")
      case .date(let seconds) where seconds != seconds.rounded():
        throw PropertyListWritingError.noXMLForm(of: "a date with fractions of a second")
      case .string(let string):
        try Self.check(string)
        text.append(element: "string", string, depth: depth)
      default: try text.append(value, depth: depth)
      }
    }

    /// Refuses characters that XML has not.
    private static func check(_ text: String) throws(PropertyListWritingError) {
      guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0xEF }) else { return }
      for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x9, 0xA, 0xD: continue
        case 0..<0x20, 0xFFFE, 0xFFFF: throw .noXMLForm(of: "a text with control characters")
        default: continue
        }
      }
    }
  }
}
