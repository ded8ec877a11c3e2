import ArchiveReader
import Foundation
import Support

/// A folder of the program's own for files that are of no use later: it goes with its last owner.
final class ScratchFolder {
  let path: String

  /// Makes a folder where temporary files belong, which nobody else can look into.
  init() throws(StoreError) {
    var failure = StoreError(.file, path: "TMPDIR", reason: "is not a folder")
    for path in TemporaryName.paths() {
      // Fails if anything is there.
      if unsafe FileName.withPath(path, { unsafe mkdir($0, 0o700) }) == 0 {
        self.path = path
        UnfinishedFolders.shared.add(path)
        return
      }
      failure = StoreError(.file, path: path, reason: SystemError.last.words)
    }
    throw failure
  }

  deinit { UnfinishedFolders.shared.remove(path) }
}
