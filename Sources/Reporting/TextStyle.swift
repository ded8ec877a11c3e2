/// How text is set off: by the commands of a terminal, or not at all.
package struct TextStyle: Sendable {
  /// The ways to set text off, with their numbers in a terminal's commands.
  package enum Emphasis: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  private let usesCommands: Bool

  /// For files and pipes.
  package static let plain = TextStyle(usesCommands: false)
  /// For terminals.
  package static let terminal = TextStyle(usesCommands: true)

  /// Text, set off if the style can.
  package func styled(_ text: String, _ emphasis: Emphasis) -> String {
    usesCommands ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
  }
}
