import Foundation

// Numbers stand in their object. Old archives hold them as objects of their own, or as numbers of
// another kind: `DecodingOptions` says what becomes of those.
extension KeyedCoder {
  /// True or false.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; false where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeBool(forKey key: String) throws -> Bool {
    try attempt(false) { try bool(try field(key)) }
  }

  /// A whole number of 32 bits.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind, or a number that is too large.
  public func decodeInt32(forKey key: String) throws -> Int32 {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number of 64 bits.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind, or a number that is too large.
  public func decodeInt64(forKey key: String) throws -> Int64 {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind, or a number that is too large.
  public func decodeInteger(forKey key: String) throws -> Int {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A real number of single precision.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind; to a strict coder also for a number that
  ///   is too large.
  public func decodeFloat(forKey key: String) throws -> Float {
    try attempt(0) { try float(try field(key)) }
  }

  /// A real number.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 where there is no such key.
  /// - Throws: `ArchiveError` for a value of another kind.
  public func decodeDouble(forKey key: String) throws -> Double {
    try attempt(0) { try real(try field(key)) }
  }

  // MARK: Without keys

  /// The next of the values that were encoded without a key, by its type code in Objective-C.
  ///
  /// - Parameter type: The code of a scalar ("i", "d", "B" and so on) or of an object ("@").
  /// - Returns: The value; nil for nil and after the last one.
  /// - Throws: `ArchiveError` for a value of another kind, a number that is too large, and a code
  ///   that is no scalar's.
  public func decodeValue(ofObjCType type: String) throws -> DecodedValue? {
    try attempt(nil) {
      switch try nextScalar(ofObjCType: type) {
      case .object(let field): try value(of: field, nil)
      case .bool(let value): .bool(value)
      case .integer(let number):
        Int64(exactly: number).map { .integer($0) } ?? .wideInteger(number)
      case .real(let value): .real(value)
      case nil: nil
      }
    }
  }
}

extension KeyedCoder: NumberDecoding {
  package func nextUnkeyedField() throws(ArchiveError) -> ArchivedField? {
    try state.fields.nextUnkeyedField(unarchiver.graph)
  }

  package var unkeyedPlace: ArchiveError.Position { state.fields.unkeyedPlace }

  package func take<Value>(
    _ field: ArchivedField?, _ nothing: Value,
    _ body: (ArchivedField, NumberCoercion, ArchivedNumber) throws -> NumberCoercion.Coerced<Value>
  ) throws -> Value {
    guard let field else { return nothing }
    var number = ArchivedNumber(field.value)
    if case .object = field.value {
      switch try unarchiver.settled(field.value, nil, field.place) {
      case .plain(let value): number = ArchivedNumber(value)
      case .value(let value): number = ArchivedNumber(value)
      case .object: break
      }
    }
    let taker = NumberCoercion(isStrict: unarchiver.options.decoding.isStrict)
    let taken = try body(field, taker, number)
    for kind in taken.adjustments { note(kind, field) }
    return taken.value
  }
}

extension ArchivedNumber {
  /// The number that a value is.
  init(_ value: DecodedValue) {
    switch value {
    case .null, .nsNull: self = .nothing
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .wideInteger(let value): self = .wide(value)
    case .real(let value): self = .real(value)
    case .decimal(let value): self = .decimal("\(value)")
    default: self = .none
    }
  }
}
