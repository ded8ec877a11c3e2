/// The value of an archived NSDecimalNumber: a mantissa of up to 128 bits, a power of ten, a sign.
package struct ArchivedDecimal: Hashable, Sendable {
  private var high: UInt64
  private var low: UInt64
  package var exponent: Int16
  package var isNegative: Bool
  package var isNaN: Bool

  /// Makes a decimal from its archived parts, or returns nil if they are not those of one.
  ///
  /// Foundation archives the mantissa as eight 16-bit words, of which `length` count. A length of
  /// 0 with the negative sign stands for NaN. One producer writes a shorter mantissa.
  init?(
    exponent: Int64, length: Int64, isNegative: Bool, mantissa: UnsafeRawBufferPointer,
    isBigEndian: Bool
  ) {
    guard (0...8).contains(length), (-128...127).contains(exponent), mantissa.count <= 16,
      mantissa.count % 2 == 0
    else { return nil }
    var value: UInt128 = 0
    for word in (0..<Int(length)).reversed() {
      guard 2 * word + 1 < mantissa.count else { continue }
      let first = UInt128(mantissa[2 * word])
      let second = UInt128(mantissa[2 * word + 1])
      value = value << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
    }
    high = UInt64(truncatingIfNeeded: value >> 64)
    low = UInt64(truncatingIfNeeded: value)
    self.exponent = Int16(exponent)
    self.isNegative = isNegative
    isNaN = length == 0 && isNegative
  }

  /// The digits before the exponent is applied.
  package var mantissa: UInt128 { UInt128(high) << 64 | UInt128(low) }

  /// The exact value without an exponent, with no zeros that do not count: "-12.3", "1000", "NaN".
  package var text: String {
    guard !isNaN else { return "NaN" }
    guard mantissa != 0 else { return "0" }
    return DecimalText.canonical(
      digits: String(mantissa), power: Int(exponent), isNegative: isNegative)
  }
}
