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
