import Synchronization
import TestSupport
import Testing

@testable import ConvertCommand
@testable import Converter

@Suite("The display of progress")
struct ProgressDisplayTests {
  private static func progress(
    _ phase: ConversionProgress.Phase, archives: Int = 12, bytes: Int = 4_300_000,
    path: String? = "notes/a.archive"
  ) -> ConversionProgress {
    ConversionProgress(
      phase: phase, archives: archives, archiveCount: 30, objects: 12_345, bytes: bytes,
      byteCount: 10_000_000, path: path)
  }

  @Test(
    "is a bar with what fits the width",
    arguments: [
      (
        120,
        "Writing [########------------]  43 %  12 of 30 archives  3 s left  2.1 MB/s  4.3 MB of 10.0 MB  12,345 objects"
      ),
      (
        140,
        "Writing [########------------]  43 %  12 of 30 archives  3 s left  2.1 MB/s  4.3 MB of 10.0 MB  12,345 objects  notes/a.archive"
      ),
      (80, "Writing [########------------]  43 %  12 of 30 archives  3 s left  2.1 MB/s"),
      (40, "Writing [########------------]  43 %"),
      (20, "Writing"), (5, "Writ"), (1, ""), (0, ""),
    ])
  func fits(width: Int, line: String) {
    let text = ProgressDisplay.Line(progress: Self.progress(.writing), elapsed: 2)
    #expect(text.bar(width: width) == line)
  }

  @Test("shows no rate and no time left before they are known")
  func waitsForRate() {
    let early = ProgressDisplay.Line(progress: Self.progress(.writing), elapsed: 0.9)
    #expect(
      early.bar(width: 80)
        == "Writing [########------------]  43 %  12 of 30 archives  4.3 MB of 10.0 MB")
    let idle = ProgressDisplay.Line(
      progress: Self.progress(.writing), elapsed: 9, firstBytes: 4_300_000)
    #expect(
      idle.bar(width: 80)
        == "Writing [########------------]  43 %  12 of 30 archives  9 s  4.3 MB of 10.0 MB")
    // How long the second reading takes cannot be told from the first.
    let reading = ProgressDisplay.Line(progress: Self.progress(.reading), elapsed: 2)
    #expect(
      reading.bar(width: 80)
        == "Reading [########------------]  43 %  12 of 30 archives  2 s  2.1 MB/s")
  }

  @Test(
    "shows the end of a long path, and control characters harmlessly",
    arguments: [
      ("a/very/long/path/that/ends/in/notes.archive", "…/in/notes.archive"),
      ("b\u{1B}[2Ja\n", "b�[2Ja⏎"), ("漢字漢字漢字漢字漢字漢字漢字", "…漢字漢字漢字漢字"),
    ])
  func shortens(path: String, shown: String) {
    let text = ProgressDisplay.Line(progress: Self.progress(.writing, path: path), elapsed: 2)
    let line = text.bar(width: 131)
    #expect(line.hasSuffix("12,345 objects  \(shown)"))
    #expect(TextTable.width(line) <= 130)
  }

  @Test(
    "shows the time that has passed where it is not known how much is left",
    arguments: [
      (.finishing, 0.9, "Finishing [--------------------]", "Finishing"),
      (.finishing, 63, "Finishing [--------------------]  1 min 3 s", "Finishing: 1 min 3 s"),
      (.checking, 2, "Checking [--------------------]  2 s", "Checking: 2 s"),
      (.copying, 2, "Copying [--------------------]  2 s", "Copying: 2 s"),
      (.verifying, 3_661, "Verifying [--------------------]  1 h 1 min", "Verifying: 1 h 1 min"),
      (.reading, .infinity, "Reading [--------------------]  100 h 0 min", "Reading: 100 h 0 min"),
    ] as [(ConversionProgress.Phase, Double, String, String)])
  func passes(phase: ConversionProgress.Phase, elapsed: Double, bar: String, plain: String) {
    var progress = Self.progress(phase, archives: 0, bytes: 0, path: nil)
    (progress.archiveCount, progress.byteCount) = (0, 0)
    let text = ProgressDisplay.Line(progress: progress, elapsed: elapsed)
    #expect(text.bar(width: 80) == bar)
    #expect(text.plain() == plain)
  }

  @Test(
    "is a bar in each phase of which it is known how much is done",
    arguments: [
      (.reading, 2, "Reading", "2 s  2.1 MB/s"), (.identifying, 2, "Identifying", "2 s  2.1 MB/s"),
      (.writing, 2, "Writing", "3 s left  2.1 MB/s"),
      (.verifying, 2, "Verifying", "3 s left  2.1 MB/s"),
      (.verifying, 0.9, "Verifying", "4.3 MB of 10.0 MB"),
    ] as [(ConversionProgress.Phase, Double, String, String)])
  func counts(phase: ConversionProgress.Phase, elapsed: Double, words: String, figures: String) {
    let text = ProgressDisplay.Line(progress: Self.progress(phase), elapsed: elapsed)
    #expect(
      text.bar(width: 82)
        == "\(words) [########------------]  43 %  12 of 30 archives  \(figures)")
  }

  @Test(
    "says why a phase is gone through again",
    arguments: [
      (.prediction, 2, .writing, "Writing again (not as predicted)"),
      (.prediction, 3, .reading, "Reading, attempt 3 (not as predicted)"),
      (.records, 1, .reading, "Reading again (dictionaries are records)"),
      (.rejection, 2, .reading, "Reading again (without rejected archives)"),
      (.rejection, 12, .writing, "Writing, attempt 12 (without rejected archives)"),
      (.pass(2, of: 3), 1, .writing, "Writing, pass 2 of 3"),
      (.run(1, of: 4), 1, .verifying, "Verifying, run 1 of 4"),
      (.pass(1, of: 3), 2, .writing, "Writing again, pass 1 of 3"),
      (.run(1, of: 4), 2, .reading, "Reading again, run 1 of 4"),
      (nil, 2, .writing, "Writing again"), (nil, 2, .verifying, "Verifying"),
      (nil, 3, .verifying, "Verifying"),
    ] as [(ConversionProgress.Reason?, Int, ConversionProgress.Phase, String)])
  func again(
    reason: ConversionProgress.Reason?, attempt: Int, phase: ConversionProgress.Phase,
    words: String
  ) {
    var progress = Self.progress(phase)
    (progress.reason, progress.attempt) = (reason, attempt)
    let text = ProgressDisplay.Line(progress: progress, elapsed: 0)
    #expect(text.bar(width: 80).hasPrefix("\(words) [########------------]  43 %"))
    #expect(text.plain().hasPrefix("\(words): 43 %, "))
  }

  /// What a display writes at certain times.
  private static func output(
    _ form: ProgressDisplay.Form, style: TextStyle = .plain,
    _ steps: (ProgressDisplay, (Double) -> Void) -> Void
  ) -> String {
    let time = Shared(0.0)
    let text = Shared("")
    let display = ProgressDisplay(
      form,
      ProgressDisplay.Surroundings(
        time: { time.value }, width: { 50 }, style: style, write: { text.value += $0 }))
    steps(display) { time.value = $0 }
    return text.value
  }

  private static let first = "Writing [########------------]  43 %"
  private static let second = "Writing [##########----------]  50 %"

  @Test("draws at most ten times a second, over itself, and is removed before anything is printed")
  func draws() {
    let output = Self.output(.bar) { display, setTime in
      display.show(Self.progress(.writing))
      setTime(0.1)
      display.show(Self.progress(.writing))
      setTime(0.15)
      display.show(Self.progress(.writing, bytes: 5_000_000))
      setTime(0.21)
      display.show(Self.progress(.writing, bytes: 5_000_000))
      display.clear()
      display.clear()
      display.end()
      setTime(9)
      display.show(Self.progress(.writing))
    }
    #expect(output == "\r\(Self.first)\u{1B}[K\r\(Self.second)\u{1B}[K\r\u{1B}[K")
  }

  @Test("is drawn again with the time that has passed, also before anything is known")
  func movesOn() {
    var finishing = Self.progress(.finishing, path: nil)
    finishing.byteCount = 0
    let output = Self.output(.bar) { display, setTime in
      display.showAgain()
      setTime(3.5)
      display.showAgain()
      setTime(4)
      display.show(finishing)
      setTime(4.9)
      display.showAgain()
      setTime(7.6)
      display.showAgain()
      display.end()
      setTime(9)
      display.showAgain()
    }
    func bar(_ line: String) -> String { "\r\(line)\u{1B}[K" }
    #expect(
      output == bar("Reading [--------------------]  3 s") + bar("Finishing [--------------------]")
        + bar("Finishing [--------------------]  3 s") + bar(""))
  }

  @Test("is set off where colours are wanted")
  func styles() {
    let output = Self.output(.bar, style: .terminal) { display, setTime in
      setTime(1)
      display.show(Self.progress(.writing))
    }
    #expect(output == "\r\u{1B}[2m\(Self.first)\u{1B}[0m\u{1B}[K")
  }

  @Test("writes a line every five seconds where there is no terminal")
  func writesLines() {
    let output = Self.output(.lines) { display, setTime in
      for second in 0..<12 {
        setTime(Double(second))
        display.show(Self.progress(.writing, bytes: 1_000_000 * (second + 1), path: "a\nb"))
      }
      display.end()
    }
    #expect(
      output == """
        Writing: 60 %, 12 of 30 archives, 4 s left, 1.0 MB/s, 6.0 MB of 10.0 MB, 12,345 objects, a⏎b
        Writing: 100 %, 12 of 30 archives, 10 s, 1.0 MB/s, 11.0 MB of 10.0 MB, 12,345 objects, a⏎b

        """)
  }
}

/// A value that closures share.
private final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
