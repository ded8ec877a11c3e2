import Foundation

/// A value copied out of an archive, whole: plain values, collections, and values of Foundation's
/// other classes.
///
/// It stands for what may be inside of a `FoundationValue`, such as the attributes of a text or the
/// user info of an error, where any object could have been encoded.
public enum UnarchivedValue: Sendable, Hashable {
  /// Nil.
  case null
  /// A boolean.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// An integer beyond `Int64`.
  case wideInteger(Int128)
  /// A floating-point number.
  case real(Double)
  /// An instant.
  case date(ArchivedDate)
  /// A text.
  case text(String)
  /// Bytes.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A decimal number as exact text: "-12.3", "NaN".
  case decimal(String)
  /// A URL, absolute.
  case url(String)
  /// An NSNull, which is not nil.
  case nsNull
  /// A class that was encoded as a value, by its archived name.
  case className(String)
  /// The elements of an NSArray.
  case array([UnarchivedValue])
  /// The elements of an NSSet, in the order of the archive.
  case set([UnarchivedValue])
  /// The elements of an NSOrderedSet.
  case orderedSet([UnarchivedValue])
  /// The elements of an NSCountedSet, each with its count.
  case countedSet([Pair])
  /// The pairs of an NSDictionary, in the order of the archive.
  case dictionary([Pair])
  /// A value of another class of Foundation.
  indirect case foundation(FoundationValue)

  /// A key of a dictionary with its value, or an element of a counted set with its count.
  public struct Pair: Sendable, Hashable {
    /// The key or the element.
    public var key: UnarchivedValue
    /// The value or the count.
    public var value: UnarchivedValue

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - key: The key or the element.
    ///   - value: The value or the count.
    public init(_ key: UnarchivedValue, _ value: UnarchivedValue) {
      self.key = key
      self.value = value
    }
  }
}

extension UnarchivedValue {
  /// The text, if it is one.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The value of a Foundation class, if it is one.
  public var foundationValue: FoundationValue? {
    if case .foundation(let value) = self { value } else { nil }
  }

  /// The values of a dictionary by its keys, if it is one whose keys are different texts.
  public var valuesByKey: [String: UnarchivedValue]? {
    guard case .dictionary(let pairs) = self else { return nil }
    var values: [String: UnarchivedValue] = [:]
    for pair in pairs {
      guard let key = pair.key.text, values.updateValue(pair.value, forKey: key) == nil else {
        return nil
      }
    }
    return values
  }
}

extension UnarchivedValue: Encodable {
  /// The keys of the small objects for values that JSON has no type for.
  private enum Key: String, CodingKey {
    case `class`
    case value
    case date
    case base64
    case uuid
    case url
    case name
    case elements
    case pairs
  }

  /// Encodes the value as its JSON form.
  ///
  /// Nil, booleans, numbers, texts, arrays, and dictionaries from texts are what they are in JSON;
  /// all else is an object with the key `class`.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .wideInteger(let value): try object(encoder, "NSNumber", .value, String(value))
    case .real(let value): try value.encode(to: encoder)
    case .text(let value): try value.encode(to: encoder)
    case .date(let value): try object(encoder, "NSDate", .date, value)
    case .data(let value): try object(encoder, "NSData", .base64, value)
    case .uuid(let value): try object(encoder, "NSUUID", .uuid, value.uuidString)
    case .decimal(let value): try object(encoder, "NSDecimalNumber", .value, value)
    case .url(let value): try object(encoder, "NSURL", .url, value)
    case .nsNull:
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("NSNull", forKey: .class)
    case .className(let name): try object(encoder, "Class", .name, name)
    case .array(let elements): try elements.encode(to: encoder)
    case .set(let elements): try object(encoder, "NSSet", .elements, elements)
    case .orderedSet(let elements): try object(encoder, "NSOrderedSet", .elements, elements)
    case .countedSet(let pairs): try object(encoder, "NSCountedSet", .pairs, pairs)
    case .dictionary(let pairs):
      // A dictionary with the key "class" could be taken for one of the objects.
      if let values = valuesByKey, values["class"] == nil {
        try values.encode(to: encoder)
      } else {
        try object(encoder, "NSDictionary", .pairs, pairs)
      }
    case .foundation(let value): try value.encode(to: encoder)
    }
  }

  private func object(
    _ encoder: any Encoder, _ name: String, _ key: Key, _ value: some Encodable
  ) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .class)
    try container.encode(value, forKey: key)
  }
}

extension UnarchivedValue.Pair: Encodable {
  /// Encodes the pair as an array of two.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(key)
    try container.encode(value)
  }
}

extension Encodable {
  /// The JSON of a value whose own encoding throws nothing: keys sorted, slashes as they are, and
  /// numbers that JSON has not as the texts "NaN", "Infinity" and "-Infinity".
  var jsonText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    // Values of the archive have no encoding that could fail.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

extension String {
  /// The same of a text, without an encoder where nothing is escaped.
  var quotedJSON: String {
    let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }
    return isPlain ? "\"\(self)\"" : jsonText
  }
}
