import DataModel
import Foundation

extension Attribute {
  /// Its default value as a constant of an expression; nil if it has none, or one that the model
  /// does not tell.
  var defaultConstant: ImportValue? {
    guard case .string(let text) = defaultValue else { return defaultValue?.importValue }
    return switch type {
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .url(text)
    default: .text(text)
    }
  }
}
