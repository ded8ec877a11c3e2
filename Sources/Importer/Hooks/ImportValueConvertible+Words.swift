import ArchiveReader
import Foundation

extension ImportValueConvertible {
  /// The type in words, for messages.
  static var words: String {
    switch Self.self {
    case is String.Type: "a text"
    case is Date.Type: "a date"
    case is Bool.Type: "a boolean"
    case is Int.Type, is Int64.Type: "a whole number"
    case is Double.Type, is Float.Type: "a number"
    case is Decimal.Type: "a decimal number"
    case is Data.Type: "data"
    case is UUID.Type: "a UUID"
    case is URL.Type: "a URL"
    case is DestinationInstance.Type: "a row"
    case is [DestinationInstance].Type: "rows"
    case let list as any ListOfImportValues.Type: "a list of \(list.elementWords)"
    default: "\(Self.self)"
    }
  }
}

/// A list of values of one type.
private protocol ListOfImportValues {
  static var elementWords: String { get }
}

extension Array: ListOfImportValues where Element: ImportValueConvertible {
  fileprivate static var elementWords: String { "values, each \(Element.words)" }
}

extension ImportSession {
  /// The kind of a value, in words.
  func words(for value: GraphValue) -> String {
    switch value {
    case .object(_, let id): "an object of \(graph.classes[id.index].name)"
    case .collection(_, let kind):
      switch kind {
      case .set: "a set"
      default: kind.isKeyed ? "a dictionary" : "an array"
      }
    default: plainValue(of: value).kind
    }
  }
}
