import ArchiveReader

extension AttributeType {
  /// True if a plain archived value is one of the type and can be bound as it stands.
  func takesAsItIs(_ value: GraphValue) -> Bool {
    switch (self, value) {
    case (_, .null), (_, .nsNull): true
    case (.boolean, .bool), (.integer, .integer), (.double, .real), (.string, .text),
      (.date, .date), (.binary, .data), (.uuid, .uuid), (.decimal, .decimal), (.uri, .url),
      (.json, .foundation), (.attributedText, .text):
      if case .real(let number) = value {
        number.isFinite && !RealColumn.changes(number)
      } else {
        true
      }
    case (.mixed, .object), (.mixed, .collection): false
    case (.mixed, _): true
    default: false
    }
  }

  /// The kind of value that is one of the type and stays what it is; `unset` for none.
  var usualKind: SlotKind {
    switch self {
    case .string: .text
    case .integer: .integer
    case .double: .real
    case .boolean: .bool
    case .date: .date
    case .binary: .data
    case .uuid: .uuid
    case .decimal: .decimal
    case .uri: .url
    default: .unset
    }
  }

  /// True if a value is one of the type, and stays what it is.
  func isType(of value: ImportValue) -> Bool {
    switch (self, value) {
    case (.double, .real(let number)):
      !RealColumn.changes(number)
    case (.string, .text), (.integer, .integer), (.boolean, .bool), (.date, .date),
      (.binary, .data), (.uuid, .uuid), (.decimal, .decimal), (.uri, .url):
      true
    default:
      false
    }
  }
}

extension GraphValue {
  /// True if it is nil, or an NSNull.
  package var isNothing: Bool {
    switch self {
    case .null, .nsNull: true
    default: false
    }
  }
}

extension ImportValue {
  /// The value as what an attribute holds where nothing is set.
  var attributeDefault: AttributeDefault? {
    switch self {
    case .null: nil
    case .bool(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .real(let value): .double(value)
    case .decimal: storedText.map { .decimal($0) }
    case .date(let value): .date(value.timeIntervalSinceReferenceDate)
    default: storedText.map { .string($0) }
    }
  }
}
