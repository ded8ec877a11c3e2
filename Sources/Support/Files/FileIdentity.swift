import Foundation
import GraphCore

/// The identity of a file, whatever path leads to it.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  /// True if it is an ordinary file.
  package let isRegularFile: Bool

  /// The file at a path, symbolic links followed; nil if there is none.
  package init?(path: String) {
    guard let status = try? FileSystem.status(of: path) else { return nil }
    self.init(status)
  }

  /// The file that the system tells of.
  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    isRegularFile = status.st_mode & S_IFMT == S_IFREG
  }
}
