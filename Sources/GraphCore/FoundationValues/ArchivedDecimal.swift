/// The value of an archived NSDecimalNumber: a mantissa of up to 128 bits, a power of ten, a sign.
package struct ArchivedDecimal: BitwiseCopyable, Hashable, Sendable {
  private var high: UInt64
  private var low: UInt64
  package var exponent: Int16
  package var isNegative: Bool
  package var isNaN: Bool

  /// Makes a decimal from its archived parts, or returns nil if they are not those of one.
  ///
  /// Foundation archives the mantissa as eight 16-bit words, of which `length` count. A length of
  /// 0 with the negative sign stands for NaN. One producer writes a shorter mantissa.
  package init?(
    exponent: Int64, length: Int64, isNegative: Bool, mantissa: UnsafeRawBufferPointer,
    isBigEndian: Bool
  ) {
    guard (0...8).contains(length), (-128...127).contains(exponent), mantissa.count <= 16,
      mantissa.count % 2 == 0
    else { return nil }
    var value: UInt128 = 0
    for word in (0..<Int(length)).reversed() {
      guard 2 * word + 1 < mantissa.count else { continue }
      let first = unsafe UInt128(mantissa[2 * word])
      let second = unsafe UInt128(mantissa[2 * word + 1])
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

  /// More bytes than any text of a decimal takes: a sign, 39 digits, and a point or zeros for a
  /// power of ten from -128 to 127.
  package static let maxBytes = 192

  /// Writes the text as UTF-8 into memory of `maxBytes`; returns how many bytes it has.
  ///
  /// - Returns: Nil where it has more than 64 bits, or is not a number: see `text`.
  package func write(into space: UnsafeMutableRawBufferPointer) -> Int? {
    guard high == 0, !isNaN, low != 0 else { return nil }
    var (rest, power) = (low, Int(exponent))
    while rest % 10 == 0 { (rest, power) = (rest / 10, power + 1) }
    // The digits come from after.
    let end = space.count
    var first = end
    while rest > 0 {
      first -= 1
      unsafe space[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    var count = 0
    func put(_ byte: UInt8, times: Int = 1) {
      for _ in 0..<times {
        unsafe space[count] = byte
        count += 1
      }
    }
    func put(digits: Range<Int>) {
      for place in digits { unsafe put(space[place]) }
    }
    if isNegative { put(UInt8(ascii: "-")) }
    if power >= 0 {
      put(digits: first..<end)
      put(UInt8(ascii: "0"), times: power)
    } else if end - first > -power {
      put(digits: first..<end + power)
      put(UInt8(ascii: "."))
      put(digits: end + power..<end)
    } else {
      put(UInt8(ascii: "0"))
      put(UInt8(ascii: "."))
      put(UInt8(ascii: "0"), times: first - end - power)
      put(digits: first..<end)
    }
    return count
  }

  /// A number of 64 bits, times a power of ten.
  package init(mantissa: UInt64, exponent: Int16, isNegative: Bool) {
    (high, low) = (0, mantissa)
    self.exponent = exponent
    self.isNegative = isNegative
    isNaN = false
  }

  /// A number of 128 bits, times a power of ten.
  package init(wide mantissa: UInt128, exponent: Int16, isNegative: Bool) {
    high = UInt64(truncatingIfNeeded: mantissa >> 64)
    low = UInt64(truncatingIfNeeded: mantissa)
    self.exponent = exponent
    self.isNegative = isNegative
    isNaN = false
  }

  /// What is not a number.
  package static var notANumber: ArchivedDecimal {
    var decimal = ArchivedDecimal(mantissa: 0, exponent: 0, isNegative: true)
    decimal.isNaN = true
    return decimal
  }

  /// The mantissa, where it has 64 bits at most.
  package var shortMantissa: UInt64? { high == 0 ? low : nil }
}
