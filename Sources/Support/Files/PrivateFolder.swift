import Foundation
import GraphCore
import Synchronization

/// A folder for temporary files, which only this user can reach, and which is removed with what is
/// in it when nothing holds it any more.
package final class PrivateFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// The paths of those of this process.
  private static let paths = Mutex<Set<String>>([])

  /// Makes an empty folder, in the first folder for temporary files that takes it.
  ///
  /// - Throws: `ArchiveError` if none does.
  package init() throws(ArchiveError) {
    let none = ArchiveError(.unreadable, name: "no folder for temporary files")
    path = try TemporaryName.first(orThrow: none) { (path) throws(ArchiveError) in
      try Self.paths.withLock { (paths) throws(ArchiveError) in
        // Fails if anything is there.
        guard unsafe FileName.withPath(path, { unsafe mkdir($0, 0o700) }) == 0 else {
          throw PrivateCopy.noRoom(.last, path)
        }
        paths.insert(path)
      }
      return path
    }
  }

  /// Copies a file into the folder.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The name of the copy.
  /// - Returns: The path of the copy.
  /// - Throws: `ArchiveError` if the file cannot be read or changes meanwhile, or if there is no
  ///   room.
  package func copy(_ file: borrowing InputFile, as name: String) throws(ArchiveError) -> String {
    let copy = "\(path)/\(name)"
    let descriptor: CInt
    do throws(SystemError) {
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      descriptor = try FileSystem.open(copy, flags, mode: 0o600)
    } catch {
      throw PrivateCopy.noRoom(error, copy)
    }
    defer { close(descriptor) }
    do throws(PrivateCopy.CopyError) {
      try PrivateCopy.fill(descriptor, file.descriptor, file.size)
    } catch {
      switch error {
      case .reading(let error): throw error
      case .writing(let error): throw PrivateCopy.noRoom(error, copy)
      }
    }
    try file.check()
    return copy
  }

  deinit {
    _ = Self.paths.withLock { $0.remove(path) }
    Self.remove(path)
  }

  /// Removes the folders of this process, and ends it: no further ones are made.
  ///
  /// - Parameter end: Ends the process.
  package static func removeAll(andThen end: () -> Never) -> Never {
    paths.withLock { paths in
      // Other threads may put something into a folder that has just been emptied.
      for path in paths {
        var attempts = 16
        while attempts > 0, !remove(path) { attempts -= 1 }
      }
      end()
    }
  }

  /// Removes a folder with all that is in it; returns whether nothing is left.
  @discardableResult
  private static func remove(_ path: String) -> Bool {
    for entry in (try? DirectoryListing(path))?.entries ?? [] {
      let inner = "\(path)/\(entry.name)"
      if entry.kind == .directory { remove(inner) } else { SystemCalls.unlink(inner) }
    }
    return FileSystem.remove(emptyFolder: path)
  }
}
