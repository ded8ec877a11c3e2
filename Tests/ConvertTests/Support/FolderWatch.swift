import Foundation
import Testing

/// Waits for something to happen to the files in a folder, without asking again and again.
final class FolderWatch {
  private let descriptor: Int32

  /// Begins to watch.
  init(_ folder: String) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    try #require(descriptor >= 0)
    try #require(inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MODIFY)) >= 0)
  }

  deinit { close(descriptor) }

  /// Waits until a condition holds; it is looked at whenever a file was made or written.
  func wait(until isMet: () -> Bool) throws {
    let guardMilliseconds: Int32 = 180_000
    var events = [UInt8](repeating: 0, count: 65_536)
    while !isMet() {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&request, 1, guardMilliseconds) == 1, "nothing happened in the folder")
      try #require(read(descriptor, &events, events.count) > 0)
    }
  }
}
