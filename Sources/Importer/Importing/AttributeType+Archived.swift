import ArchiveReader

extension AttributeType {
  /// Whether a plain archived value is one of the type and can be bound as it stands.
  func takesAsItIs(_ value: ArchivedValue) -> Bool {
    switch (self, value) {
    case (_, .null), (_, .nsNull): true
    case (.boolean, .bool), (.integer, .integer), (.double, .real), (.string, .text),
      (.date, .date), (.binary, .data), (.uuid, .uuid), (.decimal, .decimal), (.uri, .url),
      (.json, .foundation), (.attributedText, .text):
      if case .real(let number) = value { number.isFinite } else { true }
    case (.mixed, .object), (.mixed, .collection): false
    case (.mixed, _): true
    default: false
    }
  }
}
