import ArchiveWriter
import GraphCore

extension StoreInspection {
  /// A value that an application keeps with its store.
  package struct MetadataValue: Sendable, Equatable {
    package var key: String
    /// The kind of the value in a word: that of an inspected archive.
    package var type: String
    /// The value for people: of a collection or of data how large it is, of a text how it begins.
    package var text: String
  }

  /// The values that applications keep with the store, in its order.
  package var metadataValues: [MetadataValue] {
    (metadata.conversionValues + metadata.applicationValues).map { pair in
      let (type, text) = Self.words(for: pair.value)
      return MetadataValue(key: pair.key, type: type, text: text)
    }
  }

  /// The greatest number of characters of a text that are shown.
  private static let textLength = 80

  private static func words(for value: PropertyListValue) -> (type: String, text: String) {
    switch value {
    case .null: return ("nil", "nil")
    case .bool(let value): return ("bool", "\(value)")
    case .integer(let value): return ("integer", "\(value)")
    case .unsigned(let value): return ("integer", "\(value)")
    case .real(let value): return ("real", "\(value)")
    case .float(let value): return ("real", "\(value)")
    case .date(let seconds): return ("date", DateText.text(secondsSince2001: seconds))
    case .string(let text): return ("string", words(for: text))
    case .utf16(let units): return ("string", words(for: String(decoding: units, as: UTF16.self)))
    case .data(let bytes): return ("data", "data, \(bytes.count) bytes")
    case .uid(let uid): return ("uid", "\(uid)")
    case .array(let elements): return ("array", "array of \(elements.count)")
    case .set(let elements): return ("set", "set of \(elements.count)")
    case .dictionary(let pairs): return ("dictionary", "dictionary of \(pairs.count)")
    }
  }

  private static func words(for text: String) -> String {
    let start = text.prefix(textLength)
    return "\"\(start)\(start.endIndex < text.endIndex ? "…" : "")\""
  }
}
