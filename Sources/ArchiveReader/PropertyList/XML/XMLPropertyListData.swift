import Foundation

extension PropertyList.Assembler {
  /// Adds the data that a text in base64 stands for; white space and control characters in it
  /// count for nothing.
  mutating func add(base64 bytes: BorrowedBytes) throws(ArchiveError) {
    let text = unsafe bytes.buffer
    if let size = unsafe Base64.size(of: text) {
      return try add(dataOf: size) { unsafe Base64.decode(text, into: &$0) }
    }
    // What is not as usual is left to Foundation.
    let digits = unsafe Data(text.lazy.filter { $0 > 0x20 })
    guard let data = Data(base64Encoded: digits) else { throw ArchiveError(.badData) }
    try add(dataOf: data.count) { $0.append(bytes: data) }
  }
}

/// Base64 as it is usually written: whole groups of four, and nothing in the bits that padding
/// leaves over.
private enum Base64 {
  private static let noDigit: UInt8 = 64
  private static let padding = UInt8(ascii: "=")

  /// The value of each byte as a digit.
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: noDigit, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, byte) in alphabet.utf8.enumerated() { digits[Int(byte)] = UInt8(value) }
    return digits
  }()

  /// The size of the data that a text stands for; nil if it is not as usual.
  static func size(of text: some Sequence<UInt8>) -> Int? {
    var digitCount = 0
    var paddingCount = 0
    var last: UInt8 = 0
    let digits = digits
    for byte in text where byte > 0x20 {
      if byte == padding {
        paddingCount += 1
      } else {
        let digit = digits[Int(byte)]
        guard digit < noDigit, paddingCount == 0 else { return nil }
        digitCount += 1
        last = digit
      }
    }
    guard (digitCount + paddingCount) & 3 == 0, paddingCount <= 2 else { return nil }
    guard last & (paddingCount == 2 ? 0xF : paddingCount == 1 ? 0x3 : 0) == 0 else { return nil }
    return digitCount / 4 * 3 + [0, 2, 1][paddingCount]
  }

  /// Writes the data that a text stands for, as much of it as there is room.
  static func decode(_ text: some Sequence<UInt8>, into data: inout OutputSpan<UInt8>) {
    var bits: UInt32 = 0
    var bitCount = 0
    let digits = digits
    for byte in text where byte > 0x20 && byte != padding {
      bits = bits << 6 | UInt32(digits[Int(byte)])
      bitCount += 6
      guard bitCount >= 8, data.freeCapacity > 0 else { continue }
      bitCount -= 8
      data.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
  }
}
