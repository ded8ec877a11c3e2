import ArgumentParser
import Converter
import Foundation

extension OutputOptions {
  /// When progress is shown.
  enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
    /// As a bar, if standard error is a terminal.
    case auto
    /// As a bar on a terminal, and as lines elsewhere.
    case always
    case never

    /// The requested display; nil if there is none.
    var display: ProgressDisplay? {
      let environment = ProcessInfo.processInfo.environment
      let isTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
      guard self == .always || (self == .auto && isTerminal) else { return nil }
      let start = ContinuousClock.now
      let showsColour = (environment["NO_COLOR"] ?? "").isEmpty
      return ProgressDisplay(
        isTerminal ? .bar : .lines,
        ProgressDisplay.Surroundings(
          time: { (ContinuousClock.now - start) / .seconds(1) }, width: { Self.width },
          style: isTerminal && showsColour ? .terminal : .plain,
          write: { _ = StandardStream.error.write($0) }))
    }

    /// The columns of the terminal, as it is now.
    private static var width: Int {
      var size = winsize()
      guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return 80
      }
      return Int(size.ws_col)
    }
  }
}
