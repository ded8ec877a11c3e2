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
    exponent: Int64, length: Int64, isNegative: Bool, mantissa: BorrowedBytes,
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

  /// More bytes than any text of a decimal takes: a sign, 39 digits, and a point or zeros for a
  /// power of ten from -128 to 127.
  package static let maxBytes = 192

  /// Writes the text as UTF-8.
  ///
  /// - Parameter span: The output, with room for `maxBytes`.
  /// - Returns: True if it was written; not if it has more than 64 bits, or is not a number: see
  ///   `text`.
  package func write(into span: inout OutputSpan<UInt8>) -> Bool {
    guard high == 0, !isNaN, low != 0 else { return false }
    var (rest, power) = (low, Int(exponent))
    while rest % 10 == 0 { (rest, power) = (rest / 10, power + 1) }
    var count = 1
    var bound: UInt64 = 10
    while rest >= bound {
      count += 1
      let (next, isTooLarge) = bound.multipliedReportingOverflow(by: 10)
      guard !isTooLarge else { break }
      bound = next
    }
    if isNegative { span.append(UInt8(ascii: "-")) }
    if power >= 0 {
      span.append(rest, digits: count)
      span.append(repeating: UInt8(ascii: "0"), count: power)
    } else if count > -power {
      let unit = (0..<(-power)).reduce(1 as UInt64) { product, _ in product * 10 }
      span.append(rest / unit, digits: count + power)
      span.append(UInt8(ascii: "."))
      span.append(rest % unit, digits: -power)
    } else {
      span.append(UInt8(ascii: "0"))
      span.append(UInt8(ascii: "."))
      span.append(repeating: UInt8(ascii: "0"), count: -power - count)
      span.append(rest, digits: count)
    }
    return true
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

  /// The value that is not a number.
  package static var notANumber: ArchivedDecimal {
    var decimal = ArchivedDecimal(mantissa: 0, exponent: 0, isNegative: true)
    decimal.isNaN = true
    return decimal
  }

  /// The mantissa, where it has 64 bits at most.
  package var shortMantissa: UInt64? { high == 0 ? low : nil }
}

/// Exact decimal numbers as text.
package enum DecimalText {
  /// A number without an exponent and with no zeros that do not count: "-12.3", "1000", "0".
  ///
  /// - Parameters:
  ///   - digits: Its digits, the first of which is not zero; none for zero.
  ///   - power: The power of ten that they are multiplied by.
  ///   - isNegative: True if the number is below zero.
  /// - Returns: The text. Its length grows with the power, which the caller has to limit.
  package static func canonical(
    digits: some StringProtocol, power: Int, isNegative: Bool
  ) -> String {
    var digits = Substring(digits)
    var power = power
    while digits.last == "0" {
      digits.removeLast()
      power += 1
    }
    guard !digits.isEmpty else { return "0" }
    let body: String
    if power >= 0 {
      body = digits + String(repeating: "0", count: power)
    } else if digits.count > -power {
      body = "\(digits.dropLast(-power)).\(digits.suffix(-power))"
    } else {
      body = "0." + String(repeating: "0", count: -power - digits.count) + digits
    }
    return isNegative ? "-" + body : body
  }
  /// The shortest decimal form of a finite double, in the same way.
  package static func canonical(_ number: Double) -> String {
    // Swift writes these digits: "12.5", "1e+20", "1.5e-07".
    let parts = "\(number.magnitude)".split(separator: "e")
    let numbers = parts[0].split(separator: ".")
    let fraction = numbers.count > 1 ? numbers[1] : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    return canonical(
      digits: (numbers[0] + fraction).drop { $0 == "0" }, power: exponent - fraction.count,
      isNegative: number < 0)
  }
}
