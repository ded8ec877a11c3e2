import ArchiveReader
import Foundation
import Support

/// A private temporary folder, deleted with its last reference.
final class ScratchFolder {
  let path: String

  /// Makes a folder where temporary files belong, which nobody else can look into.
  init() throws(StoreError) {
    let none = StoreError(.file, path: "TMPDIR", reason: "is not a folder")
    path = try TemporaryName.first(orThrow: none) { (path) throws(StoreError) in
      // Fails if anything is there.
      guard unsafe FileName.withPath(path, { unsafe mkdir($0, 0o700) }) == 0 else {
        throw StoreError(.file, path: path, reason: SystemError.last.words)
      }
      return path
    }
    UnfinishedFolders.shared.add(path)
  }

  deinit { UnfinishedFolders.shared.remove(path) }
}
