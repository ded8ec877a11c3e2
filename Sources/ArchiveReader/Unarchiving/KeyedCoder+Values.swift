import Foundation

extension KeyedCoder {
  /// A value of a Swift type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - key: The key.
  /// - Returns: The value; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decode<Value: DecodedValueConvertible>(
    _ type: Value.Type = Value.self, forKey key: String
  ) throws -> Value? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      try checkPlace(field)
      guard let found = try plainValue(field.value, field, Value.expectedKind) else { return nil }
      guard let value = Value.value(of: found) else {
        throw field.wrongKind(expected: Value.expectedKind)
      }
      return value
    }
  }

  /// A text.
  ///
  /// - Parameter key: The key.
  /// - Returns: The text; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeString(forKey key: String) throws -> String? { try decode(forKey: key) }

  /// An instant.
  ///
  /// - Parameter key: The key.
  /// - Returns: The instant; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeDate(forKey key: String) throws -> Date? { try decode(forKey: key) }

  /// The bytes of an `NSData`.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeData(forKey key: String) throws -> Data? { try decode(forKey: key) }

  /// A UUID.
  ///
  /// - Parameter key: The key.
  /// - Returns: The UUID; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeUUID(forKey key: String) throws -> UUID? { try decode(forKey: key) }

  /// A URL, resolved against its base.
  ///
  /// - Parameter key: The key.
  /// - Returns: The URL; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeURL(forKey key: String) throws -> URL? { try decode(forKey: key) }

  /// An exact decimal number.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind, real numbers included.
  public func decodeDecimal(forKey key: String) throws -> Decimal? { try decode(forKey: key) }

  /// The values in an array or set, of a Swift type.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - key: The key.
  /// - Returns: The values, in the order of the archive; nil for nil and where there is no such
  ///   key.
  /// - Throws: `ArchiveError` if it is no array and no set, or an element is nil or of another
  ///   kind.
  public func decodeArray<Element: DecodedValueConvertible>(
    of type: Element.Type = Element.self, forKey key: String
  ) throws -> [Element]? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      let expected = "an array whose elements are \(Element.expectedKind)"
      let found = try elements(of: field, in: [.array, .set, .orderedSet]) {
        try plainValue($0, field, expected) ?? .null
      }
      return try found?.map { found in
        guard let value = Element.value(of: found) else {
          throw field.wrongKind(expected: expected)
        }
        return value
      }
    }
  }

  /// Bytes that stand in the object itself, as `encodeBytes` writes them.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes; nil where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeBytes(forKey key: String) throws -> Data? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      if field.isReference {
        if unarchiver.options.decoding.isStrict { throw field.wrongKind(expected: "bytes") }
        note(.followedReference, field)
      }
      guard let found = try plainValue(field.value, field, "bytes") else { return nil }
      guard case .data(let data) = found else { throw field.wrongKind(expected: "bytes") }
      return data
    }
  }

  /// A value that a property list can hold: text, a number, bytes, a date, arrays and dictionaries.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil for nil and where there is no such key.
  /// - Throws: `ArchiveError` for a value, or an element, of another kind.
  public func decodePropertyList(forKey key: String) throws -> DecodedValue? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      return try value(of: field, AllowedClass.propertyList)
    }
  }

  // MARK: Geometry

  /// A point, which is archived as a text: "{x, y}".
  ///
  /// - Parameter key: The key.
  /// - Returns: The point; zero where there is no such key.
  /// - Throws: `ArchiveError` for a value that is no point.
  public func decodePoint(forKey key: String) throws -> CGPoint {
    try attempt(.zero) {
      try geometry(key, "a point", "NS.pointval", CGPoint.init(archived:)) ?? .zero
    }
  }

  /// A size, which is archived as a text: "{width, height}".
  ///
  /// - Parameter key: The key.
  /// - Returns: The size; zero where there is no such key.
  /// - Throws: `ArchiveError` for a value that is no size.
  public func decodeSize(forKey key: String) throws -> CGSize {
    try attempt(.zero) {
      try geometry(key, "a size", "NS.sizeval", CGSize.init(archived:)) ?? .zero
    }
  }

  /// A rectangle, which is archived as a text: "{{x, y}, {width, height}}".
  ///
  /// - Parameter key: The key.
  /// - Returns: The rectangle; zero where there is no such key.
  /// - Throws: `ArchiveError` for a value that is no rectangle.
  public func decodeRect(forKey key: String) throws -> CGRect {
    try attempt(.zero) {
      try geometry(key, "a rectangle", "NS.rectval", CGRect.init(archived:)) ?? .zero
    }
  }

  private func geometry<Value>(
    _ key: String, _ expected: String, _ valueKey: String, _ parse: (String) -> Value?
  ) throws -> Value? {
    guard let field = try field(key) else { return nil }
    let found = try field.geometryText(
      valueKey, isStrict: unarchiver.options.decoding.isStrict, unarchiver.graph)
    guard let found else { throw field.wrongKind(expected: expected) }
    for kind in found.adjustments { note(kind, field) }
    guard let text = found.text else { return nil }
    guard let value = parse(text) else { throw field.wrongKind(expected: expected) }
    return value
  }

  // MARK: Fields

  /// A value that is neither an object nor a collection; nil for nil.
  private func plainValue(
    _ value: GraphValue, _ field: ArchivedField, _ expected: String
  ) throws -> DecodedValue? {
    switch try unarchiver.settled(value, nil, field.place) {
    case .value(let value): return value.isNull ? nil : value
    case .plain(.null): return nil
    case .plain(.collection), .object: throw field.wrongKind(expected: expected)
    case .plain(let value): return try unarchiver.plain(value, field.place)
    }
  }
}
