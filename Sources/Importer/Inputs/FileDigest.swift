import ArchiveReader
import Foundation
import Synchronization

/// The SHA-256 digest of a file's bytes, which may be computed beside other work.
final class FileDigest: Sendable {
  /// The digest of a file up to this size is computed when it is asked for.
  private static let largestInline = 1 << 18

  private let storage: ByteStorage
  private let result = ResultBox()
  /// Waits for a digest that is in the making; nil for a small file.
  private let group: DispatchGroup?

  init(of storage: ByteStorage) {
    self.storage = storage
    // That of a small file takes no longer than having another thread compute it.
    group = storage.bytes.count > Self.largestInline ? DispatchGroup() : nil
  }

  /// How many bytes the file has.
  var byteCount: Int { storage.bytes.count }

  /// Begins to compute it.
  func begin() {
    guard let group else { return }
    DispatchQueue.global().async(group: group) { [result, storage] in
      result.set(Self.digest(of: storage))
    }
  }

  /// Whoever lets go of a file may change it: a mapped one must not be read any more then.
  deinit { group?.wait() }

  /// The digest in hexadecimal; waits for it if need be.
  var text: String {
    group?.wait()
    if let known = result.get() { return known }
    let text = Self.digest(of: storage)
    result.set(text)
    return text
  }

  /// The digest of a file's bytes, in hexadecimal.
  static func digest(of storage: ByteStorage) -> String {
    MessageDigest.sha256(of: storage.bytes).hexadecimal
  }
}

private final class ResultBox: Sendable {
  private let value = Mutex<String?>(nil)

  func set(_ text: String) { value.withLock { $0 = text } }
  func get() -> String? { value.withLock { $0 } }
}
