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

  /// Some of the bytes.
  @inlinable @inline(__always)
  package func part(_ range: Range<Int>) -> BorrowedBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe BorrowedBytes(start: start + range.lowerBound, count: range.count)
  }
}
