import GraphCore

/// Text of archives as it can be shown to people.
package enum PrintableText {
  /// Text in which characters that could command a terminal, or turn the text around them, are
  /// made visible.
  ///
  /// - Parameter text: Any text.
  /// - Returns: The same text, where it holds no such characters.
  package static func printable(_ text: String) -> String {
    let text = FileName.printable(text)
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isControl(scalar) {
        result += scalar == "\n" ? "⏎" : "�"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// Lines as one text: a name in one of them cannot begin another.
  package static func lines(_ lines: [String]) -> String {
    lines.map { printable($0) }.joined(separator: "\n")
  }

  /// Controls, the ends of lines and paragraphs, and the marks that set the direction of what
  /// follows: with them, a name could pass for another.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The beginning of a text that is too long.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - most: The most characters that are shown.
  /// - Returns: The text, made printable.
  package static func shortened(_ text: String, to most: Int) -> String {
    let shown = printable(String(text.prefix(most)))
    return text.dropFirst(most).isEmpty ? shown : shown + "…"
  }
}
