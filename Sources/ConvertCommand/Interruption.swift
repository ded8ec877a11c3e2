import Dispatch
import Foundation
import Synchronization

/// Removes an unfinished store when the program is asked to end.
final class Interruption {
  private let sources: [any DispatchSourceSignal]
  private let gate = Gate()

  /// Whether it is too late to end without a store.
  private final class Gate: Sendable {
    let isClosed = Mutex(false)
  }

  init(removing path: String) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { [gate] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        gate.isClosed.withLock { isClosed in
          guard !isClosed else { return }
          Console.complain("interrupted: nothing was written")
          // At once, since the run goes on beside this and may just be about to make the file.
          for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
          _exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }

  /// Lets the run come to its end: the store is about to take its name.
  func hold() { gate.isClosed.withLock { $0 = true } }

  /// Lets signals end the program as usual again.
  func end() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }
}
