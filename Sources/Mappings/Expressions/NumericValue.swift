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
