import Foundation

/// JSON as reports and the command line print it.
package enum JSONDocument {
  /// Writes a value, indented, its keys in order, with a line end.
  ///
  /// - Parameter value: What is written.
  /// - Returns: The text.
  /// - Throws: `EncodingError` if JSON has no form for a part of it.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    // JSON allows DEL and the C1 controls as they are; some terminals obey them.
    // C1 controls begin with C2 in UTF-8.
    guard text.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 }),
      text.unicodeScalars.contains(where: isTerminalControl)
    else { return text + "\n" }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isTerminalControl(scalar) {
        result += "\\u00" + String(scalar.value, radix: 16)
      } else {
        result.unicodeScalars.append(scalar)
      }
    } + "\n"
  }

  private static func isTerminalControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x7F...0x9F).contains(scalar.value)
  }
}
