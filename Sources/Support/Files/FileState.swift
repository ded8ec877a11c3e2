import Foundation
import GraphCore

/// Which file is at a path, and when it was written to: it changes with any change of the file.
package struct FileState: Hashable, Sendable {
  /// How many bytes the file has.
  package let size: Int
  private let device: UInt64
  private let number: UInt64
  /// When its content was changed, and when anything of it was.
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
    times = [Int(content.tv_sec), content.tv_nsec, Int(all.tv_sec), all.tv_nsec]
  }

  /// The state of the file at a path, symbolic links followed; nil if there is none.
  package init?(path: String) {
    guard let status = fileStatus(path) else { return nil }
    self.init(status)
  }
}
