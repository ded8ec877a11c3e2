import Foundation
import GraphCore
import Synchronization

/// Standard input, as a file that can be read more than once: the path `-` leads to it.
///
/// Its bytes are kept in a private folder, since a pipe gives them only once. As long as they are
/// kept, whatever is read by that path is read from there: see `FileSystem`.
package enum StandardInput {
  /// The path that stands for it.
  package static let path = "-"

  private static let folder = Mutex<PrivateFolder?>(nil)

  /// The most bytes that are kept, whatever writes to the pipe.
  private static let maxBytes = 1 << 36
  private static let partSize = 1 << 20

  /// Keeps what standard input holds, up to its end.
  ///
  /// - Parameter isReadable: True if a file with some first bytes is read at all. Of any other,
  ///   these are kept alone: they tell what it is.
  /// - Throws: `ArchiveError` if it cannot be read, or kept.
  package static func keep(if isReadable: (FileHead) -> Bool) throws(ArchiveError) {
    let kept = try PrivateFolder()
    let copy = file(in: kept)
    let descriptor: CInt
    do throws(SystemError) {
      descriptor = try FileSystem.open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    } catch {
      throw PrivateCopy.noRoom(error, copy)
    }
    defer { close(descriptor) }
    var size = 0
    while true {
      let part = try readPart()
      guard !part.isEmpty else { break }
      do throws(SystemError) {
        try FileSystem.write(part, to: descriptor, at: size)
      } catch {
        throw PrivateCopy.noRoom(error, copy)
      }
      let isFirst = size == 0
      size += part.count
      if isFirst, !isReadable(part.withBorrowedBytes { FileHead($0) }) { break }
      guard size <= maxBytes else {
        throw ArchiveError(.unreadable, name: "it is longer than 64 GiB")
      }
    }
    folder.withLock { $0 = kept }
  }

  /// The next bytes, so many that they tell what the file is; none at the end.
  private static func readPart() throws(ArchiveError) -> [UInt8] {
    var part: [UInt8] = []
    while part.count < partSize {
      do throws(SystemError) {
        let read = try FileSystem.read(STDIN_FILENO, upTo: partSize - part.count)
        guard !read.isEmpty else { break }
        part += read
      } catch {
        // Somebody else made it one that does not wait.
        guard error.code == EAGAIN else { throw ArchiveError(error) }
        var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&wanted, 1, -1)
      }
    }
    return part
  }

  /// Removes what is kept.
  package static func discard() { folder.withLock { $0 = nil } }

  /// The path by which the system finds what a path leads to.
  static func place(of path: String) -> String {
    guard path == Self.path else { return path }
    return folder.withLock { $0.map(file) } ?? path
  }

  private static func file(in folder: PrivateFolder) -> String { "\(folder.path)/input" }
}
