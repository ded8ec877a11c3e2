import CDigest
import Foundation

/// A SHA-2 digest in the making (FIPS 180-4), computed by the system's library.
@safe package struct MessageDigest: ~Copyable {
  private let algorithm: cdg_algorithm
  private let context: OpaquePointer

  private init(_ algorithm: cdg_algorithm) {
    self.algorithm = algorithm
    unsafe context = unsafe cdg_begin(algorithm)
  }

  deinit { unsafe cdg_free(context) }

  /// Begins a digest of 32 bytes.
  package static func sha256() -> MessageDigest { MessageDigest(cdg_sha256) }

  /// Begins a digest of 64 bytes.
  package static func sha512() -> MessageDigest { MessageDigest(cdg_sha512) }

  /// The SHA-256 digest of bytes.
  package static func sha256(of bytes: some ContiguousBytes) -> [UInt8] {
    var digest = sha256()
    digest.update(bytes)
    return digest.finish()
  }

  /// The SHA-256 digest of texts, each with a zero byte after it, in hexadecimal.
  package static func sha256(ofTexts texts: [String]) -> String {
    var digest = sha256()
    for text in texts {
      digest.update(text)
      digest.update([0] as [UInt8])
    }
    return digest.finish().hexadecimal
  }

  /// Adds bytes.
  package mutating func update(_ bytes: some ContiguousBytes) {
    unsafe bytes.withUnsafeBytes { unsafe cdg_update(context, $0.baseAddress, $0.count) }
  }

  /// Adds the text in UTF-8.
  package mutating func update(_ text: String) {
    // One that is contiguous, as nearly all are, is not copied.
    var text = text
    text.withUTF8 { unsafe cdg_update(context, $0.baseAddress, $0.count) }
  }

  /// The digest of all bytes that were added.
  package consuming func finish() -> [UInt8] {
    let count = Int(algorithm.rawValue)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      unsafe cdg_finish(context, start)
      initialized = count
    }
  }
}
