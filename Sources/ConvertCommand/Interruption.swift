import Dispatch
import Foundation

/// Removes an unfinished store when the program is asked to end.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  init(removing path: String) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        Console.complain("interrupted: nothing was written")
        // At once, since the run goes on beside this and may just be about to make the file.
        unlink(path)
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Lets signals end the program as usual again.
  func end() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }
}
