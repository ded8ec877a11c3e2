/// A part of a text in an XML store of Core Data, which has escapes of its own on top of XML's.
///
/// `\\` is a backslash, and `\u` with four digits a unit of UTF-16 with its two bytes swapped:
/// `\u3c00` is "<". Core Data writes `<`, `>`, `&` and some characters of East Asian texts so.
/// Measured on stores of framework versions 186 to 977; mapping models are such stores, too.
package enum XMLStoreEscape<Bytes: Collection>
where Bytes.Element == UInt8, Bytes.SubSequence == Bytes {
  /// Bytes of UTF-8 that stand for themselves; of an escaped backslash, the one that is meant.
  case plain(Bytes)
  /// A unit.
  case unit(UInt16)
  /// A backslash that begins no escape.
  case stray(Bytes)

  /// Takes the first part off a text.
  ///
  /// - Parameter rest: The text, in UTF-8.
  /// - Returns: The part; nil at the end.
  package static func next(_ rest: inout Bytes) -> Self? {
    let backslash = UInt8(ascii: "\\")
    guard let first = rest.first else { return nil }
    guard first == backslash else {
      let plain = rest.prefix { $0 != backslash }
      rest = rest[plain.endIndex...]
      return .plain(plain)
    }
    if let unit = unit(rest) {
      rest = rest.dropFirst(6)
      return .unit(unit)
    }
    let isEscaped = rest.dropFirst().first == backslash
    let plain = rest.prefix(1)
    rest = rest.dropFirst(isEscaped ? 2 : 1)
    return isEscaped ? .plain(plain) : .stray(plain)
  }

  /// The unit of an escape such as `\u3c00`; nil if it is none.
  private static func unit(_ escape: Bytes) -> UInt16? {
    let digits = escape.dropFirst(2).prefix(4)
    guard escape.dropFirst().first == UInt8(ascii: "u"), digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    return unit.byteSwapped
  }
}
