import ArgumentParser
import Converter
import Foundation
import Support
import Synchronization

/// Standard output and standard error, and what they can show.
enum Console {
  /// Reports why archives were rejected.
  static func complainOfArchives(in report: ConversionReport) {
    for archive in report.archives {
      if let error = archive.error { complain("\(archive.path): \(error)") }
    }
  }

  /// Called before anything is printed: removes a progress bar from the terminal.
  static let willPrint = Mutex<(@Sendable () -> Void)?>(nil)

  /// Prints a line of an error or a note on standard error.
  static func complain(_ line: String) {
    willPrint.withLock(\.self)?()
    // If standard error cannot be written, the exit code still reports the failure.
    _ = StandardStream.error.write(printable(line) + "\n")
  }

  /// Prints a text of several lines on standard error: see `print(text:)`.
  static func complain(text: String) {
    willPrint.withLock(\.self)?()
    _ = StandardStream.error.write(TextStyle.plain.harmless(text) + "\n")
  }

  /// Prints a line on standard output, whatever names it holds.
  ///
  /// - Throws: The end of the command, if that fails. A pipe without a reader ends it silently,
  ///   as it ends other tools.
  static func print(_ line: String) throws { try print(text: printable(line) + "\n") }

  /// Prints a text of several lines on standard output, in which nothing but its own emphasis
  /// commands a terminal.
  ///
  /// Names in it must not end lines: see `PrintableText.lines`.
  ///
  /// - Throws: As `print(_:)`.
  static func print(text: String) throws {
    willPrint.withLock(\.self)?()
    switch StandardStream.output.write(style.harmless(text)) {
    case 0: return
    case EPIPE: throw Outcome.closedPipe
    case let error: throw unwritable(error)
    }
  }

  /// Refuses to start if the results could not be printed.
  static func requireOutput() throws {
    guard StandardStream.output.isOpen else { throw unwritable(EBADF) }
  }

  private static func unwritable(_ error: Int32) -> ExitCode {
    let reason = unsafe error == EBADF ? "it is closed" : String(cString: strerror(error))
    complain("standard output: cannot be written: \(reason)")
    return Outcome.impossible
  }

  /// True if standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The style of headings and errors on standard output.
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
