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
