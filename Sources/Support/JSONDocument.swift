import Foundation
import GraphCore

/// JSON as reports and the command line print it.
package enum JSONDocument {
  /// Writes a value, indented, its keys in order, with a line end.
  ///
  /// - Parameter value: The value.
  /// - Returns: The text.
  /// - Throws: `EncodingError` if JSON has no form for a part of it.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return harmless(text) + "\n"
  }

  /// Writes a value in one line, its keys in order, with a line end.
  ///
  /// - Parameter value: The value.
  /// - Returns: The text.
  /// - Throws: `EncodingError` if JSON has no form for a part of it.
  package static func line(of value: some Encodable) throws -> String {
    harmless(String(decoding: try lineEncoder.encode(value), as: UTF8.self)) + "\n"
  }

  /// Writes a value without white space, its keys in order.
  package static var lineEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// JSON in which nothing commands a terminal, ends a line or turns text around, and in which
  /// names of files are as they are shown.
  private static func harmless(_ text: String) -> String {
    guard text.utf8.contains(where: mayCommand) else { return text }
    let text = FileName.printable(text, mark: "\\\\x")
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isEscaped(scalar) {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// True if a byte of UTF-8 may be part of what `harmless` changes.
  ///
  /// JSON allows DEL, the C1 controls and the marks of direction as they are. They begin with C2, D8
  /// and E2, and what stands for bytes of names that are no text with F4.
  package static func mayCommand(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x7F, 0xC2, 0xD8, 0xE2, 0xF4: true
    default: false
    }
  }

  /// True if a character is escaped, though JSON does not require it.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x7F && PrintableText.isControl(scalar)
  }
}
