import Foundation
import GraphCore

/// The system's calls with paths: they hand over the bytes that a text stands for, rather than
/// those of its UTF-8.
///
/// See `FileName`. The calls of the same names that Foundation has must not be used with texts.
package enum SystemCalls {
  package static func open(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
    unsafe FileName.withPath(path) { unsafe Foundation.open($0, flags, mode) }
  }

  @discardableResult
  package static func unlink(_ path: String) -> CInt {
    unsafe FileName.withPath(path) { unsafe Foundation.unlink($0) }
  }

  @discardableResult
  package static func rename(_ path: String, _ other: String) -> CInt {
    unsafe FileName.withPath(path) { path in
      unsafe FileName.withPath(other) { other in unsafe Foundation.rename(path, other) }
    }
  }

  @discardableResult
  package static func link(_ path: String, _ other: String) -> CInt {
    unsafe FileName.withPath(path) { path in
      unsafe FileName.withPath(other) { other in unsafe Foundation.link(path, other) }
    }
  }
}

/// The path of the folder that a file or folder is in; empty if the path is but a name.
///
/// By bytes: a combining mark after the slash would make one character with it. Foundation's own
/// ends the program for a name of one letter.
package func parentFolder(of path: String) -> String {
  let slash = UInt8(ascii: "/")
  var rest = Substring(path).utf8
  while rest.count > 1, rest.last == slash { rest.removeLast() }
  while let last = rest.last, last != slash { rest.removeLast() }
  while rest.count > 1, rest.last == slash { rest.removeLast() }
  return String(Substring(rest))
}

/// The last part of a path.
package func fileName(of path: String) -> String {
  let slash = UInt8(ascii: "/")
  var rest = Substring(path).utf8
  while rest.count > 1, rest.last == slash { rest.removeLast() }
  guard let start = rest.lastIndex(of: slash), rest.count > 1 else {
    return String(Substring(rest))
  }
  return String(Substring(rest[rest.index(after: start)...]))
}

/// The status of the file at a path; nil if the system says that there is none.
package func fileStatus(_ path: String, followsLinks: Bool = true) -> stat? {
  try? FileSystem.status(of: path, followsLinks: followsLinks)
}

/// A path without slashes at its end; that of the root stays.
package func withoutLastSlashes(_ path: String) -> String {
  var path = path
  while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
  return path
}

/// The path without symbolic links; nil if there is no file.
package func resolved(_ path: String) -> String? {
  let place = StandardInput.place(of: path)
  guard let real = unsafe FileName.withPath(place, { unsafe realpath($0, nil) }) else { return nil }
  defer { unsafe free(real) }
  return unsafe FileName.text(cString: real)
}

/// An error of the operating system, from a call that failed.
package struct SystemError: Error, Hashable {
  /// The number, such as `ENOENT`.
  package var code: CInt

  package init(_ code: CInt) { self.code = code }

  /// The last error of this thread.
  package static var last: SystemError { SystemError(errno) }

  /// The error in the system's words, but for what nobody would understand.
  package var words: String {
    switch code {
    case EBADMSG: "the container is damaged there"
    case ESTALE: "the container changed while being read"
    default: unsafe String(cString: strerror(code))
    }
  }
}

extension ArchiveError {
  /// A file that the system does not let be read.
  package init(_ error: SystemError) {
    self.init(error.code == ENOMEM ? .outOfMemory : .unreadable, name: error.words)
  }
}
