import DataModel
import Foundation

/// The functions that expressions have.
///
/// They are called by their names in Foundation; a colon at the end of a name without another one
/// may be left out.
package enum ExpressionFunction: String, Sendable, CaseIterable {
  case now = "now"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case length = "length:"

  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case raise = "raise:toPower:"

  case absolute = "abs:"
  case truncated = "trunc:"
  case ceiling = "ceiling:"
  case floor = "floor:"
  case squareRoot = "sqrt:"
  case exponential = "exp:"
  case naturalLogarithm = "ln:"
  case logarithm = "log:"

  case sum = "sum:"
  case average = "average:"
  case minimum = "min:"
  case maximum = "max:"
  case count = "count:"
  case median = "median:"
  case standardDeviation = "stddev:"

  /// Functions of Foundation that give another value each time.
  static let random: Set<String> = ["random", "random:", "randomn", "randomn:"]

  /// Functions of Foundation that mapping models may name, but that are not evaluated.
  static let foreign: Set<String> = [
    "mode:", "random", "random:", "randomn:", "bitwiseAnd:with:", "bitwiseOr:with:",
    "bitwiseXor:with:", "leftshift:by:", "rightshift:by:", "onesComplement:", "noindex:",
  ]

  /// The function with a name, which may be without its only colon; nil if there is none.
  init?(name: String) {
    guard let function = Self(rawValue: name) ?? Self(rawValue: name + ":") else { return nil }
    self = function
  }

  /// The possible numbers of arguments.
  ///
  /// The functions of collections take several values as one collection.
  var argumentCounts: ClosedRange<Int> {
    switch self {
    case .now: 0...0
    case .add, .subtract, .multiply, .divide, .modulus, .raise: 2...2
    case .sum, .average, .minimum, .maximum, .count, .median, .standardDeviation: 1...1_000
    default: 1...1
    }
  }

  /// Its value for arguments, of which there are as many as it has.
  ///
  /// Only a function of the time asks for the time: whoever gives it knows then that the value is
  /// another one each time.
  func callAsFunction(
    _ arguments: [ImportValue], now: @autoclosure () -> Date
  ) throws(ExpressionFailure) -> ImportValue {
    guard let first = arguments.first else { return .date(now()) }
    switch self {
    case .sum: return try Statistics.sum(try Self.values(arguments))
    case .average: return try Statistics.average(try Self.values(arguments))
    case .minimum: return try Statistics.extreme(try Self.values(arguments), .ascending)
    case .maximum: return try Statistics.extreme(try Self.values(arguments), .descending)
    case .median: return try Statistics.median(try Self.values(arguments))
    case .standardDeviation:
      return try Statistics.standardDeviation(try Self.values(arguments))
    case .count: return .integer(Int64(try Self.values(arguments).count))
    case .uppercase: return try Self.text(first) { .text($0.uppercased()) }
    case .lowercase: return try Self.text(first) { .text($0.lowercased()) }
    case .length: return try Self.text(first) { .integer(Int64($0.utf16.count)) }
    default:
      return first.isNull ? .null : calculate(try Statistics.number(first)).value
    }
  }

  /// The operator that does the same, by which it is evaluated.
  var sign: ArithmeticOperator? {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide: .divide
    case .modulus: .modulus
    case .raise: .power
    default: nil
    }
  }

  private func calculate(_ number: NumericValue) -> NumericValue {
    switch self {
    case .absolute: number.exact?.isNegative == true || number.real < 0 ? number.negated : number
    case .truncated: number.rounded(.towardZero)
    case .ceiling: number.rounded(.up)
    case .floor: number.rounded(.down)
    case .squareRoot: .real(number.real.squareRoot())
    case .exponential: .real(exp(number.real))
    case .naturalLogarithm: .real(log(number.real))
    case .logarithm: .real(log10(number.real))
    default: number
    }
  }

  /// The elements of the only argument if it is a collection, or else the arguments.
  private static func values(
    _ arguments: [ImportValue]
  ) throws(ExpressionFailure) -> [ImportValue] {
    guard arguments.count == 1 else { return arguments }
    switch arguments[0] {
    case .null: return []
    case .list(let elements), .set(let elements): return elements
    default: return arguments
    }
  }

  private static func text(
    _ value: ImportValue, _ change: (String) -> ImportValue
  ) throws(ExpressionFailure) -> ImportValue {
    try ComparisonOperator.text(value).map(change) ?? .null
  }
}
