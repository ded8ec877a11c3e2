import Foundation

/// What the system says of a call that failed.
struct SystemError: Error, Hashable, Sendable {
  var number: Int32

  /// The error of the call that was made just now.
  static var last: SystemError { SystemError(number: errno) }

  /// The system's words.
  var reason: String { String(cString: strerror(number)) }
}
