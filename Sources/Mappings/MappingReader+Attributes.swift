import DataModel

extension MappingReader {
  /// An attribute; nil if nothing can be made of it.
  mutating func attribute(
    _ name: Marked<String>, _ node: MappingNode, _ block: MappingVocabulary.Block = .attribute
  ) -> AttributeMapping? {
    guard let (source, fields) = property(name, node, block) else { return nil }
    var attribute = AttributeMapping(name: name, source: source)
    attribute.conversions = conversions(fields["convert"])
    attribute.type = attributeType(fields["type"])
    attribute.isOptional = flag(fields["optional"])
    attribute.defaultValue = constant(fields["default"])
    attribute.minimum = number(fields["minimum"])
    attribute.maximum = number(fields["maximum"])
    if let minimum = attribute.minimum, let maximum = attribute.maximum, minimum > maximum,
      let node = fields["minimum"]
    {
      note(.badRange, at: node.mark, expected: MappingVocabulary.Block.attribute.noun)
    }
    attribute.pattern = pattern(fields["pattern"])
    attribute.keepsNegativeZero = flag(fields["keepNegativeZero"]) ?? false
    return attribute
  }

  /// A regular expression; nil if it is wrong, or the key is absent.
  private mutating func pattern(_ node: MappingNode?) -> Marked<String>? {
    guard let pattern = name(node, "a regular expression"), let node else { return nil }
    if Attribute.expression(pattern.value) != nil { return pattern }
    note(.badPattern, at: node.mark, name: pattern.value)
    return nil
  }

  /// The type of an attribute; nil if the key is absent.
  mutating func attributeType(_ node: MappingNode?) -> AttributeType? {
    // Core Data's own name.
    if node?.word == "integer64" { return .integer }
    return word(node, .attributeType)
  }

  // MARK: Where values come from

  /// The source of a property, and the further fields; nil if it is wrong.
  ///
  /// Instead of a block there can be a key path alone, or nothing, for the key of the same name.
  mutating func property(
    _ name: Marked<String>, _ node: MappingNode, _ block: MappingVocabulary.Block
  ) -> (source: Marked<ValueSource>, fields: Fields)? {
    switch node.scalar {
    case .null?: return (Self.sameKey(name), Fields(mark: node.mark))
    case .text?: return keyPath(node).map { ($0, Fields(mark: node.mark)) }
    default:
      guard let fields = fields(node, block, or: "a key or a block of \(block.noun)") else {
        return nil
      }
      return source(name, fields).map { ($0, fields) }
    }
  }

  private mutating func source(
    _ name: Marked<String>, _ fields: Fields
  ) -> Marked<ValueSource>? {
    noteConflict("from", ["value", "expression"], fields)
    if fields["from"] == nil { noteConflict("value", ["expression"], fields) }
    if let node = fields["from"] { return keyPath(node) }
    if let node = fields["value"] {
      return constant(node).map { Marked(.constant($0), at: node.mark) }
    }
    if let node = fields["expression"] {
      return expression(node).map { Marked(.expression($0.value), at: $0.mark) }
    }
    return Self.sameKey(name)
  }

  private static func sameKey(_ name: Marked<String>) -> Marked<ValueSource> {
    Marked(.keyPath([name.value]), at: name.mark)
  }

  /// A text is cut at its dots; the keys in a list are whole.
  private mutating func keyPath(_ node: MappingNode) -> Marked<ValueSource>? {
    if case .list(let items) = node.content {
      guard !items.isEmpty else {
        note(.wrongKind, at: node.mark, name: node.kind, expected: "a key or a list of keys")
        return nil
      }
      let keys = items.compactMap { item -> String? in
        // An archived key can be empty.
        if case .text("")? = item.scalar { return "" }
        return name(item, "a key")?.value
      }
      return keys.count == items.count ? Marked(.keyPath(keys), at: node.mark) : nil
    }
    guard let text = name(node, "a key or a list of keys")?.value else { return nil }
    let keys = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard !keys.contains("") else {
      note(.emptyName, at: node.mark, expected: "a key on either side of a dot")
      return nil
    }
    return Marked(.keyPath(keys), at: node.mark)
  }
}
