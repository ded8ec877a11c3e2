import GraphCore

/// The texts of XML stores, which have escapes of their own besides those of XML.
///
/// `\\` is a backslash, and `\uXXXX` a unit of UTF-16 with its two bytes swapped: `\u3c00` is "<".
/// Any other backslash stands for itself: other programs write no escapes at all. Measured on stores
/// of framework versions 186 to 977.
struct XMLStoreText {
  /// How many of the units are such as Core Data escapes, as they are read and with their bytes the
  /// other way round.
  private var swapped = 0
  private var unswapped = 0
  /// How many of the units are no characters as they are read, but are the other way round.
  private var misread = 0

  /// Whether the escapes of all texts so far seem to have been written with the other byte order: none
  /// is of a character that Core Data escapes, but some would be.
  var isSuspect: Bool { swapped == 0 && (unswapped > 0 || misread > 0) }

  /// The text that is written in a store.
  ///
  /// - Parameters:
  ///   - written: What stands in the element, in UTF-8.
  ///   - bytes: Where the text is kept.
  /// - Returns: The text: in UTF-16 if it has unpaired surrogates.
  mutating func text(
    _ written: UnsafeRawBufferPointer, in bytes: AtomicBytes
  ) -> BorrowedText {
    guard written.contains(Self.backslash) else {
      return BorrowedText(bytes: bytes.add(written), encoding: .utf8)
    }
    if let text = textWithoutSurrogates(written) {
      return BorrowedText(bytes: bytes.add(text), encoding: .utf8)
    }
    let units = units(written)
    if let text = String(validating: units, as: UTF16.self) {
      return BorrowedText(bytes: bytes.add(text.utf8), encoding: .utf8)
    }
    let pairs = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return BorrowedText(bytes: bytes.add(pairs), encoding: .utf16)
  }

  private static let backslash = UInt8(ascii: "\\")

  /// Whether a byte is white space of XML.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  /// The text in UTF-8; nil if a surrogate is escaped, the other half of which may follow.
  private mutating func textWithoutSurrogates(_ written: UnsafeRawBufferPointer) -> [UInt8]? {
    let before = self
    var text: [UInt8] = []
    text.reserveCapacity(written.count)
    var rest = written[...]
    while let part = Self.next(&rest) {
      switch part {
      case .plain(let bytes): text += bytes
      case .escaped(let unit):
        guard let scalar = Unicode.Scalar(unit) else {
          // They are counted when the units are read.
          self = before
          return nil
        }
        note(unit)
        text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return text
  }

  /// The text in units of UTF-16.
  private mutating func units(_ written: UnsafeRawBufferPointer) -> [UInt16] {
    var units: [UInt16] = []
    var rest = written[...]
    while let part = Self.next(&rest) {
      switch part {
      case .plain(let bytes): units += String(decoding: bytes, as: UTF8.self).utf16
      case .escaped(let unit):
        note(unit)
        units.append(unit)
      }
    }
    return units
  }

  /// A part of a text: as it is written, or an escaped unit.
  private enum Part {
    case plain(Slice<UnsafeRawBufferPointer>)
    case escaped(UInt16)
  }

  /// Takes the first part off a text; nil at its end.
  private static func next(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Part? {
    guard let first = rest.first else { return nil }
    guard first == backslash else {
      let plain = rest.prefix { $0 != backslash }
      rest = rest[plain.endIndex...]
      return .plain(plain)
    }
    if let unit = escapedUnit(rest) {
      rest = rest.dropFirst(6)
      return .escaped(unit)
    }
    // Two stand for one, and one that begins no escape for itself.
    let plain = rest.prefix(1)
    rest = rest.dropFirst(rest.dropFirst().first == backslash ? 2 : 1)
    return .plain(plain)
  }

  /// The unit of an escape such as `\u3c00`; nil if it is none.
  private static func escapedUnit(_ escape: Slice<UnsafeRawBufferPointer>) -> UInt16? {
    let digits = escape.dropFirst(2).prefix(4)
    guard escape.dropFirst().first == UInt8(ascii: "u"), digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    return unit.byteSwapped
  }

  // MARK: The order of bytes

  private mutating func note(_ unit: UInt16) {
    if Self.isUsual(unit) { swapped += 1 }
    if Self.isUsual(unit.byteSwapped) { unswapped += 1 }
    if !Self.isCharacter(unit), Self.isCharacter(unit.byteSwapped) { misread += 1 }
  }

  /// Whether a unit is such as Core Data escapes: the marks of XML, the forms for East Asian text
  /// beside U+FF00, the byte-order mark, and surrogates.
  private static func isUsual(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x26, 0x3C, 0x3E, 0xFEFF, 0xFF01...0xFFEE, 0xD800...0xDFFF: true
    default: false
    }
  }

  /// Whether a unit is that of a character, or of a half of one, which a text may have.
  private static func isCharacter(_ unit: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(unit) else { return true }
    return switch scalar.properties.generalCategory {
    case .unassigned: false
    case .control: scalar == "\t" || scalar == "\n" || scalar == "\r"
    default: true
    }
  }
}
