import Foundation
import GraphCore

/// Files that have no name, so that nobody else can reach them, and that go with their descriptor.
package enum TemporaryFile {
  /// Makes one in the first folder for temporary files that takes it.
  ///
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: The system's error for the last folder.
  package static func make() throws(SystemError) -> CInt {
    try TemporaryName.first(orThrow: SystemError(ENOENT), make(at:))
  }

  /// Makes one in the folder of a path at which there is nothing.
  ///
  /// Where the file system knows only files with names, the name is taken away at once.
  package static func make(at path: String) throws(SystemError) -> CInt {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
    if let nameless = FileSystem.openNameless(in: folder) { return nameless }
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    let named = try FileSystem.open(path, flags, mode: 0o600)
    _ = unsafe FileName.withPath(path) { unsafe unlink($0) }
    return named
  }
}
