import ArchiveReader
import Crypto
import Foundation
import Synchronization

/// An archive in a file, opened, with its digest in the making.
final class ArchiveFile: Sendable {
  let path: String
  let archive: KeyedArchive
  private let digest: FileDigest

  init(path: String, limits: ReadingLimits, salvages: Bool = false) throws(ArchiveError) {
    self.path = path
    let storage = try ByteStorage(contentsOf: path)
    digest = FileDigest(of: storage)
    archive =
      salvages
      ? try KeyedArchive.salvage(storage, limits: limits)
      : try KeyedArchive(try PropertyList(storage, limits: limits))
  }

  /// The SHA-256 digest of the file, in hexadecimal.
  ///
  /// Waits for it if need be.
  var sha256: String { digest.text }

  /// How much memory the archive takes while it is open.
  var residentBytes: Int { archive.propertyList.residentBytes }
}

/// A digest that is computed beside other work.
private final class FileDigest: Sendable {
  private let result = ResultBox()
  private let group = DispatchGroup()

  init(of storage: ByteStorage) {
    DispatchQueue.global().async(group: group) { [result] in
      var hasher = SHA256()
      hasher.update(bufferPointer: storage.bytes)
      result.set(hasher.finalize().map { String(format: "%02x", $0) }.joined())
    }
  }

  var text: String {
    group.wait()
    return result.get()
  }
}

private final class ResultBox: Sendable {
  private let value = Mutex("")

  func set(_ text: String) { value.withLock { $0 = text } }
  func get() -> String { value.withLock { $0 } }
}
