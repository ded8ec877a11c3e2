import ArchiveReader
import Foundation

// Numbers, whether they stand in the object or were archived as objects; strict coders take the
// former only.
extension ImportCoder {
  /// True or false, which numbers other than 0 are; false for nil and where there is no such key.
  public func decodeBool(forKey key: String) throws -> Bool {
    if case .bool(let value) = plainValue(key) { return value }
    return try attempt(false) { try bool(try field(key)) }
  }

  /// A whole number of 32 bits; 0 for nil and where there is no such key.
  public func decodeInt32(forKey key: String) throws -> Int32 {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number of 64 bits; 0 for nil and where there is no such key.
  public func decodeInt64(forKey key: String) throws -> Int64 {
    if case .integer(let value) = plainValue(key) { return value }
    return try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number; 0 for nil and where there is no such key.
  public func decodeInteger(forKey key: String) throws -> Int {
    if case .integer(let value) = plainValue(key), let whole = Int(exactly: value) { return whole }
    return try attempt(0) { try integer(try field(key)) }
  }

  /// A real number; 0 for nil and where there is no such key.
  public func decodeDouble(forKey key: String) throws -> Double {
    if case .real(let value) = plainValue(key) { return value }
    return try attempt(0) { try real(try field(key)) }
  }

  /// A real number of single precision; one that is too large is infinite, and listed as a loss, and
  /// an error to a strict coder.
  public func decodeFloat(forKey key: String) throws -> Float {
    try attempt(0) { try float(try field(key)) }
  }

  /// The next of the values that were encoded without a key, by its type code in Objective-C, which
  /// is that of a scalar ("i", "d", "B" and so on) or of an object ("@").
  ///
  /// In typedstreams also that of a structure or an array. A list of objects after their number can be
  /// taken as it was written there: the number by "i", and then each of them.
  public func decodeValue(ofObjCType type: String) throws -> ImportValue {
    try attempt(.null) { try nextValue(ofObjCType: type) }
  }

  /// The next values, by several type codes: "iI" are two.
  public func decodeValues(ofObjCTypes types: String) throws -> [ImportValue] {
    try attempt([]) { try nextValues(ofObjCTypes: types) }
  }

  /// The elements of the array that comes next in a typedstream, all of one type code.
  public func decodeArray(ofObjCType type: String, count: Int) throws -> [ImportValue] {
    try attempt([]) { try nextArray(ofObjCType: type, count: count) }
  }

  /// The bytes that come next; nil for nil and after the last value.
  public func decodeBytes() throws -> Data? { try attempt(nil) { try nextBytes() } }

  /// True after the last of the values that were encoded without a key.
  public var isAtEnd: Bool { fields.isAtEnd }
}

extension ImportCoder: ObjectDecoding {
  package var graph: any ObjectGraph { session.graph }
  package var isStrict: Bool { session.pass.decoding.isStrict }

  package func plain(_ value: GraphValue) -> ImportValue { session.plainValue(of: value) }

  package func number(ofObjectIn field: ArchivedField) throws -> ArchivedNumber {
    // The objects of some classes are values.
    switch try session.importValue(of: field.value, depth: depth) {
    case .null: .nothing
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(Int128(value))
    case .real(let value): .real(value)
    case .decimal(let value): .decimal("\(value)")
    default: .none
    }
  }

  package func note(
    _ kinds: [DecodingAdjustment.Kind], _ field: ArchivedField, taken: Double?
  ) {
    guard let taken, kinds.contains(.lostPrecision) else { return }
    var location = session.location
    location.key = ArchivedKey.plain(field.key)
    session.context.report.addLoss(
      at: location, before: session.plainValue(of: field.value), after: .text("\(taken)"),
      reason: "the number does not fit the precision requested by a hook")
  }

  package func wrongKind(
    _ field: ArchivedField, expected: String, _ number: ArchivedNumber? = nil
  ) -> any Error {
    wrongKind(
      field.key, found: session.words(for: field.value),
      expected: number.map { $0.isNumber ? "a number that fits" : "a number" } ?? expected)
  }

  func wrongKind(_ key: String, found: String, expected: String) -> ImportError {
    ImportError(.wrongKind, name: ArchivedKey.plain(key), found: found, expected: expected)
  }
}
