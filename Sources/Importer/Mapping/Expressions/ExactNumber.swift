import Foundation

/// A finite number as decimal digits, without limits: for exact comparison and calculation.
struct ExactNumber: Hashable, Sendable {
  /// Whether it is below zero.
  private(set) var isNegative: Bool
  /// The digits, the most significant first: none for zero, and else no 0 at either end.
  private(set) var digits: [UInt8]
  /// The power of ten that the digits are multiplied by.
  private(set) var power: Int

  init(isNegative: Bool, digits: some Sequence<UInt8>, power: Int) {
    self.digits = Array(digits.drop { $0 == 0 })
    self.power = power
    while self.digits.last == 0 {
      self.digits.removeLast()
      self.power += 1
    }
    self.isNegative = isNegative && !self.digits.isEmpty
    if self.digits.isEmpty { self.power = 0 }
  }

  init(_ integer: Int64) {
    self.init(
      isNegative: integer < 0, digits: String(integer.magnitude).utf8.map { $0 - 0x30 }, power: 0)
  }

  /// The number that text writes: digits, with a sign, a point or an exponent; or nil.
  init?(text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    var power = 0
    if let mark = rest.firstIndex(where: { $0 == 0x65 || $0 == 0x45 }) {
      // Behind such a power there is no number that any type holds.
      guard let exponent = Int(String(decoding: rest[(mark + 1)...], as: UTF8.self)),
        (-100_000...100_000).contains(exponent)
      else { return nil }
      power = exponent
      rest = rest[..<mark]
    }
    let isNegative = rest.first == 0x2D
    if isNegative || rest.first == 0x2B { rest.removeFirst() }
    if let point = rest.firstIndex(of: 0x2E) {
      power -= rest.endIndex - point - 1
      rest.remove(at: point)
    }
    guard !rest.isEmpty, rest.count < 100_000,
      rest.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.init(isNegative: isNegative, digits: rest.map { $0 - 0x30 }, power: power)
  }

  init?(decimal: Decimal) {
    guard !decimal.isNaN else { return nil }
    self.init(text: decimal.description)
  }

  /// The shortest digits that give back a real number; an integer that fits is taken exactly.
  init?(real: Double) {
    guard real.isFinite else { return nil }
    if let integer = Int64(exactly: real) { self.init(integer) } else { self.init(text: "\(real)") }
  }

  var negated: ExactNumber {
    ExactNumber(isNegative: !isNegative, digits: digits, power: power)
  }
}

// MARK: - As other numbers

extension ExactNumber {
  /// How many digits, and which powers of ten, a decimal number has.
  static let mostDigits = 38
  private static let powers = -128...127

  private var text: String {
    (isNegative ? "-" : "") + String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
      + "e\(power)"
  }

  /// The nearest real number, or an infinity.
  var real: Double { digits.isEmpty ? 0 : Double(text) ?? .nan }

  /// The number as an integer, if it is one and fits.
  var integer: Int64? {
    guard power >= 0, digits.count + power <= 19 else { return digits.isEmpty ? 0 : nil }
    var value: Int64 = 0
    for digit in digits + repeatElement(0, count: power) {
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let signed = isNegative ? -Int64(digit) : Int64(digit)
      let (sum, overflowsToo) = product.addingReportingOverflow(signed)
      guard !overflows, !overflowsToo else { return nil }
      value = sum
    }
    return value
  }

  /// The number as a decimal one, if it can be one exactly.
  var decimal: Decimal? {
    var number = self
    while number.power > Self.powers.upperBound, number.digits.count < Self.mostDigits {
      number.digits.append(0)
      number.power -= 1
    }
    guard number.digits.count <= Self.mostDigits, Self.powers.contains(number.power) else {
      return digits.isEmpty ? 0 : nil
    }
    return digits.isEmpty ? 0 : Decimal(string: number.text)
  }

  /// The number as an integer, if it fits, or else as a decimal one.
  var integerOrDecimal: ImportValue? {
    integer.map { .integer($0) } ?? decimal.map { .decimal($0) }
  }

  /// The number with as many digits as a decimal one has, rounded half away from zero.
  var limited: ExactNumber {
    guard digits.count > Self.mostDigits else { return self }
    var kept = Array(digits.prefix(Self.mostDigits))
    let power = power + digits.count - Self.mostDigits
    if digits[Self.mostDigits] >= 5 { kept = DigitArithmetic.sum(kept, [1]) }
    return ExactNumber(isNegative: isNegative, digits: kept, power: power)
  }
}

// MARK: - Order and calculation

extension ExactNumber: Comparable {
  static func < (first: Self, second: Self) -> Bool {
    if first.isNegative != second.isNegative { return first.isNegative }
    return first.isNegative
      ? second.isSmaller(than: first) : first.isSmaller(than: second)
  }

  private func isSmaller(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    let size = digits.count + power
    let otherSize = other.digits.count + other.power
    return size != otherSize ? size < otherSize : digits.lexicographicallyPrecedes(other.digits)
  }

  static func + (first: Self, second: Self) -> Self {
    let power = min(first.power, second.power)
    let one = first.digits(at: power)
    let other = second.digits(at: power)
    if first.isNegative == second.isNegative {
      return Self(
        isNegative: first.isNegative, digits: DigitArithmetic.sum(one, other), power: power)
    }
    let isSmaller = DigitArithmetic.isSmaller(one, other)
    let difference =
      isSmaller ? DigitArithmetic.difference(other, one) : DigitArithmetic.difference(one, other)
    return Self(
      isNegative: isSmaller ? second.isNegative : first.isNegative, digits: difference,
      power: power)
  }

  static func * (first: Self, second: Self) -> Self {
    Self(
      isNegative: first.isNegative != second.isNegative,
      digits: DigitArithmetic.product(first.digits, second.digits),
      power: first.power + second.power)
  }

  /// The quotient, to one digit more than a decimal number has; nil if the divisor is zero.
  func divided(by divisor: Self) -> Self? {
    guard !divisor.digits.isEmpty else { return nil }
    let zeros = max(0, Self.mostDigits + 2 + divisor.digits.count - digits.count)
    let (quotient, _) = DigitArithmetic.quotient(
      digits + [UInt8](repeating: 0, count: zeros), divisor.digits)
    return Self(
      isNegative: isNegative != divisor.isNegative, digits: quotient,
      power: power - zeros - divisor.power)
  }

  /// What is left over by a division into whole numbers, with the sign of the dividend; nil if the
  /// divisor is zero.
  func remainder(dividingBy divisor: Self) -> Self? {
    guard !divisor.digits.isEmpty else { return nil }
    let power = min(power, divisor.power)
    let (_, remainder) = DigitArithmetic.quotient(digits(at: power), divisor.digits(at: power))
    return Self(isNegative: isNegative, digits: remainder, power: power)
  }

  /// The whole number beside it.
  func rounded(_ rule: FloatingPointRoundingRule) -> Self {
    guard power < 0 else { return self }
    let whole = Self(isNegative: isNegative, digits: digits.dropLast(-power), power: 0)
    let awayFromZero = rule == .up && !isNegative || rule == .down && isNegative
    return awayFromZero ? whole + (isNegative ? Self(-1) : Self(1)) : whole
  }

  private func digits(at lower: Int) -> [UInt8] {
    digits + [UInt8](repeating: 0, count: digits.isEmpty ? 0 : power - lower)
  }
}
