import DataModel
import Foundation

/// A number, for calculation.
///
/// Booleans are 0 and 1, as in `NSNumber`.
enum NumericValue {
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)

  init?(_ value: ImportValue) {
    switch value {
    case .bool(let bool): self = .integer(bool ? 1 : 0)
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .decimal(let decimal): self = decimal.isNaN ? .real(.nan) : .decimal(decimal)
    default: return nil
    }
  }

  var value: ImportValue {
    switch self {
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .decimal(let decimal): .decimal(decimal)
    }
  }

  /// The nearest real number.
  var real: Double {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .decimal(let decimal): ExactNumber(decimal)?.real ?? .nan
    }
  }

  /// The same number as an integer, if it is a decimal one that can be one.
  var simplified: NumericValue {
    if case .decimal = self, let integer = exact?.integer { .integer(integer) } else { self }
  }

  /// The number as digits; nil for NaN and the infinities.
  ///
  /// A real number that is an integer is taken exactly, others in their shortest decimal form.
  var exact: ExactNumber? {
    switch self {
    case .integer(let integer): ExactNumber(integer)
    case .real(let real): Int64(exactly: real).map { ExactNumber($0) } ?? ExactNumber(real)
    case .decimal(let decimal): ExactNumber(decimal)
    }
  }

  /// The order of two numbers, exactly; nil if one is NaN.
  static func order(_ first: NumericValue, _ second: NumericValue) -> ComparisonOperator.ValueOrder?
  {
    switch (first, second) {
    case (.integer(let one), .integer(let other)): return ComparisonOperator.ValueOrder(one, other)
    case (.real(let one), .real(let other)):
      return one.isNaN || other.isNaN ? nil : ComparisonOperator.ValueOrder(one, other)
    default:
      if let one = first.exact, let other = second.exact {
        return ComparisonOperator.ValueOrder(one, other)
      }
      // One is an infinity, or NaN.
      let (one, other) = (first.real, second.real)
      return one.isNaN || other.isNaN ? nil : ComparisonOperator.ValueOrder(one, other)
    }
  }

  /// The same number, negative.
  var negated: NumericValue {
    switch self {
    case .integer(let integer):
      integer == .min ? NumericValue(ExactNumber(integer).negated) : .integer(-integer)
    case .real(let real): .real(-real)
    case .decimal: exact.map { NumericValue($0.negated) } ?? .real(.nan)
    }
  }

  /// The whole number beside it, of the same kind.
  func rounded(_ rule: FloatingPointRoundingRule) -> NumericValue {
    switch self {
    case .integer: self
    case .real(let real): .real(real.rounded(rule))
    case .decimal: exact.map { NumericValue($0.rounded(toScale: 0, .init(rule))) } ?? .real(.nan)
    }
  }

  /// An exact number as a decimal one, with as many digits as that has, or else as a real one.
  init(_ exact: ExactNumber) {
    let limited = exact.limited
    self = limited.decimal.map { .decimal($0) } ?? .real(limited.real)
  }
}

extension ExactNumber {
  /// The number as an integer, if it fits, or else as a decimal one.
  var integerOrDecimal: ImportValue? {
    integer.map { .integer($0) } ?? decimal.map { .decimal($0) }
  }
}

/// The functions of several values, of which nil ones are left out.
enum Statistics {
  static func sum(_ values: [ImportValue]) throws(ExpressionFailure) -> ImportValue {
    var sum = ImportValue.integer(0)
    for value in values where !value.isNull { sum = try ArithmeticOperator.add(sum, value) }
    return sum
  }

  /// The mean: a decimal number if one of the values is one, or else a real one.
  static func average(_ values: [ImportValue]) throws(ExpressionFailure) -> ImportValue {
    let present = values.filter { !$0.isNull }
    guard !present.isEmpty else { return .null }
    return try quotient(try sum(present), Int64(present.count), isDecimal: hasDecimal(present))
  }

  /// The value that is in an order with all others: the least one is ascending with them.
  static func extreme(
    _ values: [ImportValue], _ order: ComparisonOperator.ValueOrder
  ) throws(ExpressionFailure) -> ImportValue {
    var extreme = ImportValue.null
    for value in values where !value.isNull {
      let found = try ComparisonOperator.order(value, extreme)
      if found == order || extreme.isNull { extreme = value }
    }
    return extreme
  }

  static func median(_ values: [ImportValue]) throws(ExpressionFailure) -> ImportValue {
    var numbers: [NumericValue] = []
    for value in values where !value.isNull { numbers.append(try number(value)) }
    guard !numbers.isEmpty else { return .null }
    guard !numbers.contains(where: { $0.real.isNaN }) else { return .real(.nan) }
    numbers.sort { NumericValue.order($0, $1) == .ascending }
    let upper = numbers[numbers.count / 2].value
    if numbers.count % 2 == 1 { return upper }
    return try average([numbers[numbers.count / 2 - 1].value, upper])
  }

  /// The standard deviation of a whole population, as Foundation has it.
  static func standardDeviation(_ values: [ImportValue]) throws(ExpressionFailure) -> ImportValue {
    var count = 0.0
    var mean = 0.0
    var squares = 0.0
    for value in values where !value.isNull {
      let real = try number(value).real
      count += 1
      let distance = real - mean
      mean += distance / count
      squares += distance * (real - mean)
    }
    return count == 0 ? .null : .real((squares / count).squareRoot())
  }

  /// The number that a value is.
  static func number(_ value: ImportValue) throws(ExpressionFailure) -> NumericValue {
    guard let number = NumericValue(value) else {
      throw ExpressionFailure(.notNumbers, name: value.kind)
    }
    return number
  }

  private static func quotient(
    _ sum: ImportValue, _ count: Int64, isDecimal: Bool
  ) throws(ExpressionFailure) -> ImportValue {
    if isDecimal { return try ArithmeticOperator.divide(sum, .integer(count)) }
    return .real(try number(sum).real / Double(count))
  }

  private static func hasDecimal(_ values: [ImportValue]) -> Bool {
    values.contains { if case .decimal = $0 { true } else { false } }
  }
}
