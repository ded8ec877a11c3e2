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

/// The identity and times of the file at a path, which change with any change of the file.
package struct FileState: Hashable, Sendable {
  /// The size of the file in bytes.
  package let size: Int
  /// When its content was changed, in seconds since 1970.
  package let changed: Int
  private let device: UInt64
  private let number: UInt64
  /// The rest of that time, and when anything of the file was changed.
  private let times: [Int]

  /// The state that the system tells of.
  package init(_ status: stat) {
    #if os(Linux)
      let (content, all) = (status.st_mtim, status.st_ctim)
    #else
      let (content, all) = (status.st_mtimespec, status.st_ctimespec)
    #endif
    size = Int(status.st_size)
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    changed = Int(content.tv_sec)
    times = [content.tv_nsec, Int(all.tv_sec), all.tv_nsec]
  }

  /// The state of the file at a path, symbolic links followed; nil if there is none.
  package init?(path: String) {
    guard let status = fileStatus(path) else { return nil }
    self.init(status)
  }

  /// True if the content is that of another state, whatever else has changed: SQLite sets the owner
  /// of journals that it only reads.
  package func hasContent(of other: FileState) -> Bool {
    (size, changed, device, number) == (other.size, other.changed, other.device, other.number)
      && times[0] == other.times[0]
  }
}
