import GraphCore

extension BorrowedBytes {
  /// The bytes of memory.
  init(_ memory: UnsafeRawBufferPointer) {
    guard let start = memory.baseAddress else {
      self = .none
      return
    }
    unsafe self.init(start: start, count: memory.count)
  }

  /// No bytes.
  static var none: BorrowedBytes {
    let nothing: StaticString = ""
    return unsafe BorrowedBytes(start: UnsafeRawPointer(nothing.utf8Start), count: 0)
  }

  /// Some of the bytes.
  func part(_ range: Range<Int>) -> BorrowedBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe BorrowedBytes(start: start + range.lowerBound, count: range.count)
  }

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
