import Foundation
import GraphCore

/// A file that is read while others may write to it.
///
/// What is read counts only if the file was left alone meanwhile: see `check()`.
package struct InputFile: ~Copyable {
  package let descriptor: CInt
  /// Its size in bytes when it was opened.
  package let size: Int
  private let state: FileState

  /// Opens a regular file that is not empty.
  package init(_ path: String) throws(ArchiveError) {
    let (descriptor, status) = try Self.open(path)
    self.descriptor = descriptor
    size = Int(status.st_size)
    state = FileState(status)
  }

  private static func open(_ path: String) throws(ArchiveError) -> (CInt, stat) {
    let descriptor: CInt
    do throws(SystemError) {
      descriptor = try FileSystem.open(path)
    } catch {
      throw ArchiveError(error)
    }
    do throws(ArchiveError) {
      return (descriptor, try regularFile(descriptor))
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func regularFile(_ descriptor: CInt) throws(ArchiveError) -> stat {
    let status: stat
    do throws(SystemError) {
      status = try FileSystem.status(of: descriptor)
    } catch {
      throw ArchiveError(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ArchiveError(.unreadable, name: "not a regular file")
    }
    guard status.st_size > 0 else { throw ArchiveError(.empty) }
    return status
  }

  deinit { close(descriptor) }

  /// Fills memory with the next bytes of the file.
  package func read(into memory: UnsafeMutableRawBufferPointer) throws(ArchiveError) {
    let count: Int
    do throws(SystemError) {
      count = try unsafe FileSystem.read(descriptor, into: memory)
    } catch {
      throw ArchiveError(error)
    }
    guard count == memory.count else { throw .changed }
  }

  /// Refuses what was read if the file has changed since it was opened.
  package func check() throws(ArchiveError) {
    let status: stat
    do throws(SystemError) {
      status = try FileSystem.status(of: descriptor)
    } catch {
      throw ArchiveError(error)
    }
    guard FileState(status) == state else { throw .changed }
  }
}

extension ArchiveError {
  /// A file that another process changed while it was read.
  package static var changed: ArchiveError {
    ArchiveError(.unreadable, name: "it changed while being read")
  }
}
