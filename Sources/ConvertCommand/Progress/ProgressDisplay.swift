import Converter
import Foundation
import Support
import Synchronization

/// Shows the progress of a conversion on standard error: a bar that is redrawn, or a line now and
/// then.
final class ProgressDisplay: Sendable {
  /// The form of the display.
  enum Form: Sendable {
    /// On a terminal.
    case bar
    /// In a file or a pipe.
    case lines
  }

  /// The surroundings of the display: tests supply their own.
  struct Surroundings: Sendable {
    /// Seconds since some moment.
    var time: @Sendable () -> Double
    /// The columns of the terminal.
    var width: @Sendable () -> Int
    var style: TextStyle
    var write: @Sendable (String) -> Void
  }

  private struct State {
    var progress: ConversionProgress?
    var phaseStart = 0.0
    var firstBytes = 0
    /// When something was shown last.
    var lastTime: Double?
    /// True if a bar is on the terminal.
    var isShown = false
    var hasEnded = false
  }

  private let form: Form
  private let surroundings: Surroundings
  private let start: Double
  private let state = Mutex(State())

  /// A bar is drawn ten times a second, and a line written every five.
  private static let barInterval = 0.1
  /// After how long a bar is drawn again though nothing was told.
  private static let idleInterval = 1.0
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
      let last = state.progress
      if last?.phase != progress.phase || last?.reason != progress.reason
        || last?.attempt != progress.attempt
      {
        (state.phaseStart, state.firstBytes) = (now, progress.bytes)
      }
      state.progress = progress
      show(&state, now, after: form == .bar ? Self.barInterval : Self.lineInterval)
    }
  }

  /// Shows the last progress again, with the time that has passed.
  ///
  /// Steps of which nobody knows how far they are would look like the end of the program.
  func showAgain() {
    let now = surroundings.time()
    state.withLock { state in
      if state.progress == nil {
        (state.progress, state.phaseStart) = (ConversionProgress.none, start)
      }
      show(&state, now, after: form == .bar ? Self.idleInterval : Self.lineInterval)
    }
  }

  /// Shows the progress again and again, on a thread of its own, until the end.
  func keepMoving() {
    _ = WorkerThread.start(stackSize: 1 << 18) { [self] in
      while !state.withLock(\.hasEnded) {
        usleep(250_000)
        showAgain()
      }
    }
  }

  private func show(_ state: inout State, _ now: Double, after interval: Double) {
    // A run that ends at once needs no bar.
    guard !state.hasEnded, let progress = state.progress,
      now - (state.lastTime ?? start) >= interval
    else { return }
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

  /// Removes the bar, so that something else can be printed; it comes back with the next progress,
  /// though not at once: what is printed may be the last.
  func clear() {
    let now = surroundings.time()
    state.withLock { state in
      guard state.isShown else { return }
      surroundings.write("\r\u{1B}[K")
      state.isShown = false
      state.lastTime = now
    }
  }

  /// Removes the bar for good.
  func end() {
    clear()
    state.withLock { $0.hasEnded = true }
  }
}
