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

/// The bytes one by one, each checked to be one of them.
///
/// Generic code is not specialized for it in other modules: where many bytes are read, it is given
/// `buffer`.
extension BorrowedBytes: RandomAccessCollection {
  @inlinable @inline(__always)
  package var startIndex: Int { 0 }

  @inlinable @inline(__always)
  package var endIndex: Int { count }

  @inlinable @inline(__always)
  package subscript(position: Int) -> UInt8 {
    precondition(position >= 0 && position < count)
    return unsafe buffer[position]
  }

  @inlinable
  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try unsafe buffer.withContiguousStorageIfAvailable(body)
  }
}

extension BorrowedBytes {
  /// The bytes of memory, which whoever has the value keeps.
  @inlinable @inline(__always)
  package init(_ memory: UnsafeRawBufferPointer) {
    guard let start = memory.baseAddress else {
      self = .none
      return
    }
    unsafe self.init(start: start, count: memory.count)
  }

  /// No bytes.
  @inlinable
  package static var none: BorrowedBytes {
    let nothing: StaticString = ""
    return unsafe BorrowedBytes(start: UnsafeRawPointer(nothing.utf8Start), count: 0)
  }

  /// Eight bytes as a number, in the order of the machine.
  ///
  /// - Parameter offset: The position of the first of them; all of them are there.
  /// - Returns: The number.
  @inlinable @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count - 8)
    return unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// The units of a text in UTF-16 with the high byte first.
  var units: [UInt16] {
    stride(from: 0, to: count - 1, by: 2).map { UInt16(self[$0]) << 8 | UInt16(self[$0 + 1]) }
  }

  /// True if other bytes are equal to these.
  @inlinable
  package func hasSameBytes(as other: BorrowedBytes) -> Bool {
    unsafe count == other.count && memcmp(start, other.start, count) == 0
  }

  /// Some of the bytes.
  @inlinable @inline(__always)
  package func part(_ range: Range<Int>) -> BorrowedBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe BorrowedBytes(start: start + range.lowerBound, count: range.count)
  }
}

extension Array<UInt8> {
  /// The bytes that a function writes.
  ///
  /// - Parameters:
  ///   - size: The most bytes that are written.
  ///   - write: Writes them.
  package init(upTo size: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    self = unsafe Array(unsafeUninitializedCapacity: size) { buffer, count in
      var span = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      write(&span)
      count = unsafe span.finalize(for: buffer)
    }
  }

  /// Calls with the bytes where they lie: they are valid in the call alone.
  package func withBorrowedBytes<Result, Failure: Error>(
    _ body: (BorrowedBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { (bytes) throws(Failure) in
      try unsafe body(BorrowedBytes(UnsafeRawBufferPointer(bytes)))
    }
  }
}

extension BorrowedBytes {
  /// The number of UTF-16 units of a text in UTF-8.
  package var utf16Count: Int {
    unsafe buffer.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) + ($1 >= 0xF0 ? 1 : 0) }
  }

  /// True if the bytes are valid UTF-8.
  ///
  /// - Complexity: Linear; for ASCII without memory.
  package var isUTF8: Bool {
    var offset = 0
    while offset + 8 <= count {
      guard word(at: offset) & 0x8080_8080_8080_8080 == 0 else { break }
      offset += 8
    }
    while offset < count, self[offset] < 0x80 { offset += 1 }
    guard offset < count else { return true }
    return unsafe String(validating: part(offset..<count).buffer, as: UTF8.self) != nil
  }
}
