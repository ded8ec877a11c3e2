import DataModel

extension AttributeType {
  /// The conversion of mapping files that makes values of another type out of those of this one, as
  /// the file spells it; nil where that takes more than a name.
  func conversion(to type: AttributeType) -> String? {
    switch (self, type) {
    case (.string, .decimal): "number"
    case (.string, .integer16), (.string, .integer32), (.string, .integer):
      "{number: {type: integer}}"
    case (.string, .float), (.string, .double): "{number: {type: double}}"
    case (.string, .boolean): "boolean"
    case (.string, .date): "date"
    case (.string, .uuid), (.binary, .uuid): "uuid"
    case (.string, .uri): "url"
    case (.date, .string): "dateText"
    case (.date, .double): "dateNumber"
    case (.uuid, .string), (.uri, .string), (.boolean, .string): "text"
    case (_, .string) where numberRange != nil: "text"
    default: nil
    }
  }
}
