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
