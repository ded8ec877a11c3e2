/// A coder as far as it takes numbers: how that is done is the same for all.
package protocol NumberDecoding: AnyObject {
  /// The next of the values that were encoded without a key; nil after the last one.
  func nextUnkeyedField() throws(ArchiveError) -> ArchivedField?

  /// Where the next of the values without a key stands.
  var unkeyedPlace: ArchiveError.Position { get }

  /// Takes the number in a field, and notes what had to be done to get it.
  ///
  /// - Parameters:
  ///   - field: The field; nil where there is no such key.
  ///   - nothing: What is given then.
  ///   - body: Takes the number.
  /// - Returns: The number.
  /// - Throws: An error for a value of another kind.
  func take<Value>(
    _ field: ArchivedField?, _ nothing: Value,
    _ body: (ArchivedField, NumberCoercion, ArchivedNumber) throws -> NumberCoercion.Coerced<Value>
  ) throws -> Value
}

extension NumberCoercion {
  /// A value that was encoded without a key.
  package enum UnkeyedScalar {
    case object(ArchivedField)
    case bool(Bool)
    case integer(Int128)
    case real(Double)
  }
}

extension NumberDecoding {
  package func bool(_ field: ArchivedField?) throws -> Bool {
    try take(field, false) { (field, taker, number) in try field.bool(taker, number) }
  }

  package func integer<Value: FixedWidthInteger>(_ field: ArchivedField?) throws -> Value {
    try take(field, 0) { (field, taker, number) in try field.integer(taker, number) }
  }

  package func real(_ field: ArchivedField?) throws -> Double {
    try take(field, 0) { (field, taker, number) in try field.real(taker, number) }
  }

  package func float(_ field: ArchivedField?) throws -> Float {
    try take(field, 0) { (field, taker, number) in try field.float(taker, number) }
  }

  /// The next of the values without a key, by its type code in Objective-C; nil after the last.
  package func nextScalar(ofObjCType type: String) throws -> NumberCoercion.UnkeyedScalar? {
    guard let code = ObjCTypeCode(type) else {
      throw ArchiveError(.unsupportedTypeCode, at: unkeyedPlace, name: type)
    }
    guard let next = try nextUnkeyedField() else { return nil }
    switch code {
    case .object: return .object(next)
    case .bool: return .bool(try bool(next))
    case .float: return .real(Double(try float(next)))
    case .double: return .real(try real(next))
    case .integer:
      let number: Int128 = try integer(next)
      guard code.holds(number) else {
        throw ArchiveError(.outOfRange, at: next.place, name: "type code \(type)")
      }
      return .integer(number)
    }
  }
}
