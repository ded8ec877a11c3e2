import Foundation

/// UUIDs as text.
package enum UUIDText {
  /// The size of a text in bytes.
  package static let size = 36

  /// Sixteen bytes in the usual form, in upper case: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8".
  package static func text(_ bytes: BorrowedBytes) -> String {
    unsafe String(unsafeUninitializedCapacity: size) { buffer in
      var span = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      write(bytes, into: &span)
      return unsafe span.finalize(for: buffer)
    }
  }

  /// Writes the text of sixteen bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - span: The output, with room for `size` bytes.
  package static func write(
    _ bytes: BorrowedBytes, into span: inout OutputSpan<UInt8>
  ) {
    for position in 0..<min(16, bytes.count) {
      let byte = bytes[position]
      if position == 4 || position == 6 || position == 8 || position == 10 { span.append(0x2D) }
      span.append(digit(byte >> 4))
      span.append(digit(byte & 0xF))
    }
  }

  /// The sixteen bytes that a text of the usual form writes; nil for any other text.
  ///
  /// - Parameter text: The bytes of the text; letters may be lower-case.
  /// - Returns: The bytes.
  package static func bytes(_ text: BorrowedBytes) -> [UInt8]? {
    guard text.count == size else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var offset = 0
    while offset < size {
      if [8, 13, 18, 23].contains(offset) {
        guard text[offset] == 0x2D else { return nil }
        offset += 1
      }
      guard let high = value(text[offset]), let low = value(text[offset + 1])
      else { return nil }
      bytes.append(high << 4 | low)
      offset += 2
    }
    return bytes
  }

  /// The value of a hexadecimal digit; nil if it is none.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

extension UUID {
  /// The UUID that sixteen bytes are; nil for any other number of bytes.
  package init?(_ bytes: BorrowedBytes) {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    self.init(uuid: unsafe bytes.buffer.loadUnaligned(as: uuid_t.self))
  }

  /// The sixteen bytes, in the order in which they are written.
  package var bytes: [UInt8] { unsafe withUnsafeBytes(of: uuid) { unsafe Array($0) } }
}
