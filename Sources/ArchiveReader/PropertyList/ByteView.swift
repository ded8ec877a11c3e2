import Foundation

/// Bytes where they lie: in a file, in a table, or in an array that is being read.
///
/// Whoever has a view keeps what it is of: a view of a table or of a file is used as long as these
/// are open, and one of an array only in the call that it is handed to. Unlike `BorrowedBytes`, it
/// stays within this module, where making one costs no call.
@safe struct ByteView: BitwiseCopyable {
  /// The bytes as memory.
  let buffer: UnsafeRawBufferPointer

  @inline(__always)
  init(_ buffer: UnsafeRawBufferPointer) { unsafe self.buffer = buffer }

  /// No bytes.
  static var none: ByteView { unsafe ByteView(UnsafeRawBufferPointer(start: nil, count: 0)) }

  @inline(__always)
  var count: Int { unsafe buffer.count }

  /// Whether the bytes are the same.
  func isEqual(to other: ByteView) -> Bool {
    guard count == other.count, let start = unsafe buffer.baseAddress,
      let otherStart = unsafe other.buffer.baseAddress
    else { return count == other.count }
    return unsafe memcmp(start, otherStart, count) == 0
  }
}

extension Array<UInt8> {
  /// Calls with a view of the bytes.
  func withView<Result>(
    _ body: (ByteView) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try unsafe withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
      try unsafe body(ByteView(UnsafeRawBufferPointer(bytes)))
    }
  }
}
