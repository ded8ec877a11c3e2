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
