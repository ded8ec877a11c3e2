import GraphCore
import Support

/// The style of text: set off by the commands of a terminal, or plain.
package struct TextStyle: Sendable {
  /// The ways to set text off, with their numbers in a terminal's commands.
  package enum Emphasis: Int, CaseIterable {
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

  /// A text of several lines, in which nothing but its own emphasis commands a terminal.
  package func harmless(_ text: String) -> String {
    let text = FileName.printable(text)
    func isOwn(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }
    guard text.unicodeScalars.contains(where: { PrintableText.isControl($0) && !isOwn($0) }) else {
      return text
    }
    var rest = text.unicodeScalars[...]
    var result = String.UnicodeScalarView()
    while let scalar = rest.first {
      if usesCommands, let command = Self.commands.first(where: { rest.starts(with: $0) }) {
        result += command
        rest = rest.dropFirst(command.count)
        continue
      }
      result.append(!PrintableText.isControl(scalar) || isOwn(scalar) ? scalar : "\u{FFFD}")
      rest = rest.dropFirst()
    }
    return String(result)
  }

  /// The commands of `styled`.
  private static let commands = ([0] + Emphasis.allCases.map(\.rawValue)).map {
    Array("\u{1B}[\($0)m".unicodeScalars)
  }

  /// Text, set off if the style can.
  package func styled(_ text: String, _ emphasis: Emphasis) -> String {
    usesCommands ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
  }
}
