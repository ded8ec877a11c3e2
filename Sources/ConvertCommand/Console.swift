import Foundation

/// Standard output and standard error, and what they can show.
enum Console {
  /// Prints a line of an error or a note on standard error.
  static func complain(_ line: String) {
    FileHandle.standardError.write(Data((printable(line) + "\n").utf8))
  }

  /// Prints text on standard output.
  static func print(_ text: String, terminator: String = "\n") {
    FileHandle.standardOutput.write(Data((text + terminator).utf8))
  }

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Text in bold or grey, where standard output can show it.
  static func styled(_ text: String, _ style: Style) -> String {
    guard showsColour else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  enum Style: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// Text in which control characters, which could command a terminal, are made visible.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isControl(scalar) {
        result += scalar == "\n" ? "⏎" : "�"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  private static let showsColour: Bool = {
    let environment = ProcessInfo.processInfo.environment
    guard isTerminal, (environment["NO_COLOR"] ?? "").isEmpty else { return false }
    return environment["TERM"] != "dumb"
  }()
}
