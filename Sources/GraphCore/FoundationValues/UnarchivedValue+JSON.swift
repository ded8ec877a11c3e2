import Foundation

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
