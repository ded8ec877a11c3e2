/// The texts in XML stores of Core Data, which have escapes of their own on top of XML's.
///
/// `\\` is a backslash, and `\uXXXX` a unit of UTF-16 whose two bytes are swapped: `\u3c00` is `<`.
/// The stores of mapping models write `<`, `>`, `&` and some characters of East Asian texts so.
enum XMLStoreText {
  /// The text that is meant; nil if an escape is malformed.
  static func decoded(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var units: [UInt16] = []
    units.reserveCapacity(text.utf8.count)
    var rest = Array(text.utf16)[...]
    while let unit = rest.popFirst() {
      guard unit == UInt16(UInt8(ascii: "\\")) else {
        units.append(unit)
        continue
      }
      switch rest.popFirst() {
      case UInt16(UInt8(ascii: "\\")): units.append(unit)
      case UInt16(UInt8(ascii: "u")):
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        guard digits.utf16.count == 4, digits.allSatisfy(\.isHexDigit),
          let swapped = UInt16(digits, radix: 16)
        else { return nil }
        units.append(swapped.byteSwapped)
        rest = rest.dropFirst(4)
      default: return nil
      }
    }
    return String(validating: units, as: UTF16.self)
  }
}
