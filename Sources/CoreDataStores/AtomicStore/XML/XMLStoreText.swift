import ArchiveReader
import GraphCore

/// The texts of XML stores, which have escapes of their own: see `XMLStoreEscape`.
///
/// A backslash that begins none stands for itself: other programs write no escapes at all.
struct XMLStoreText {
  /// The numbers of units that Core Data escapes: as they are read, and with their bytes the other
  /// way round.
  private var swapped = 0
  private var unswapped = 0
  /// The number of units that are no characters as they are read, but are the other way round.
  private var misread = 0

  /// True if the escapes of all texts so far seem to have been written with the other byte order:
  /// none is of a character that Core Data escapes, but some would be.
  var isSuspect: Bool { swapped == 0 && (unswapped > 0 || misread > 0) }

  /// The text that is written in a store.
  ///
  /// - Parameters:
  ///   - written: The text of the element, in UTF-8.
  ///   - bytes: The memory for the text.
  /// - Returns: The text: in UTF-16 if it has unpaired surrogates.
  mutating func text(
    _ written: [UInt8], in bytes: AtomicBytes
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

  /// True if a byte is white space of XML.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  /// The text in UTF-8; nil if a surrogate is escaped, the other half of which may follow.
  private mutating func textWithoutSurrogates(_ written: [UInt8]) -> [UInt8]? {
    let before = self
    var text: [UInt8] = []
    text.reserveCapacity(written.count)
    var rest = written[...]
    while let part = XMLStoreEscape.next(&rest) {
      switch part {
      case .plain(let bytes), .stray(let bytes): text += bytes
      case .unit(let unit):
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
  private mutating func units(_ written: [UInt8]) -> [UInt16] {
    var units: [UInt16] = []
    var rest = written[...]
    while let part = XMLStoreEscape.next(&rest) {
      switch part {
      case .plain(let bytes), .stray(let bytes):
        units += String(decoding: bytes, as: UTF8.self).utf16
      case .unit(let unit):
        note(unit)
        units.append(unit)
      }
    }
    return units
  }

  // MARK: The order of bytes

  private mutating func note(_ unit: UInt16) {
    if Self.isUsual(unit) { swapped += 1 }
    if Self.isUsual(unit.byteSwapped) { unswapped += 1 }
    if !Self.isCharacter(unit), Self.isCharacter(unit.byteSwapped) { misread += 1 }
  }

  /// True if Core Data escapes a unit: the marks of XML, the forms for East Asian text next to
  /// U+FF00, the byte-order mark, and surrogates.
  private static func isUsual(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x26, 0x3C, 0x3E, 0xFEFF, 0xFF01...0xFFEE, 0xD800...0xDFFF: true
    default: false
    }
  }

  /// True if a unit is that of a character, or of a half of one, which a text may have.
  private static func isCharacter(_ unit: UInt16) -> Bool {
    guard let scalar = Unicode.Scalar(unit) else { return true }
    return switch scalar.properties.generalCategory {
    case .unassigned: false
    case .control: scalar == "\t" || scalar == "\n" || scalar == "\r"
    default: true
    }
  }
}
