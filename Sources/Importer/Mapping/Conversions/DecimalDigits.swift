import ArchiveReader
import Foundation

/// A decimal number as its digits: exact, and of any size.
///
/// Two are equal if their values are.
struct DecimalDigits: Hashable, Sendable {
  /// The digits, 0 to 9; neither the first nor the last is zero, and zero has none.
  let digits: [UInt8]
  /// The power of ten that the digits are multiplied by; 0 for zero.
  let power: Int
  /// Whether the number is below zero.
  let isNegative: Bool

  /// Creates a number from digits, zeros at both ends included, and the power of the last one.
  init(_ digits: some BidirectionalCollection<UInt8>, power: Int, isNegative: Bool) {
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
  init(_ number: Int64) {
    self.init(numeral: String(number))
  }

  /// The shortest decimal form of a double, the one that it was written as; nil if it is not
  /// finite.
  init?(_ number: Double) {
    guard number.isFinite else { return nil }
    self.init(numeral: "\(number)")
  }

  /// An exact decimal number; nil if it is NaN.
  init?(_ number: Decimal) {
    guard !number.isNaN else { return nil }
    self.init(numeral: number.description)
  }

  /// A number as Swift writes it.
  private init(numeral: String) {
    var digits: [UInt8] = []
    var power = 0
    var isFraction = false
    var rest = Substring(numeral).utf8
    while let byte = rest.popFirst(), byte != UInt8(ascii: "e") {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte - UInt8(ascii: "0"))
        if isFraction { power -= 1 }
      case UInt8(ascii: "."): isFraction = true
      default: break
      }
    }
    power += Int(Substring(rest)) ?? 0
    self.init(digits, power: power, isNegative: numeral.utf8.first == UInt8(ascii: "-"))
  }
}

extension DecimalDigits {
  /// Whether nothing but zeros follows the decimal separator.
  var isWhole: Bool { power >= 0 }

  /// The number without an exponent, for numbers that a decimal holds: the length grows with the
  /// power.
  var text: String {
    DecimalText.canonical(digits: mantissa, power: power, isNegative: isNegative)
  }

  /// The whole number, or nil if it has a fraction or more than 64 bits.
  var integer: Int64? {
    guard isWhole, digits.count + power <= 19 else { return nil }
    return Int64(text)
  }

  /// The nearest double, or nil beyond the greatest.
  var double: Double? {
    Double(numeral).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The same number with the 38 digits, or 39 below 2^128, that a decimal has at most.
  func decimal() throws(ConversionFailure) -> Decimal {
    guard digits.count < 39 || digits.count == 39 && UInt128(mantissa) != nil else {
      throw ConversionFailure(.tooManyDigits)
    }
    // Beyond its greatest power a decimal can still hold zeros among its digits.
    guard power >= -128, power <= 127 || digits.count + power - 127 <= 38 else {
      throw ConversionFailure(.outOfRange, name: "decimal numbers")
    }
    var mantissa = mantissa
    var power = power
    while power > 127 {
      mantissa += "0"
      power -= 1
    }
    guard let number = Decimal(string: "\(isNegative ? "-" : "")\(mantissa)e\(power)") else {
      throw ConversionFailure(.outOfRange, name: "decimal numbers")
    }
    return number
  }

  private var mantissa: String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }

  private var numeral: String {
    digits.isEmpty ? "0" : "\(isNegative ? "-" : "")\(mantissa)e\(power)"
  }
}
