import Converter
import Foundation
import Synchronization

/// Standard output or standard error, written to without a trap where it cannot be.
struct StandardStream: Sendable {
  private let descriptor: Int32

  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  /// Makes the streams safe to use; call it before any file is opened.
  ///
  /// A stream that is closed is opened on nothing, in the direction in which it is not used. Else
  /// the next file that the program opens, such as a store, would take its number, and get what is
  /// printed. So writing to it still fails. A pipe that nobody reads any more is an error, not a
  /// signal: it must not end a run in the middle.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      guard fcntl(descriptor, F_GETFD) == -1, errno == EBADF else { continue }
      // The lowest number that is free.
      let opened = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
      if opened > STDERR_FILENO { close(opened) }
    }
  }

  /// True if the stream can be written to: not if it was closed at the start.
  var isOpen: Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Writes all of a text; returns the error number if that fails, else 0.
  func write(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while unsafe !rest.isEmpty {
        let count = unsafe SystemCall.write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
          continue
        }
        switch count == 0 ? EIO : errno {
        case EINTR: continue
        case EAGAIN:
          // Somebody else made it one that does not wait.
          var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&wanted, 1, -1)
        case let error: return error
        }
      }
      return 0
    }
  }
}

/// The system's call, where a method has the same name.
private enum SystemCall {
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe Foundation.write(descriptor, bytes, count)
  }
}
