import DataModel

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
