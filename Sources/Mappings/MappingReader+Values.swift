import ArchiveReader
import DataModel
import Support

extension MappingReader {
  /// The known keys of a block, with their values.
  struct Fields {
    let mark: SourceMark
    fileprivate(set) var pairs: [String: MappingNode.Pair] = [:]

    /// The value of a key.
    subscript(key: String) -> MappingNode? { pairs[key]?.value }
  }
}

extension MappingReader {
  // MARK: Blocks and lists

  /// The fields of a block; problems are keys that it cannot have, and keys that it has twice.
  mutating func fields(
    _ node: MappingNode, _ block: MappingVocabulary.Block, or expected: String = ""
  ) -> Fields? {
    guard case .block(let pairs) = node.content else {
      note(
        .wrongKind, at: node.mark, name: node.kind,
        expected: expected.isEmpty ? "a block of \(block.noun)" : expected)
      return nil
    }
    var fields = Fields(mark: node.mark)
    for pair in pairs {
      guard let key = self.key(pair.key) else { continue }
      if !block.keys.contains(key) {
        note(
          .unknownKey, at: pair.key.mark, name: key,
          expected: NearestName.find(key, in: block.keys) == nil
            ? "\(block.noun), whose keys are \(Words.list(block.keys, "and"))" : block.noun,
          among: block.keys)
      } else if fields.pairs.updateValue(pair, forKey: key) != nil {
        note(.duplicateKey, at: pair.key.mark, name: key, expected: block.noun)
      }
    }
    return fields
  }

  /// The names and values of a block whose keys are names; none if there is no block.
  ///
  /// Names of archived classes may be empty, and may look the same: see `ArchivedName`.
  mutating func named(
    _ node: MappingNode?, _ expected: String, _ noun: String, areArchived: Bool = false
  ) -> [(name: Marked<String>, value: MappingNode)] {
    guard let node, !node.isNull else { return [] }
    guard case .block(let pairs) = node.content else {
      note(.wrongKind, at: node.mark, name: node.kind, expected: expected)
      return []
    }
    var seen: Set<String> = []
    return pairs.compactMap { pair in
      guard let key = key(pair.key) else { return nil }
      guard areArchived || !key.isEmpty else {
        note(.emptyName, at: pair.key.mark, expected: "the name of \(noun)")
        return nil
      }
      guard seen.insert(areArchived ? ArchivedName.text(key) : key).inserted else {
        note(.duplicateKey, at: pair.key.mark, name: key, expected: expected)
        return nil
      }
      return (Marked(key, at: pair.key.mark), pair.value)
    }
  }

  /// The items of a list; none if there is no list.
  mutating func list(_ node: MappingNode?, _ expected: String) -> [MappingNode] {
    guard let node, !node.isNull else { return [] }
    if case .list(let items) = node.content { return items }
    note(.wrongKind, at: node.mark, name: node.kind, expected: expected)
    return []
  }

  private mutating func key(_ node: MappingNode) -> String? {
    if let key = node.word { return key }
    note(.wrongKind, at: node.mark, name: node.kind, expected: "a key")
    return nil
  }

  /// The value of a key that may not be absent.
  mutating func required(
    _ key: String, _ fields: Fields, _ block: MappingVocabulary.Block
  ) -> MappingNode? {
    if let node = fields[key] { return node }
    note(.missingKey, at: fields.mark, name: block.noun, expected: "'\(key)'")
    return nil
  }

  /// Notes each of the keys that stands next to another which excludes it.
  mutating func noteConflict(_ key: String, _ others: [String], _ fields: Fields) {
    guard fields.pairs[key] != nil else { return }
    for other in others {
      guard let pair = fields.pairs[other] else { continue }
      note(.conflictingKeys, at: pair.key.mark, name: other, expected: "'\(key)'")
    }
  }

  // MARK: Texts and names

  /// A text that is not empty; nil if the key is absent.
  mutating func name(_ node: MappingNode?, _ expected: String = "a name") -> Marked<String>? {
    guard let node else { return nil }
    guard case .text(let text)? = node.scalar else {
      note(.wrongKind, at: node.mark, name: node.kind, expected: expected)
      return nil
    }
    guard !text.isEmpty else {
      note(.emptyName, at: node.mark, expected: expected)
      return nil
    }
    return Marked(text, at: node.mark)
  }

  /// One name or a list of names; none if the key is absent.
  mutating func names(_ node: MappingNode?) -> [Marked<String>] {
    guard let node else { return [] }
    guard case .list(let items) = node.content else {
      return name(node, "a name or a list of names").map { [$0] } ?? []
    }
    // In a list, an empty name is one: there are classes without a name.
    return items.compactMap { item in
      if case .text("")? = item.scalar { return Marked("", at: item.mark) }
      return name(item)
    }
  }

  // MARK: Words and flags

  /// One of several words; nil if the key is absent.
  mutating func word<Word: RawRepresentable<String>>(
    _ node: MappingNode?, _ words: MappingVocabulary.Words, as: Word.Type = Word.self
  ) -> Word? {
    guard let node else { return nil }
    // Some words, as `null`, are no texts.
    if let text = node.word, let word = Word(rawValue: text) { return word }
    let expected = words.words.joined(separator: ", ")
    guard let text = node.word, !text.isEmpty else {
      note(.wrongKind, at: node.mark, name: node.kind, expected: "one of \(expected)")
      return nil
    }
    note(.unknownWord, at: node.mark, name: text, expected: expected, among: words.words)
    return nil
  }

  /// True or false; nil if the key is absent.
  mutating func flag(_ node: MappingNode?) -> Bool? {
    guard let node else { return nil }
    if case .boolean(let value)? = node.scalar { return value }
    note(.wrongKind, at: node.mark, name: node.kind, expected: "true or false")
    return nil
  }

  // MARK: Numbers and constants

  /// A whole number in a range; nil if the key is absent.
  mutating func integer(_ node: MappingNode?, in range: ClosedRange<Int>) -> Int? {
    guard let node else { return nil }
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    switch node.scalar {
    case .integer(let number)?:
      if let number = Int(exactly: number), range.contains(number) { return number }
      note(.badNumber, at: node.mark, name: "another number", expected: expected)
    case .real?, .hugeNumber?:
      note(.badNumber, at: node.mark, name: "another number", expected: expected)
    default: note(.wrongKind, at: node.mark, name: node.kind, expected: expected)
    }
    return nil
  }

  /// A finite number; nil if the key is absent.
  mutating func number(_ node: MappingNode?) -> Double? {
    guard let node else { return nil }
    switch node.scalar {
    case .integer(let number)?: return Double(number)
    case .real(let number)? where number.isFinite: return number
    case .real?, .hugeNumber?:
      note(.badNumber, at: node.mark, name: "another number", expected: "a finite number")
    default: note(.wrongKind, at: node.mark, name: node.kind, expected: "a number")
    }
    return nil
  }

  /// A plain value; nil if it is none, or the key is absent.
  mutating func constant(_ node: MappingNode?) -> ImportValue? {
    guard let node else { return nil }
    switch node.scalar {
    case .null?: return .null
    case .boolean(let value)?: return .bool(value)
    case .integer(let value)?: return .integer(value)
    case .real(let value)?: return .real(value)
    case .text(let value)?: return .text(value)
    case .hugeNumber?:
      note(
        .badNumber, at: node.mark, name: "a number out of range",
        expected: "a 64-bit integer or a double")
    case nil: note(.wrongKind, at: node.mark, name: node.kind, expected: "a plain value")
    }
    return nil
  }
}
