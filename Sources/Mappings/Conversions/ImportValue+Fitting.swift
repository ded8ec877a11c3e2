import DataModel

extension ImportValue {
  /// The value as one that an attribute of a type holds; nil if it holds none of its kind.
  ///
  /// Numbers become those of other types as Core Data stores them: they are rounded where they have
  /// to be. Numbers become texts; texts become UUIDs and URLs, but never numbers.
  package func fitted(to type: AttributeType) -> ImportValue? {
    if isOwn(to: type) { return self }
    switch ValueCoercion.coerce(self, to: type) {
    case .value(let value), .lossy(let value, _): return value
    case .refused: return nil
    }
  }

  /// Whether an attribute of a type cannot hold the value as it is: it is rounded, or refused.
  package func losesValue(in type: AttributeType) -> Bool {
    if isOwn(to: type) { return false }
    if case .value = ValueCoercion.coerce(self, to: type) { return false }
    return true
  }

  /// Whether attributes of a type hold the value without a conversion.
  private func isOwn(to type: AttributeType) -> Bool {
    switch (type, self) {
    case (_, .null), (.string, .text), (.date, .date), (.binary, .data), (.transformable, _),
      (.uuid, .uuid), (.uri, .url), (.boolean, .bool), (.double, .real), (.decimal, .decimal):
      true
    case (.decimal, .real(let value)): value.isNaN
    default: false
    }
  }

  /// True if an attribute of a Core Data store can hold it.
  package var isStorable: Bool {
    switch self {
    case .foundation, .row, .list, .set, .dictionary: false
    default: true
    }
  }
}

extension ImportValue {
  /// The conversion that may make a value of a type of it, as a mapping names it; nil for none.
  package func conversion(to type: AttributeType) -> String? {
    switch (self, type) {
    case (.text, .integer16), (.text, .integer32), (.text, .integer), (.text, .float),
      (.text, .double), (.text, .decimal):
      "number"
    case (.text, .date): "date"
    case (.text, .boolean), (.integer, .boolean), (.real, .boolean), (.decimal, .boolean): "boolean"
    case (.integer, .date), (.real, .date): "{date: {since: 2001}}"
    case (.date, .string): "dateText"
    case (.date, .float), (.date, .double), (.date, .decimal): "{dateNumber: 2001}"
    case (.list, .string), (.set, .string), (.dictionary, .string), (.foundation, .string): "json"
    default: nil
    }
  }

  /// True if the value is a text.
  package var isText: Bool { if case .text = self { true } else { attributedText != nil } }
}
