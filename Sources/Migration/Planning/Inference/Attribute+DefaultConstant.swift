import DataModel
import Foundation
import GraphCore

extension Attribute {
  /// Its default value as a constant of an expression; nil if it has none, or one that the model
  /// does not tell.
  var defaultConstant: UnarchivedValue? {
    switch defaultValue {
    case nil, .other: nil
    case .boolean(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .real(value)
    case .decimal(let text): .decimal(text)
    case .date(let seconds): .date(ArchivedDate(secondsSinceReferenceDate: seconds))
    case .string(let text):
      switch type {
      case .uuid: UUID(uuidString: text).map { .uuid($0) }
      case .uri: .url(text)
      default: .text(text)
      }
    }
  }
}
