import ArgumentParser
import Foundation

/// The outcomes of a command, as exit codes.
enum Outcome {
  /// Finished, but an archive was rejected or a difference was found.
  static let incomplete = ExitCode(1)
  /// Nothing was done, since the request could not be carried out.
  static let impossible = ExitCode(2)
  /// Nobody reads any more what is printed: the code that a shell shows for SIGPIPE.
  static let closedPipe = ExitCode(128 + SIGPIPE)
}
