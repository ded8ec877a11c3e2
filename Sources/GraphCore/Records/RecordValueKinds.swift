extension RecordEvidence {
  /// The kinds of value that dictionaries hold, as far as they tell fields from data: numbers are
  /// of one kind, whatever their type.
  package struct RecordValueKinds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    private init(bit: UInt16) { rawValue = 1 << bit }

    /// The kind of a value; none for nil.
    init(_ value: GraphValue) {
      switch value {
      case .null, .nsNull: self = []
      case .bool: self.init(bit: 0)
      case .integer, .wideInteger, .real, .decimal: self.init(bit: 1)
      case .date: self.init(bit: 2)
      case .text: self.init(bit: 3)
      case .data: self.init(bit: 4)
      case .uuid: self.init(bit: 5)
      case .url, .relativeURL: self.init(bit: 6)
      case .className: self.init(bit: 7)
      case .foundation: self.init(bit: 8)
      case .object: self.init(bit: 9)
      case .collection(_, let kind): self.init(bit: kind.isKeyed ? 10 : 11)
      }
    }

    /// The number of kinds.
    var count: Int { rawValue.nonzeroBitCount }
  }
}
