import GraphCore

extension BorrowedBytes {
  /// Whether the bytes are valid UTF-8.
  ///
  /// - Complexity: Linear; for ASCII without memory.
  var isUTF8: Bool {
    let bytes = unsafe buffer
    var offset = 0
    while offset + 8 <= count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { break }
      offset += 8
    }
    while offset < count, unsafe bytes[offset] < 0x80 { offset += 1 }
    guard offset < count else { return true }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
    return unsafe String(validating: rest, as: UTF8.self) != nil
  }
}
