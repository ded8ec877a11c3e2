import ArchiveReader
import Foundation
import Support
import Synchronization

/// The SHA-256 digest of a file's bytes, which may be computed beside other work.
final class FileDigest: Sendable {
  /// The digest of a file up to this size is computed when it is asked for.
  private static let largestInline = 1 << 18

  private let storage: ByteStorage
  private let work = Work()

  init(of storage: ByteStorage) { self.storage = storage }

  /// How many bytes the file has.
  var byteCount: Int { storage.bytes.count }

  /// Begins to compute it.
  func begin() {
    // That of a small file takes no longer than having another thread compute it.
    guard storage.bytes.count > Self.largestInline, work.begin() else { return }
    let isStarted = WorkerThread.start { [work, storage] in work.end(Self.digest(of: storage)) }
    if !isStarted { work.end(nil) }
  }

  /// Whoever lets go of a file may change it: a mapped one must not be read any more then.
  deinit { _ = work.result() }

  /// The digest in hexadecimal; waits for it if need be.
  var text: String {
    if let known = work.result() { return known }
    let text = Self.digest(of: storage)
    work.end(text)
    return text
  }

  /// The digest of a file's bytes, in hexadecimal.
  static func digest(of storage: ByteStorage) -> String {
    MessageDigest.sha256(of: storage.bytes).hexadecimal
  }
}

/// A digest that another thread may be computing.
///
/// Unchecked: what changes is touched only while `condition` is locked.
private final class Work: @unchecked Sendable {
  private let condition = NSCondition()
  private var isRunning = false
  private var text: String?

  /// Notes that it is being computed; returns false if it is, or was, already.
  func begin() -> Bool {
    condition.withLock {
      guard !isRunning, text == nil else { return false }
      isRunning = true
      return true
    }
  }

  func end(_ text: String?) {
    condition.withLock {
      self.text = text
      isRunning = false
      condition.broadcast()
    }
  }

  /// The digest; nil if nobody has computed it.
  ///
  /// Waits for whoever does.
  func result() -> String? {
    condition.withLock {
      while isRunning { condition.wait() }
      return text
    }
  }
}
