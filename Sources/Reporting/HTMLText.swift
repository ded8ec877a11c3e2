import Support

/// Text escaped for a page.
enum HTMLText {
  /// Text in which nothing is a mark or can command: it may stand between tags and in attributes.
  static func escaped(_ text: String) -> String {
    let text = PrintableText.printable(text)
    guard text.utf8.contains(where: isMark) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Text of an archive, cut if it is too long, and set apart: letters that are written from right
  /// to left do not turn what stands around it.
  static func quoted(_ text: String) -> String {
    "<bdi class=\"q\">\(escaped(PrintableText.shortened(text, to: maxCharacters)))</bdi>"
  }

  /// The greatest number of characters that are shown of a text.
  private static let maxCharacters = 300

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }
}
