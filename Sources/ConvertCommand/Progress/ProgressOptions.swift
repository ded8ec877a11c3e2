import ArgumentParser
import Converter
import Foundation

/// The option `--progress`, for all commands that may take long.
struct ProgressOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show progress on standard error: on a terminal only, always, or never.",
      valueName: "auto|always|never"))
  var progress = ProgressMode.auto

  /// Begins to show the progress of a conversion.
  ///
  /// - Parameters:
  ///   - options: The options of the conversion, which get what tells of it.
  ///   - isQuiet: True if nothing is shown unless it is asked for.
  /// - Returns: The display, which is to be ended after the conversion; nil if there is none.
  func begin(_ options: inout ConversionOptions, isQuiet: Bool) -> ProgressDisplay? {
    guard let display = isQuiet && progress == .auto ? nil : progress.display else { return nil }
    options.onProgress = display.show
    Console.willPrint.withLock { $0 = display.clear }
    display.keepMoving()
    return display
  }
}

extension ProgressOptions {
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
