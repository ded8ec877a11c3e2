import Foundation
import Synchronization

/// Looks at the anonymous memory of a program every few milliseconds, as long as it runs.
///
/// The kernel keeps no peak of it.
final class MemorySampler: Sendable {
  private let peak = Atomic(0)
  private let isFinished = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(of process: pid_t) {
    Thread { [self] in
      let path = "/proc/\(process)/status"
      while !isFinished.load(ordering: .relaxed) {
        if let bytes = Self.anonymousBytes(path), bytes > peak.load(ordering: .relaxed) {
          peak.store(bytes, ordering: .relaxed)
        }
        usleep(4_000)
      }
      ended.signal()
    }.start()
  }

  /// Ends it; returns the most that was seen, in bytes.
  func finish() -> Int {
    isFinished.store(true, ordering: .relaxed)
    ended.wait()
    return peak.load(ordering: .relaxed)
  }

  private static func anonymousBytes(_ path: String) -> Int? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      guard strncmp(line, "RssAnon:", 8) == 0 else { continue }
      return strtol(Array(line[8...]), nil, 10) * 1024
    }
    return nil
  }
}
