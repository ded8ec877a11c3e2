import ArchiveReader
import Foundation
import Support
import Synchronization

extension Interruption {
  /// Calls a function on a thread of its own when the program is asked to end.
  ///
  /// Where the system refuses the thread, signals end the program as usual.
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
