import Foundation

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
