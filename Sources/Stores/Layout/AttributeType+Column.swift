import DataModel

extension AttributeType {
  /// The type of a column for the values.
  var columnType: Table.ColumnType {
    switch self {
    case .boolean, .integer16, .integer32, .integer: .integer
    case .float, .double: .real
    case .string, .date, .decimal, .uuid, .uri, .json, .attributedText: .text
    case .binary: .blob
    case .transformable, .objectID, .composite, .undefined, .mixed, .unknown: .any
    }
  }
}
