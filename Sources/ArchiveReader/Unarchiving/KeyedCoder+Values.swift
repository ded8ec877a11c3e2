import Foundation

extension KeyedCoder {
  // MARK: Numbers

  // Numbers stand in their object. Old archives hold them as objects of their own, or as numbers of
  // another kind: `DecodingOptions` says what becomes of those.

  /// True or false; false where there is no such key.
  public func decodeBool(forKey key: String) throws -> Bool {
    try attempt(false) { try bool(try field(key)) }
  }

  /// A whole number of 32 bits; 0 where there is no such key.
  public func decodeInt32(forKey key: String) throws -> Int32 {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number of 64 bits; 0 where there is no such key.
  public func decodeInt64(forKey key: String) throws -> Int64 {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number; 0 where there is no such key.
  public func decodeInteger(forKey key: String) throws -> Int {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A real number of single precision; one that is too large is an error to a strict coder alone.
  public func decodeFloat(forKey key: String) throws -> Float {
    try attempt(0) { try float(try field(key)) }
  }

  /// A real number; 0 where there is no such key.
  public func decodeDouble(forKey key: String) throws -> Double {
    try attempt(0) { try real(try field(key)) }
  }

  // MARK: Values

  /// A value of a Swift type; nil for nil and where there is no such key.
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

  /// A text; nil for nil and where there is no such key.
  public func decodeString(forKey key: String) throws -> String? { try decode(forKey: key) }

  /// An instant; nil for nil and where there is no such key.
  public func decodeDate(forKey key: String) throws -> Date? { try decode(forKey: key) }

  /// The bytes of an `NSData`; nil for nil and where there is no such key.
  public func decodeData(forKey key: String) throws -> Data? { try decode(forKey: key) }

  /// A UUID; nil for nil and where there is no such key.
  public func decodeUUID(forKey key: String) throws -> UUID? { try decode(forKey: key) }

  /// A URL, resolved against its base; nil for nil and where there is no such key.
  public func decodeURL(forKey key: String) throws -> URL? { try decode(forKey: key) }

  /// An exact decimal number, which no real number is; nil for nil and where there is no such key.
  public func decodeDecimal(forKey key: String) throws -> Decimal? { try decode(forKey: key) }

  /// The values in an array or set, none of them nil; nil for nil and where there is no such key.
  public func decodeArray<Element: DecodedValueConvertible>(
    of type: Element.Type = Element.self, forKey key: String
  ) throws -> [Element]? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      let expected = "an array whose elements are \(Element.expectedKind)"
      let found = try elements(of: field, isOne: { !$0.isKeyed }) {
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

  /// Bytes that stand in the object itself, as `encodeBytes` writes them; nil where there is no
  /// such key.
  public func decodeBytes(forKey key: String) throws -> Data? {
    try attempt(nil) {
      guard let field = try field(key) else { return nil }
      if field.isReference {
        if isStrict { throw field.wrongKind(expected: "bytes") }
        note([.followedReference], field)
      }
      guard let found = try plainValue(field.value, field, "bytes") else { return nil }
      guard case .data(let data) = found else { throw field.wrongKind(expected: "bytes") }
      return data
    }
  }

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

  // MARK: Geometry

  /// A point, which is archived as a text: "{x, y}".
  public func decodePoint(forKey key: String) throws -> CGPoint {
    try attempt(.zero) { try point(key) }
  }

  /// A size, which is archived as a text: "{width, height}".
  public func decodeSize(forKey key: String) throws -> CGSize {
    try attempt(.zero) { try size(key) }
  }

  /// A rectangle, which is archived as a text: "{{x, y}, {width, height}}".
  public func decodeRect(forKey key: String) throws -> CGRect {
    try attempt(.zero) { try rect(key) }
  }

  // MARK: Without keys

  /// The next of the values that were encoded without a key, counted for each object by itself; nil
  /// for nil and after the last one.
  public func decodeObject() throws -> DecodedValue? { try attempt(nil) { try nextValue() } }

  /// The next of the values that were encoded without a key, by its type code in Objective-C, which
  /// is that of a scalar ("i", "d", "B" and so on) or of an object ("@").
  ///
  /// In typedstreams also that of a structure or an array. A list of objects after their number can be
  /// taken as it was written there: the number by "i", and then each of them.
  public func decodeValue(ofObjCType type: String) throws -> DecodedValue? {
    try attempt(nil) { try nextValue(ofObjCType: type) }
  }

  /// The next values, by several type codes: "iI" are two.
  public func decodeValues(ofObjCTypes types: String) throws -> [DecodedValue?] {
    try attempt([]) { try nextValues(ofObjCTypes: types) }
  }

  /// The elements of the array that comes next in a typedstream, all of one type code.
  public func decodeArray(ofObjCType type: String, count: Int) throws -> [DecodedValue?] {
    try attempt([]) { try nextArray(ofObjCType: type, count: count) }
  }

  /// The bytes that come next; nil for nil and after the last value.
  public func decodeBytes() throws -> Data? { try attempt(nil) { try nextBytes() } }

  /// True after the last of the values that were encoded without a key.
  public var isAtEnd: Bool { fields.isAtEnd }
}
