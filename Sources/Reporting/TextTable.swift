import GraphCore
import Support

/// A table in plain text, its columns aligned.
package struct TextTable {
  /// The side of its column on which the text of a cell stands.
  package enum Alignment {
    case left
    case right
  }

  private let header: [String]
  private let alignment: [Alignment]
  private let style: TextStyle
  private var rows: [[String]] = []
  private var total: [String]?

  /// Creates a table with its columns.
  package init(_ header: [String], alignment: [Alignment], style: TextStyle) {
    self.header = header
    self.alignment = alignment
    self.style = style
  }

  /// Adds a row.
  package mutating func add(_ row: [String]) {
    rows.append(row)
  }

  /// Adds a last row below a line.
  mutating func addTotal(_ row: [String]) {
    total = row
  }

  /// The table with its header in bold, each line ended.
  package func text() -> String {
    let totals = total.map { [$0] } ?? []
    let cells =
      [header.map(PrintableText.printable)]
      + (rows + totals).map { $0.map(PrintableText.printable) }
    let widths = header.indices.map { column in
      cells.map { Self.width($0[column]) }.max() ?? 0
    }
    var text = ""
    for (number, row) in cells.enumerated() {
      var line = ""
      for column in header.indices {
        let padding = String(repeating: " ", count: widths[column] - Self.width(row[column]))
        line += alignment[column] == .left ? row[column] + padding : padding + row[column]
        if column < header.count - 1 { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      if total != nil, number == cells.count - 1 {
        let width = widths.reduce(2 * (widths.count - 1), +)
        text += String(repeating: "─", count: width) + "\n"
      }
      text += (number == 0 ? style.styled(line, .bold) : line) + "\n"
    }
    return text
  }

  /// The number of columns of a terminal that a text takes: characters of East Asian scripts and
  /// emoji take two.
  package static func width(_ text: String) -> Int {
    text.reduce(0) { width, character in
      let first = character.unicodeScalars.first?.value ?? 0
      let isWide =
        (0x1100...0x115F).contains(first) || (0x2E80...0xA4CF).contains(first)
        || (0xAC00...0xD7A3).contains(first) || (0xF900...0xFAFF).contains(first)
        || (0xFE30...0xFE6F).contains(first) || (0xFF00...0xFF60).contains(first)
        || (0x1F300...0x1FAFF).contains(first) || (0x20000...0x3FFFD).contains(first)
      return width + (isWide ? 2 : 1)
    }
  }
}

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
