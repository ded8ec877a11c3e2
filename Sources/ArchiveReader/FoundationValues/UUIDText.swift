/// UUIDs as text.
package enum UUIDText {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Sixteen bytes in the usual form, in upper case: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8".
  package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (position, byte) in bytes.enumerated() {
      if position == 4 || position == 6 || position == 8 || position == 10 { text.append(0x2D) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
