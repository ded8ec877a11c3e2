import Foundation

/// Bytes where they lie: in the mapped file, or in memory that its source keeps.
///
/// They are valid as long as the source that gave them. Whoever keeps a value keeps its source.
@frozen @safe
package struct BorrowedBytes: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory of a source never changes.
  package let start: UnsafeRawPointer
  package let count: Int

  @inlinable @inline(__always)
  package init(start: UnsafeRawPointer, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// The bytes, for as long as the source is open.
  @inlinable @inline(__always)
  package var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// A copy of the bytes.
  package var data: Data { unsafe Data(buffer) }
}

/// A text where its bytes lie, valid as long as the source that gave it.
@frozen
package struct BorrowedText: BitwiseCopyable, Sendable {
  /// The encoding of the bytes.
  @frozen
  package enum Encoding: BitwiseCopyable, Hashable, Sendable {
    /// ASCII included; checked to be valid.
    case utf8
    /// UTF-16 with the high byte first; surrogates may be unpaired.
    case utf16
  }

  package let bytes: BorrowedBytes
  package let encoding: Encoding

  @inlinable @inline(__always)
  package init(bytes: BorrowedBytes, encoding: Encoding) {
    (self.bytes, self.encoding) = (bytes, encoding)
  }
}

extension BorrowedText {
  /// The text as a string; unpaired surrogates become U+FFFD.
  package var string: String {
    switch encoding {
    case .utf8: return unsafe String(decoding: bytes.buffer, as: UTF8.self)
    case .utf16:
      // A UTF-16 unit takes at most three bytes of UTF-8.
      return unsafe String(unsafeUninitializedCapacity: bytes.count / 2 * 3) { buffer in
        var span = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        _ = UTF16Text.transcode(bytes, into: &span)
        return unsafe span.finalize(for: buffer)
      }
    }
  }

  /// The units of a text in UTF-16; none of one in UTF-8.
  package var units: [UInt16] { encoding == .utf16 ? bytes.units : [] }

  /// True if it has surrogates that are no pair, which a string cannot hold.
  package var hasUnpairedSurrogates: Bool {
    encoding == .utf16 && UTF16Text.hasUnpairedSurrogates(bytes)
  }

  /// The text as a string; nil if it has unpaired surrogates, which a string cannot hold.
  package var exactString: String? {
    switch encoding {
    case .utf8: return unsafe String(validating: bytes.buffer, as: UTF8.self)
    case .utf16: return String(validating: bytes.units, as: UTF16.self)
    }
  }
}
