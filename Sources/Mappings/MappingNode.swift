/// A value of a mapping file as YAML has it, with its place.
struct MappingNode: Sendable {
  /// The style of a scalar.
  enum Style: Sendable {
    /// Without quotes: its text tells what kind of value it is.
    case plain
    case singleQuoted
    case doubleQuoted
    /// Line by line, after a bar.
    case literal
    /// In any other way that makes it a text.
    case text
  }

  /// A key of a block, with its value.
  struct Pair: Sendable {
    var key: MappingNode
    var value: MappingNode
  }

  /// The kinds of value.
  enum Content: Sendable {
    case scalar(String, Style)
    case list([MappingNode])
    case block([Pair])
  }

  /// The content of the node.
  let content: Content
  /// The place where the node begins.
  let mark: SourceMark
  /// The number of values in the node, itself included and aliases written out.
  let size: Int
  /// The number of levels of the node, its own included and aliases written out.
  let depth: Int

  init(_ content: Content, at mark: SourceMark) {
    self.content = content
    self.mark = mark
    let parts: [MappingNode] =
      switch content {
      case .scalar: []
      case .list(let items): items
      case .block(let pairs): pairs.flatMap { [$0.key, $0.value] }
      }
    size = parts.reduce(1) { sum, part in
      let (sum, overflow) = sum.addingReportingOverflow(part.size)
      return overflow ? .max : sum
    }
    depth = 1 + (parts.map(\.depth).max() ?? 0)
  }

  /// The scalar's value, by the core schema of YAML 1.2; nil for lists and blocks.
  var scalar: Scalar? {
    switch content {
    case .scalar(let text, .plain): Scalar(plain: text)
    case .scalar(let text, _): .text(text)
    case .list, .block: nil
    }
  }

  /// The text of a scalar as it stands in the file, whatever kind of value it is.
  var word: String? {
    guard case .scalar(let text, _) = content else { return nil }
    return text
  }

  /// True if the node is nothing: a key without a value, or `null`.
  var isNull: Bool { scalar == .null }

  /// The kind of the node, in words.
  var kind: String {
    switch content {
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .block(let pairs): pairs.isEmpty ? "an empty block" : "a block"
    case .scalar: scalar?.kind ?? "?"
    }
  }
}
