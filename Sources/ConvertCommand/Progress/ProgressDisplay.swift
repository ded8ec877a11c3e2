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

extension ProgressDisplay {
  /// The progress of a conversion, in one line.
  struct Line {
    var progress: ConversionProgress
    /// The duration of the phase so far, in seconds.
    var elapsed: Double
    /// The bytes that were done when the phase began, as far as counted.
    var firstBytes = 0

    /// Seconds of a phase before its speed is known, and the time is told.
    private static let leastSeconds = 1.0
    private static let barWidth = 20
    /// The shortest part of a path that is worth showing.
    private static let leastPath = 12

    /// The line for a terminal: a bar, then as much of the rest as fits.
    ///
    /// - Parameter width: The number of columns of the terminal.
    /// - Returns: At most one column less, without a line end.
    func bar(width: Int) -> String {
      let room = width - 1
      var line = "\(phase) \(meter)"
      guard TextTable.width(line) <= room else {
        return String(phase.prefix(max(0, room)))
      }
      for part in figures {
        guard TextTable.width(line) + TextTable.width(part) + 2 <= room else { return line }
        line += "  \(part)"
      }
      let rest = room - TextTable.width(line) - 2
      if let path = progress.path, rest >= Self.leastPath {
        line += "  \(Self.shortened(path, to: rest))"
      }
      return line
    }

    /// The line for a file: the same without a bar, whole.
    func plain() -> String {
      let path = progress.path.map { [PrintableText.printable($0)] } ?? []
      let share = fraction.map { ["\(Int($0 * 100)) %"] } ?? []
      let parts = share + figures + path
      return phase + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    // MARK: Parts

    /// The share of the phase that is done; nil if it is not known.
    private var fraction: Double? {
      guard isCounted else { return nil }
      return min(1, max(0, Double(progress.bytes) / Double(progress.byteCount)))
    }

    /// True if the whole of the phase is known.
    private var isCounted: Bool { progress.byteCount > 0 }

    /// The phase, and why it is gone through again.
    private var phase: String { progress.phase.words + progress.reasonWords }

    private var meter: String {
      guard let fraction else { return "[\(String(repeating: "-", count: Self.barWidth))]" }
      let done = Int(fraction * Double(Self.barWidth))
      let bar =
        String(repeating: "#", count: done) + String(repeating: "-", count: Self.barWidth - done)
      let share = String(Int(fraction * 100))
      return "[\(bar)] \(String(repeating: " ", count: max(0, 3 - share.count)))\(share) %"
    }

    /// Archives, time left or passed, rate, bytes and objects: what matters most comes first.
    private var figures: [String] {
      let passed = elapsed >= Self.leastSeconds ? [Self.words(ofSeconds: elapsed)] : []
      guard isCounted else { return passed }
      var parts = ["\(progress.archives) of \(Words.count(progress.archiveCount, "archive"))"]
      parts += timeLeft.map { ["\($0) left"] } ?? passed
      if let rate { parts.append("\(ReportWords.size(Int(rate)))/s") }
      parts.append(
        "\(ReportWords.size(progress.bytes)) of \(ReportWords.size(progress.byteCount))")
      if progress.objects > 0 { parts.append(Words.count(progress.objects, "object")) }
      return parts
    }

    /// Bytes in a second; nil as long as it is not known.
    private var rate: Double? {
      let bytes = progress.bytes - firstBytes
      guard elapsed >= Self.leastSeconds, bytes > 0 else { return nil }
      let rate = Double(bytes) / elapsed
      return rate < 1e15 ? rate : nil
    }

    /// The estimated time left in the phase.
    ///
    /// The speed of the first reading says nothing about the second, so there is no estimate for
    /// it.
    private var timeLeft: String? {
      guard progress.phase == .writing || progress.phase == .verifying, let rate, let fraction,
        fraction < 1
      else { return nil }
      let seconds = Double(progress.byteCount - progress.bytes) / rate
      guard seconds.isFinite, seconds < Self.maxSeconds else { return nil }
      return Self.words(ofSeconds: seconds.rounded(.up))
    }

    private static let maxSeconds = 360_000.0

    private static func words(ofSeconds seconds: Double) -> String {
      let whole = Int(min(max(0, seconds), maxSeconds))
      return switch whole {
      case ..<60: "\(whole) s"
      case ..<3_600: "\(whole / 60) min \(whole % 60) s"
      default: "\(whole / 3_600) h \(whole % 3_600 / 60) min"
      }
    }

    /// The end of a path, its most useful part, after an ellipsis if it is cut.
    private static func shortened(_ path: String, to room: Int) -> String {
      let path = PrintableText.printable(path)
      guard TextTable.width(path) > room else { return path }
      var shown = Substring(path.suffix(room - 1))
      while TextTable.width(String(shown)) > room - 1 { shown.removeFirst() }
      return "…\(shown)"
    }
  }
}

extension ConversionProgress.Phase {
  fileprivate var words: String {
    switch self {
    case .reading: "Reading"
    case .writing: "Writing"
    case .finishing: "Finishing"
    case .verifying: "Verifying"
    case .checking: "Checking"
    case .copying: "Copying"
    case .identifying: "Identifying"
    }
  }
}

extension ConversionProgress {
  /// Why the phase is gone through again, after its name.
  fileprivate var reasonWords: String {
    let isBegunAgain = attempt > 1 && (phase == .reading || phase == .writing)
    let again = attempt > 2 ? ", attempt \(attempt)" : isBegunAgain ? " again" : ""
    return switch reason {
    case nil: isBegunAgain ? again : ""
    case .prediction: "\(again) (not as predicted)"
    case .records: " again (dictionaries are records)"
    case .rejection: "\(again) (without rejected archives)"
    case .pass(let number, let count): "\(again), pass \(number) of \(count)"
    case .run(let number, let count): "\(again), run \(number) of \(count)"
    }
  }
}
