import Foundation
import Support
import Synchronization

/// The SHA-256 digest of a file's bytes, which may be computed beside other work.
///
/// Where other files hold a part of what it says, their bytes follow those of the file.
package final class FileDigest: Sendable {
  /// The digest of a file up to this size is computed when it is asked for.
  private static let largestInline = 1 << 18

  private let parts: [ByteStorage]
  private let work = Work()

  package init(of storage: ByteStorage) { parts = [storage] }

  /// The digest of a file that an opener opens.
  ///
  /// - Throws: `ArchiveError` if a file next to it cannot be read.
  package init(of storage: ByteStorage, at path: String, _ opener: SourceOpener)
    throws(ArchiveError)
  {
    var parts = [storage]
    for companion in opener.companions(of: storage.head, at: path) {
      parts.append(try ByteStorage(contentsOf: companion, leases: true))
    }
    self.parts = parts
  }

  /// The number of bytes.
  package var byteCount: Int { parts.reduce(0) { $0 + $1.count } }

  /// Refuses the digest if what was read is no longer there.
  package func check() throws(ArchiveError) {
    for part in parts { try part.check() }
  }

  /// Begins to compute it.
  package func begin() {
    // That of a small file takes no longer than having another thread compute it.
    guard byteCount > Self.largestInline, work.begin() else { return }
    let isStarted = WorkerThread.start { [work, parts] in work.end(Self.digest(of: parts)) }
    if !isStarted { work.end(nil) }
  }

  /// Whoever lets go of a file may change it: a mapped one must not be read any more then.
  deinit { _ = work.result() }

  /// The digest in hexadecimal; waits for it if need be.
  package var text: String {
    if let known = work.result() { return known }
    let text = Self.digest(of: parts)
    work.end(text)
    return text
  }

  /// The digest of all bytes, in hexadecimal.
  private static func digest(of parts: [ByteStorage]) -> String {
    var digest = MessageDigest.sha256()
    for part in parts { unsafe digest.update(part.bytes) }
    return digest.finish().hexadecimal
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
