import DataModel
import Foundation
import GraphCore

extension XMLStoreSource.Reader {
  /// Reads the values of attributes in XML stores, as the model says.
  ///
  /// What the store itself says of the type does not count. Numbers, dates (seconds since 2001) and
  /// decimals are written in digits, booleans as 0 and 1, data in base64 with white space.
  struct Value {
    /// The texts, which have escapes of their own.
    private(set) var texts = XMLStoreText()

    /// The value that is written.
    ///
    /// - Parameters:
    ///   - written: The text of the element, in UTF-8.
    ///   - type: The type of the attribute.
    ///   - bytes: The memory for texts and data.
    /// - Returns: The value.
    /// - Throws: `ArchiveError` with the code `wrongKind` if it is not written as one of the type
    ///   is, `outOfRange` if it is a number that the type does not hold.
    mutating func value(
      _ written: [UInt8], as type: AttributeType, in bytes: AtomicBytes
    ) throws(ArchiveError) -> GraphValue {
      switch type {
      case .string, .objectID, .undefined, .json, .attributedText, .mixed, .unknown:
        return .text(texts.text(written, in: bytes))
      case .binary, .transformable:
        guard let data = Self.data(written) else { throw Self.wrong("base64") }
        return .data(bytes.add(data))
      case .uri:
        let text = texts.text(written, in: bytes)
        guard text.encoding == .utf8 else { throw Self.wrong("a URL") }
        return .url(text)
      case .composite: throw Self.wrong("of a type that an XML store can hold")
      case .boolean, .integer16, .integer32, .integer, .float, .double, .decimal, .date, .uuid:
        return try Self.plain(Self.trimmed(written), as: type, in: bytes)
      }
    }

    private static func plain(
      _ word: String, as type: AttributeType, in bytes: AtomicBytes
    ) throws(ArchiveError) -> GraphValue {
      switch type {
      case .boolean:
        guard let value = boolean(word) else { throw wrong("a boolean") }
        return .bool(value)
      case .integer16, .integer32, .integer:
        guard let value = integer(word) else { throw wrong("an integer") }
        try type.check(value)
        return .integer(value)
      case .float, .double:
        guard let value = real(word) else { throw wrong("a number") }
        try type.check(value)
        return .real(value)
      case .date:
        guard let value = real(word) else { throw wrong("a date in seconds") }
        return .date(value)
      case .decimal:
        guard let value = ArchivedDecimal(text: word) else { throw wrong("a decimal number") }
        return .decimal(value)
      default:
        guard let value = uuid(word) else { throw wrong("a UUID") }
        return .uuid(bytes.add(value))
      }
    }

    private static func wrong(_ name: String) -> ArchiveError {
      ArchiveError(.wrongKind, name: name)
    }

    // MARK: Words

    private static func trimmed(_ written: [UInt8]) -> String {
      let rest = written.drop { XMLStoreText.isSpace($0) }
      let end = rest.lastIndex { !XMLStoreText.isSpace($0) }.map { $0 + 1 } ?? rest.startIndex
      return String(decoding: rest[..<end], as: UTF8.self)
    }

    private static func boolean(_ word: String) -> Bool? {
      switch word.lowercased() {
      case "1", "true", "yes": true
      case "0", "false", "no": false
      default: nil
      }
    }

    private static func integer(_ word: String) -> Int64? {
      if let value = Int64(word) { return value }
      if let value = boolean(word) { return value ? 1 : 0 }
      // A whole number may be written with a fraction of zeros.
      return ExactNumber(text: word)?.integer
    }

    private static func real(_ word: String) -> Double? {
      // Other words, such as hexadecimal numbers, are none that a store has.
      if ExactNumber(text: word) != nil { return Double(word) }
      switch word.lowercased() {
      case "nan", "-nan": return .nan
      case "inf", "infinity", "+inf", "+infinity": return .infinity
      case "-inf", "-infinity": return -.infinity
      default: return nil
      }
    }

    /// A UUID in the usual form, or its bytes in base64.
    private static func uuid(_ word: String) -> [UInt8]? {
      if let uuid = UUID(uuidString: word) {
        return uuid.bytes
      }
      guard let data = Data(base64Encoded: word), data.count == 16 else { return nil }
      return Array(data)
    }

    /// The bytes that base64 stands for; nil if there is anything else but white space.
    private static func data(_ written: [UInt8]) -> Data? {
      var text = Data(capacity: written.count)
      for byte in written where !XMLStoreText.isSpace(byte) { text.append(byte) }
      return Data(base64Encoded: text)
    }
  }
}

extension ArchivedDecimal {
  /// The decimal that a text writes, exactly; nil if it is none, or has more digits than a decimal.
  init?(text: some StringProtocol) {
    if text.lowercased() == "nan" {
      self = .notANumber
      return
    }
    guard let number = ExactNumber(text: text), number.hasDigitsOfDecimal else { return nil }
    var mantissa: UInt128 = 0
    for digit in number.digits { mantissa = mantissa * 10 + UInt128(digit) }
    var power = number.power
    // Beyond the greatest power a decimal can still hold zeros among its digits.
    while power > 127 {
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      (mantissa, power) = (product, power - 1)
    }
    guard power >= -128 else { return nil }
    self.init(wide: mantissa, exponent: Int16(power), isNegative: number.isNegative)
  }
}
