import Foundation
import Importer
import Synchronization

/// Standard output and standard error, and what they can show.
enum Console {
  /// Tells why archives were rejected.
  static func complainOfArchives(in report: ConversionReport) {
    for archive in report.archives {
      if let error = archive.error { complain("\(archive.path): \(error)") }
    }
  }

  /// Called before anything is printed: removes a bar that stands on the terminal.
  static let willPrint = Mutex<(@Sendable () -> Void)?>(nil)

  /// Prints a line of an error or a note on standard error.
  static func complain(_ line: String) {
    willPrint.withLock(\.self)?()
    FileHandle.standardError.write(Data((printable(line) + "\n").utf8))
  }

  /// Prints text on standard output.
  static func print(_ text: String, terminator: String = "\n") {
    willPrint.withLock(\.self)?()
    FileHandle.standardOutput.write(Data((text + terminator).utf8))
  }

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// How standard output shows headings and errors.
  static let style = showsColour ? TextStyle.terminal : .plain

  /// Text in bold or grey, where standard output can show it.
  static func styled(_ text: String, _ emphasis: TextStyle.Emphasis) -> String {
    style.styled(text, emphasis)
  }

  /// Text in which characters that could command a terminal are made visible.
  static func printable(_ text: String) -> String { PrintableText.printable(text) }

  private static let showsColour: Bool = {
    let environment = ProcessInfo.processInfo.environment
    guard isTerminal, (environment["NO_COLOR"] ?? "").isEmpty else { return false }
    return environment["TERM"] != "dumb"
  }()
}
