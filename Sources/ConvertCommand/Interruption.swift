import ArchiveReader
import Converter
import Foundation
import Support
import Synchronization

/// Ends the program when it is asked to, leaving on disk only what can be resumed.
final class Interruption {
  private let watch: SignalWatch
  private let gate: Gate?

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// - Parameters:
  ///   - unfinished: The unfinished store, unless it is kept.
  ///   - resumes: True if the run resumes another, whose progress is then kept.
  init(removing unfinished: UnfinishedStores, resumes: Bool) {
    let gate = Gate(unfinished: unfinished, resumes: resumes)
    self.gate = gate
    watch = Self.watch { gate.end($0) }
  }

  /// - Parameter stores: The stores that are being built, where several are at the same time.
  init(removingAllOf stores: UnfinishedStores) {
    gate = nil
    watch = Self.watch { number in
      stores.deleteAll {
        Console.complain(
          "interrupted: the stores written so far are complete; use --resume to convert the rest")
        Self.leave(number)
      }
    }
  }

  /// For what writes nothing but files that are of no use later.
  init() {
    gate = nil
    watch = Self.watch { Self.leave($0) }
  }

  /// Ends the program as a signal does, without the files that are of no use later.
  fileprivate static func leave(_ number: Int32) -> Never {
    PrivateFolder.removeAll { _exit(128 + number) }
  }

  private static func watch(_ end: @escaping @Sendable (Int32) -> Void) -> SignalWatch {
    // A file that is too large for the limits of the process is an error, not the end.
    signal(SIGXFSZ, SIG_IGN)
    return SignalWatch(signals, end)
  }

  /// Notes what the run has on disk.
  var onStage: @Sendable (ConversionStage) -> Void {
    { [gate] in gate?.note($0) }
  }

  /// The number of archives kept for a resumed run, and of all; nil if none are kept.
  var kept: (archives: Int, count: Int?)? { gate?.kept }

  /// Lets signals end the program as usual again.
  func end() { watch.end() }
}

/// Knows what is on disk, and ends the program.
private final class Gate: Sendable {
  private struct State {
    var stage = ConversionStage.reading
    var kept: (archives: Int, count: Int?)?
    /// True if the program was asked to end while the store took its name.
    var isAsked = false
  }

  private let unfinished: UnfinishedStores
  private let resumes: Bool
  private let state = Mutex(State())

  init(unfinished: UnfinishedStores, resumes: Bool) {
    self.unfinished = unfinished
    self.resumes = resumes
  }

  var kept: (archives: Int, count: Int?)? { state.withLock { $0.kept } }

  func note(_ stage: ConversionStage) {
    state.withLock { state in
      state.stage = stage
      switch stage {
      case .writing(let done?) where done > 0: state.kept = (done, nil)
      case .writing, .publishing: state.kept = nil
      case .checkpoint(let archives, let count): state.kept = (archives, count)
      case .reading: break
      }
    }
  }

  /// Ends the program at once, which is safe at any moment: what is kept is whole.
  ///
  /// While the store takes its name, the run comes to its end, unless it is asked again.
  func end(_ number: Int32) {
    state.withLock { state in
      if state.stage == .publishing, !state.isAsked {
        state.isAsked = true
        return
      }
      let words =
        if let kept = state.kept { Self.words(kept) } else {
          "nothing was written"
            + (state.stage == .reading && resumes
              ? "; the progress of an earlier run, if there is any, is kept" : "")
        }
      // Now, because the run continues on another thread.
      unfinished.deleteAll {
        if state.stage != .publishing { Console.complain("interrupted: \(words)") }
        Interruption.leave(number)
      }
    }
  }

  /// The kept progress in words, with the way to resume.
  static func words(_ kept: (archives: Int, count: Int?)) -> String {
    let completed =
      kept.count.map { "\(kept.archives) of \(Words.count($0, "archive"))" }
      ?? Words.count(kept.archives, "archive")
    return "\(completed) completed; use --resume to continue"
  }
}

extension Interruption {
  /// Ends the program as SIGTERM does, once its parent has ended.
  ///
  /// An orphan has another parent, which is all that every system tells it.
  static func followParent() {
    let parent = getppid()
    _ = WorkerThread.start(stackSize: 1 << 20) {
      while getppid() == parent { usleep(200_000) }
      kill(getpid(), SIGTERM)
    }
  }

  /// The kept progress in words, with the way to resume; nil if nothing is kept.
  var keptWords: String? { kept.map(Gate.words) }
}

extension Interruption {
  /// Calls a function on a thread of its own when the program is asked to end.
  ///
  /// Signals end the program as usual if the system refuses the thread.
  final class SignalWatch {
    private let signals: [CInt]
    private let isRunning: Bool

    /// The end of the pipe that the handler writes to: a handler knows nothing but globals.
    private static let pipe = Atomic<CInt>(-1)

    /// - Parameters:
    ///   - signals: The signals.
    ///   - body: Is called with the number of each.
    init(_ signals: [CInt], _ body: @escaping @Sendable (CInt) -> Void) {
      self.signals = signals
      var ends: [CInt] = [-1, -1]
      guard unsafe Foundation.pipe(&ends) == 0 else {
        isRunning = false
        return
      }
      let (reading, writing) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      isRunning = WorkerThread.start(stackSize: 1 << 20) {
        // Whoever started the program may have handed on a mask that holds them back.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        var number: UInt8 = 0
        while let count = try? FileSystem.again({ unsafe read(reading, &number, 1) }), count == 1 {
          body(CInt(number))
        }
        close(reading)
      }
      guard isRunning else {
        close(reading)
        close(writing)
        return
      }
      Self.pipe.store(writing, ordering: .sequentiallyConsistent)
      for number in signals { signal(number, Self.handle) }
    }

    /// Lets signals end the program as usual again.
    func end() {
      for number in signals { signal(number, SIG_DFL) }
      guard isRunning else { return }
      let writing = Self.pipe.exchange(-1, ordering: .sequentiallyConsistent)
      if writing >= 0 { close(writing) }
    }

    /// Only calls that are safe in the handler of a signal.
    private static let handle: @convention(c) (CInt) -> Void = { number in
      let before = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe write(SignalWatch.pipe.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = before
    }
  }
}
