import Converter
import Synchronization

/// Shows the progress of a conversion on standard error: a bar that is redrawn, or a line now and
/// then.
final class ProgressDisplay: Sendable {
  /// How it is shown.
  enum Form: Sendable {
    /// On a terminal.
    case bar
    /// In a file or a pipe.
    case lines
  }

  /// What it needs from its surroundings: tests supply their own.
  struct Surroundings: Sendable {
    /// Seconds since some moment.
    var time: @Sendable () -> Double
    /// The columns of the terminal.
    var width: @Sendable () -> Int
    var style: TextStyle
    var write: @Sendable (String) -> Void
  }

  private struct State {
    var phase: ConversionProgress.Phase?
    var phaseStart = 0.0
    var firstBytes = 0
    /// When something was shown last.
    var lastTime: Double?
    /// Whether a bar is on the terminal.
    var isShown = false
    var hasEnded = false
  }

  private let form: Form
  private let surroundings: Surroundings
  private let start: Double
  private let state = Mutex(State())

  /// A bar is drawn ten times a second, and a line written every five.
  private static let barInterval = 0.1
  private static let lineInterval = 5.0

  init(_ form: Form, _ surroundings: Surroundings) {
    self.form = form
    self.surroundings = surroundings
    start = surroundings.time()
  }

  /// Shows the progress, unless something was shown just now.
  func show(_ progress: ConversionProgress) {
    let now = surroundings.time()
    state.withLock { state in
      guard !state.hasEnded else { return }
      if state.phase != progress.phase {
        (state.phase, state.phaseStart, state.firstBytes) = (progress.phase, now, progress.bytes)
      }
      // What is done at once needs no bar.
      let interval = form == .bar ? Self.barInterval : Self.lineInterval
      guard now - (state.lastTime ?? start) >= interval else { return }
      state.lastTime = now
      let text = Line(
        progress: progress, elapsed: now - state.phaseStart, firstBytes: state.firstBytes)
      switch form {
      case .bar:
        let line = surroundings.style.styled(text.bar(width: surroundings.width()), .dim)
        surroundings.write("\r\(line)\u{1B}[K")
        state.isShown = true
      case .lines: surroundings.write(text.plain() + "\n")
      }
    }
  }

  /// Removes the bar, so that something else can be printed; it comes back with the next progress.
  func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      surroundings.write("\r\u{1B}[K")
      state.isShown = false
    }
  }

  /// Removes the bar for good.
  func end() {
    clear()
    state.withLock { $0.hasEnded = true }
  }
}
