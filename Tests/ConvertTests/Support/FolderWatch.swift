import Foundation
import Testing

/// Waits for something to happen to the files in a folder, without asking again and again.
final class FolderWatch {
  private let descriptor: Int32

  /// Begins to watch.
  init(_ folder: String) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    try #require(descriptor >= 0)
    let kinds = UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_TO)
    try #require(inotify_add_watch(descriptor, folder, kinds) >= 0)
  }

  deinit { close(descriptor) }

  /// Waits until a condition holds, or a file was put in its place: then the program was faster.
  ///
  /// The condition is looked at whenever a file was made or written.
  ///
  /// - Parameter isMet: The condition.
  /// - Returns: Whether it holds.
  /// - Throws: An issue if nothing happens for minutes.
  func wait(until isMet: () -> Bool) throws -> Bool {
    let guardMilliseconds: Int32 = 180_000
    var events = [UInt8](repeating: 0, count: 65_536)
    while !isMet() {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&request, 1, guardMilliseconds) == 1, "nothing happened in the folder")
      let count = read(descriptor, &events, events.count)
      try #require(count > 0)
      if Self.hasMove(events[..<count]) { return isMet() }
    }
    return true
  }

  /// Whether one of several events is that a file was renamed.
  private static func hasMove(_ events: ArraySlice<UInt8>) -> Bool {
    events.withUnsafeBytes { bytes in
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        if event.mask & UInt32(IN_MOVED_TO) != 0 { return true }
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
      }
      return false
    }
  }
}
