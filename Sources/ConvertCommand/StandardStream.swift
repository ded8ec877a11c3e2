import ArgumentParser
import Converter
import Foundation
import Support
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

/// The name `-`, which many programs take for standard output.
enum StandardOutput {
  /// Refuses an output of that name, which would become a file called `-`.
  ///
  /// - Parameters:
  ///   - path: The path of the output; nil if there is none.
  ///   - option: The option that names it.
  /// - Throws: The end of the command, if it has that name.
  static func refuse(_ path: String?, _ option: String) throws {
    guard path == "-" else { return }
    throw ValidationError(
      "\(option) cannot write to standard output; to write a file named '-', use './-'.")
  }
}

extension StandardInput {
  /// Refuses to read it as more than one input.
  ///
  /// - Throws: The end of the command.
  static func check(_ inputs: [String]) throws {
    guard inputs.count(where: { $0 == path }) > 1 else { return }
    throw ValidationError("'-' is standard input, which can be given only once.")
  }

  /// Reads it, if it is among the inputs, before anything else is done.
  ///
  /// - Throws: The end of the command, if it cannot be read.
  static func take(_ inputs: [String]) throws {
    guard inputs.contains(path) else { return }
    guard isatty(STDIN_FILENO) == 0 else {
      Console.complain(
        "standard input: is a terminal; pipe an archive into the command, or name a file")
      throw Outcome.impossible
    }
    // A copy that is kept by then goes with the program.
    let interruption = Interruption()
    defer { interruption.end() }
    let opener = ConversionOptions().sourceOpener
    do throws(ArchiveError) {
      try keep(if: opener.recognizes)
    } catch {
      Console.complain("standard input: \(error)")
      throw Outcome.impossible
    }
  }
}
