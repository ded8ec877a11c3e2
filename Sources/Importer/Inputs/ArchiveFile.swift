import ArchiveReader
import Crypto
import Foundation
import Synchronization

/// An archive in a file or inside of another, opened.
final class ArchiveFile: Sendable {
  let archive: KeyedArchive
  private let digest: FileDigest

  /// The digest of a file up to this size is computed when it is asked for.
  private static let largestInline = 1 << 18

  init(path: String, limits: ReadingLimits, salvages: Bool = false) throws(ArchiveError) {
    let storage = try ByteStorage(contentsOf: path)
    digest = FileDigest(of: storage)
    // That of a small file takes no longer than having another thread compute it.
    if storage.bytes.count > Self.largestInline { digest.begin() }
    archive =
      salvages
      ? try KeyedArchive.salvage(storage, limits: limits)
      : try KeyedArchive(try PropertyList(storage, limits: limits))
  }

  /// Opens what a data value of another archive holds.
  init(
    _ data: NestedData, in outer: ArchiveFile, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) {
    let bytes: ByteStorage
    (archive, bytes) = try KeyedArchive.read(
      data, in: outer.archive, limits: limits, salvages: salvages)
    digest = FileDigest(of: bytes)
  }

  /// The SHA-256 digest of its bytes, in hexadecimal.
  ///
  /// Waits for it if need be. That of a large file is in the making since it was opened.
  var sha256: String { digest.text }

  /// How much memory the archive takes while it is open.
  var residentBytes: Int { archive.propertyList.residentBytes }
}

/// A digest that may be computed beside other work.
private final class FileDigest: Sendable {
  private let storage: ByteStorage
  private let result = ResultBox()
  private let group = DispatchGroup()

  init(of storage: ByteStorage) {
    self.storage = storage
  }

  /// Begins to compute it.
  func begin() {
    DispatchQueue.global().async(group: group) { [result, storage] in
      result.set(Self.digest(of: storage))
    }
  }

  /// Whoever lets go of a file may change it: a mapped one must not be read any more then.
  deinit { group.wait() }

  var text: String {
    group.wait()
    if let known = result.get() { return known }
    let text = Self.digest(of: storage)
    result.set(text)
    return text
  }

  private static func digest(of storage: ByteStorage) -> String { SHA256.text(of: storage) }
}

extension SHA256 {
  /// The digest of a file's bytes, in hexadecimal.
  static func text(of storage: ByteStorage) -> String {
    var hasher = SHA256()
    hasher.update(bufferPointer: storage.bytes)
    return hasher.finalize().hexadecimal
  }
}

private final class ResultBox: Sendable {
  private let value = Mutex<String?>(nil)

  func set(_ text: String) { value.withLock { $0 = text } }
  func get() -> String? { value.withLock { $0 } }
}
