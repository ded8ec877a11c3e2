import Foundation
import Testing

/// An object of an archive as Foundation's unarchiver hands it over, whatever its class.
final class ReadObject: NSObject, NSCoding {
  private let lines: [String]

  private static let keys = [
    "title", "text", "uniqueId", "tags", "hints", "creationDate", "modificationDate", "price",
    "syncIdentifier", "link", "sound", "sketch", "folders", "notes", "timeStamp", "name",
  ]

  init?(coder: NSCoder) {
    lines = Self.keys.compactMap { key in
      guard coder.containsValue(forKey: key), let value = coder.decodeObject(forKey: key) else {
        return nil
      }
      return "\(key): \(Self.text(of: value))"
    }
  }

  func encode(with coder: NSCoder) {}

  override var description: String { lines.joined(separator: "\n") }

  private static func text(of value: Any) -> String {
    switch value {
    case let set as NSSet: "{\(set.map { text(of: $0) }.sorted())}"
    case let array as NSArray: "[\(array.map { text(of: $0) })]"
    default: "\(value)"
    }
  }

  /// The text of everything that a top-level key leads to.
  static func text(of bytes: Data, _ key: String) throws -> String {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: bytes)
    unarchiver.requiresSecureCoding = false
    // Foundation on Linux lacks some classes.
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    for name in ["MTLibrary", "MTFolder", "MTNote", "Event"] {
      unarchiver.setClass(ReadObject.self, forClassName: name)
    }
    return text(of: try #require(unarchiver.decodeObject(forKey: key)))
  }
}
