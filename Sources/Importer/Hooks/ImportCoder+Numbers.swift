import ArchiveReader
import Foundation

// Numbers, whether they stand in the object or were archived as objects; strict coders take the
// former only.
extension ImportCoder {
  /// True or false; numbers other than 0 are true.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; false for nil and where there is no such key.
  /// - Throws: `ImportError` for a value that is no number.
  public func decodeBool(forKey key: String) throws -> Bool {
    if case .bool(let value) = plainValue(key) { return value }
    return try attempt(false) { try bool(try field(key)) }
  }

  /// A whole number of 32 bits.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 for nil and where there is no such key.
  /// - Throws: `ImportError` for a value that is no whole number, `ArchiveError` for one that is
  ///   too large.
  public func decodeInt32(forKey key: String) throws -> Int32 {
    try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number of 64 bits.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 for nil and where there is no such key.
  /// - Throws: `ImportError` for a value that is no whole number, `ArchiveError` for one that is
  ///   too large.
  public func decodeInt64(forKey key: String) throws -> Int64 {
    if case .integer(let value) = plainValue(key) { return value }
    return try attempt(0) { try integer(try field(key)) }
  }

  /// A whole number.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 for nil and where there is no such key.
  /// - Throws: `ImportError` for a value that is no whole number, `ArchiveError` for one that is
  ///   too large.
  public func decodeInteger(forKey key: String) throws -> Int {
    if case .integer(let value) = plainValue(key), let whole = Int(exactly: value) { return whole }
    return try attempt(0) { try integer(try field(key)) }
  }

  /// A real number.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 for nil and where there is no such key.
  /// - Throws: `ImportError` for a value that is no number.
  public func decodeDouble(forKey key: String) throws -> Double {
    if case .real(let value) = plainValue(key) { return value }
    return try attempt(0) { try real(try field(key)) }
  }

  /// A real number of single precision.
  ///
  /// One that is too large is infinite, and listed as a loss.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; 0 for nil and where there is no such key.
  /// - Throws: `ImportError` for a value that is no number, `ArchiveError` from a strict coder for
  ///   one that is too large.
  public func decodeFloat(forKey key: String) throws -> Float {
    try attempt(0) { try float(try field(key)) }
  }

  /// The next of the values that were encoded without a key, by its type code in Objective-C.
  ///
  /// - Parameter type: The code of a scalar ("i", "d", "B" and so on) or of an object ("@").
  /// - Returns: The value; `.null` for nil and after the last one.
  /// - Throws: `ImportError` for a value of another kind, `ArchiveError` for a number that is too
  ///   large and a code that is no scalar's.
  public func decodeValue(ofObjCType type: String) throws -> ImportValue {
    try attempt(.null) {
      switch try nextScalar(ofObjCType: type) {
      case .object(let field): try value(of: field)
      case .bool(let value): .bool(value)
      case .integer(let number): ImportValue(number)
      case .real(let value): .real(value)
      case nil: .null
      }
    }
  }
}

extension ImportCoder: NumberDecoding {
  package func nextUnkeyedField() throws(ArchiveError) -> ArchivedField? {
    try fields.nextUnkeyedField(session.graph)
  }

  package var unkeyedPlace: ArchiveError.Position { fields.unkeyedPlace }

  package func take<Value>(
    _ field: ArchivedField?, _ nothing: Value,
    _ body: (ArchivedField, NumberCoercion, ArchivedNumber) throws -> NumberCoercion.Coerced<Value>
  ) throws -> Value {
    guard let field else { return nothing }
    var number = ArchivedNumber(field.value)
    if case .object = field.value {
      // The objects of some classes are values.
      number = ArchivedNumber(try session.importValue(of: field.value, depth: depth))
    }
    do {
      let taken = try body(field, NumberCoercion(isStrict: isStrict), number)
      if taken.adjustments.contains(.lostPrecision) {
        var location = session.location
        location.key = ArchivedKey.plain(field.key)
        // A number of single precision is shown with the digits that it has as any other number.
        let after = (taken.value as? Float).map { "\(Double($0))" } ?? "\(taken.value)"
        session.context.report.addLoss(
          at: location, before: session.plainValue(of: field.value), after: .text(after),
          reason: "the number does not fit the precision requested by a hook")
      }
      return taken.value
    } catch let error as ArchiveError where error.code == .wrongKind {
      throw wrongKind(field, expected: number.isNumber ? "a number that fits" : "a number")
    }
  }
}

extension ArchivedNumber {
  /// The number that a value is.
  init(_ value: ImportValue) {
    switch value {
    case .null: self = .nothing
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .decimal(let value): self = .decimal("\(value)")
    default: self = .none
    }
  }

  /// Whether it is one, of whatever kind.
  fileprivate var isNumber: Bool {
    switch self {
    case .bool, .integer, .real, .decimal: true
    default: false
    }
  }
}
