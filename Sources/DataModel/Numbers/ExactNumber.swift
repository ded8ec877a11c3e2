import ArchiveReader
import Foundation

/// A finite number as its decimal digits: exact, and of any size.
///
/// Two are equal if their values are.
package struct ExactNumber: Hashable, Sendable {
  /// The digits, 0 to 9; neither the first nor the last is zero, and zero has none.
  package let digits: [UInt8]
  /// The power of ten that the digits are multiplied by; 0 for zero.
  package let power: Int
  /// True if the number is below zero.
  package let isNegative: Bool

  /// Creates a number from digits, zeros at both ends included, and the power of the last one.
  package init(_ digits: some BidirectionalCollection<UInt8>, power: Int, isNegative: Bool) {
    var rest = digits.drop { $0 == 0 }
    var power = power
    while rest.last == 0 {
      rest.removeLast()
      power += 1
    }
    self.digits = Array(rest)
    self.power = rest.isEmpty ? 0 : power
    self.isNegative = isNegative && !rest.isEmpty
  }

  /// A whole number.
  package init(_ number: Int64) {
    self.init(
      String(number.magnitude).utf8.map { $0 - UInt8(ascii: "0") }, power: 0,
      isNegative: number < 0)
  }

  /// The shortest decimal form of a double, the one that it was written as; nil if it is not
  /// finite.
  package init?(_ number: Double) {
    guard number.isFinite else { return nil }
    self.init(text: "\(number)")
  }

  /// An exact decimal number; nil if it is NaN.
  package init?(_ number: Decimal) {
    guard !number.isNaN else { return nil }
    self.init(text: number.description)
  }

  /// The number that text writes: digits, with a sign, a point or an exponent; or nil.
  package init?(text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    var power = 0
    if let mark = rest.firstIndex(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }) {
      // After such a power there is no number that any type holds.
      guard let exponent = Int(String(decoding: rest[(mark + 1)...], as: UTF8.self)),
        (-100_000...100_000).contains(exponent)
      else { return nil }
      power = exponent
      rest = rest[..<mark]
    }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    if let point = rest.firstIndex(of: UInt8(ascii: ".")) {
      power -= rest.endIndex - point - 1
      rest.remove(at: point)
    }
    guard !rest.isEmpty, rest.count < 100_000,
      rest.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.init(rest.map { $0 - UInt8(ascii: "0") }, power: power, isNegative: isNegative)
  }
}

// MARK: - As other numbers

extension ExactNumber {
  /// True if nothing but zeros follows the decimal separator.
  package var isWhole: Bool { power >= 0 }

  /// The number without an exponent, for numbers that a decimal holds: the length grows with the
  /// power.
  package var text: String {
    DecimalText.canonical(digits: mantissa, power: power, isNegative: isNegative)
  }

  /// The whole number, or nil if it has a fraction or more than 64 bits.
  package var integer: Int64? {
    guard isWhole, digits.count + power <= 19 else { return nil }
    return Int64(text)
  }

  /// The nearest double, or an infinity.
  package var real: Double {
    digits.isEmpty ? 0 : Double("\(isNegative ? "-" : "")\(mantissa)e\(power)") ?? .nan
  }

  /// True if a decimal holds as many digits: 38, or 39 below 2^128.
  package var hasDigitsOfDecimal: Bool {
    digits.count <= 38 || digits.count == 39 && UInt128(mantissa) != nil
  }

  /// The same number as a decimal; nil if it has more digits or another power than decimals have.
  package var decimal: Decimal? {
    // Beyond its greatest power a decimal can still hold zeros among its digits.
    guard hasDigitsOfDecimal, power >= -128, power <= 127 || digits.count + power - 127 <= 38
    else { return nil }
    let zeros = max(0, power - 127)
    return Decimal(
      string: (isNegative ? "-" : "") + (digits.isEmpty ? "0" : mantissa)
        + String(repeating: "0", count: zeros) + "e\(power - zeros)")
  }

  private var mantissa: String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }
}

extension ExactNumber: Comparable {
  package static func < (first: Self, second: Self) -> Bool {
    if first.isNegative != second.isNegative { return first.isNegative }
    return first.isNegative
      ? second.isSmaller(than: first) : first.isSmaller(than: second)
  }

  /// True if the number is nearer to zero than another one.
  private func isSmaller(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    let size = digits.count + power
    let otherSize = other.digits.count + other.power
    return size != otherSize ? size < otherSize : digits.lexicographicallyPrecedes(other.digits)
  }
}

extension ExactNumber {
  /// The least number of digits of a quotient, and the greatest of a power: as many as every
  /// decimal has.
  package static let maxDigits = 38

  /// The same number with the other sign.
  package var negated: ExactNumber {
    ExactNumber(digits, power: power, isNegative: !isNegative)
  }

  package static func + (first: Self, second: Self) -> Self {
    let power = min(first.power, second.power)
    let one = first.digits(at: power)
    let other = second.digits(at: power)
    if first.isNegative == second.isNegative {
      return Self(
        DigitArithmetic.sum(one, other), power: power, isNegative: first.isNegative)
    }
    let isSmaller = DigitArithmetic.isSmaller(one, other)
    let difference =
      isSmaller ? DigitArithmetic.difference(other, one) : DigitArithmetic.difference(one, other)
    return Self(
      difference, power: power, isNegative: isSmaller ? second.isNegative : first.isNegative)
  }

  package static func * (first: Self, second: Self) -> Self {
    Self(
      DigitArithmetic.product(first.digits, second.digits), power: first.power + second.power,
      isNegative: first.isNegative != second.isNegative)
  }

  /// The quotient, to one digit more than `maxDigits`; nil if the divisor is zero.
  package func divided(by divisor: Self) -> Self? {
    guard !divisor.digits.isEmpty else { return nil }
    let zeros = max(0, Self.maxDigits + 2 + divisor.digits.count - digits.count)
    let (quotient, _) = DigitArithmetic.quotient(
      digits + [UInt8](repeating: 0, count: zeros), divisor.digits)
    return Self(
      quotient, power: power - zeros - divisor.power, isNegative: isNegative != divisor.isNegative)
  }

  /// The remainder of a division into whole numbers, with the sign of the dividend; nil if the
  /// divisor is zero.
  package func remainder(dividingBy divisor: Self) -> Self? {
    guard !divisor.digits.isEmpty else { return nil }
    let power = min(power, divisor.power)
    let (_, remainder) = DigitArithmetic.quotient(digits(at: power), divisor.digits(at: power))
    return Self(remainder, power: power, isNegative: isNegative)
  }

  /// The digits with zeros after them, for a power that is not greater.
  private func digits(at lower: Int) -> [UInt8] {
    digits + [UInt8](repeating: 0, count: digits.isEmpty ? 0 : power - lower)
  }
}
