import Foundation
import GraphCore

/// An error of the operating system, from a call that failed.
package struct SystemError: Error, Hashable {
  /// The number, such as `ENOENT`.
  package var code: CInt

  package init(_ code: CInt) { self.code = code }

  /// The last error of this thread.
  package static var last: SystemError { SystemError(errno) }

  /// The error in the system's words.
  package var words: String { unsafe String(cString: strerror(code)) }
}

extension ArchiveError {
  /// A file that the system does not let be read.
  package init(_ error: SystemError) {
    self.init(error.code == ENOMEM ? .outOfMemory : .unreadable, name: error.words)
  }
}
