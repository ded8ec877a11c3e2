import Foundation

/// Why the operating system refused something, in its words.
enum SystemReason {
  /// The words of what Foundation throws: those of the system where they are known.
  static func words(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return cause.localizedDescription }
    return String(cString: strerror(Int32(truncatingIfNeeded: cause.code)))
  }
}
