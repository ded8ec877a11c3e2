import DataModel
import Foundation

/// The operators of arithmetic, and the remainder of a division.
///
/// Integers stay integers; where a result does not fit it becomes a decimal number, and where it
/// does not fit that, a real one. A decimal number and a real one make a decimal one, from the
/// shortest digits of the real one, so that 1.1 means 1.1.
package enum ArithmeticOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case power = "**"
  case modulus

  func callAsFunction(
    _ left: ImportValue, _ right: ImportValue
  ) throws(ExpressionFailure) -> ImportValue {
    if left.isNull || right.isNull { return .null }
    if self == .add, case .text(let first) = left, case .text(let second) = right {
      return .text(first + second)
    }
    guard let first = NumericValue(left), let second = NumericValue(right) else {
      throw ExpressionFailure(.notNumbers, left, right)
    }
    return try calculate(first, second).value
  }

  private func calculate(
    _ first: NumericValue, _ second: NumericValue
  ) throws(ExpressionFailure) -> NumericValue {
    switch (first, second) {
    case (.integer(let one), .integer(let other)):
      if let result = try integer(one, other) { return .integer(result) }
    case (.decimal, _), (_, .decimal): break
    default: return .real(real(first.real, second.real))
    }
    guard let one = first.exact, let other = second.exact, one.decimal != nil,
      other.decimal != nil, let result = try exact(one, other)
    else { return .real(real(first.real, second.real)) }
    if case (.integer, .integer) = (first, second), let integer = result.integer {
      return .integer(integer)
    }
    return NumericValue(result)
  }

  /// The result; nil if it does not fit.
  private func integer(_ first: Int64, _ second: Int64) throws(ExpressionFailure) -> Int64? {
    let (result, overflows): (Int64, Bool)
    switch self {
    case .add: (result, overflows) = first.addingReportingOverflow(second)
    case .subtract: (result, overflows) = first.subtractingReportingOverflow(second)
    case .multiply: (result, overflows) = first.multipliedReportingOverflow(by: second)
    case .divide:
      guard second != 0 else { throw ExpressionFailure(.divisionByZero) }
      (result, overflows) = first.dividedReportingOverflow(by: second)
    case .modulus:
      guard second != 0 else { throw ExpressionFailure(.divisionByZero) }
      return second == -1 ? 0 : first % second
    case .power: return nil
    }
    return overflows ? nil : result
  }

  private func real(_ first: Double, _ second: Double) -> Double {
    switch self {
    case .add: first + second
    case .subtract: first - second
    case .multiply: first * second
    case .divide: first / second
    case .modulus: first.truncatingRemainder(dividingBy: second)
    case .power: pow(first, second)
    }
  }

  /// The result; nil if only a real number can hold it.
  private func exact(
    _ first: ExactNumber, _ second: ExactNumber
  ) throws(ExpressionFailure) -> ExactNumber? {
    switch self {
    case .add: return first + second
    case .subtract: return first + second.negated
    case .multiply: return first * second
    case .divide:
      guard let quotient = first.divided(by: second) else {
        throw ExpressionFailure(.divisionByZero)
      }
      return quotient
    case .modulus:
      guard let remainder = first.remainder(dividingBy: second) else {
        throw ExpressionFailure(.divisionByZero)
      }
      return remainder
    case .power: return Self.power(first, second)
    }
  }

  /// A power that can be had by multiplication and has no more digits than a decimal number.
  private static func power(_ base: ExactNumber, _ exponent: ExactNumber) -> ExactNumber? {
    guard var count = exponent.integer, (0...1_000).contains(count) else { return nil }
    var result = ExactNumber(1 as Int64)
    var factor = base
    while count > 0 {
      if count & 1 == 1 { result = result * factor }
      count >>= 1
      guard result.digits.count <= ExactNumber.maxDigits else { return nil }
      if count > 0 { factor = factor * factor }
      // What is larger than that cannot come out as a decimal number.
      guard factor.digits.count <= 2 * ExactNumber.maxDigits else { return nil }
    }
    return result.decimal == nil ? nil : result
  }
}

/// The operators that stand in key paths: `items.@sum.price`.
package enum CollectionOperator: String, Sendable, CaseIterable {
  case count
  case sum
  case average = "avg"
  case minimum = "min"
  case maximum = "max"
  case unionOfObjects
  case distinctUnionOfObjects
  case unionOfArrays
  case distinctUnionOfArrays
  case unionOfSets
  case distinctUnionOfSets

  /// The result for what the elements of a collection have under the rest of the path.
  func callAsFunction(
    _ values: [ImportValue], isSet: Bool
  ) throws(ExpressionFailure) -> ImportValue {
    switch self {
    case .count: return .integer(Int64(values.count))
    case .sum: return try Statistics.sum(values)
    // As in Foundation, an element without a value counts as 0 here.
    case .average: return try Statistics.average(values.map { $0.isNull ? .integer(0) : $0 })
    case .minimum: return try Statistics.extreme(values, .ascending)
    case .maximum: return try Statistics.extreme(values, .descending)
    case .unionOfObjects, .distinctUnionOfObjects:
      let present = values.filter { !$0.isNull }
      let isDistinct = isSet || self == .distinctUnionOfObjects
      let union = isDistinct ? ComparisonKey.distinct(present) : present
      return isSet ? .set(union) : .list(union)
    case .unionOfArrays, .distinctUnionOfArrays:
      let union = try Self.joined(values)
      return .list(self == .unionOfArrays ? union : ComparisonKey.distinct(union))
    case .unionOfSets, .distinctUnionOfSets:
      return .set(ComparisonKey.distinct(try Self.joined(values)))
    }
  }

  private static func joined(_ values: [ImportValue]) throws(ExpressionFailure) -> [ImportValue] {
    var joined: [ImportValue] = []
    for value in values {
      joined += try value.elements.filter { !$0.isNull }
    }
    return joined
  }
}

extension ImportValue {
  /// The elements of a collection; none if it is nil.
  var elements: [ImportValue] {
    get throws(ExpressionFailure) {
      switch self {
      case .null: []
      case .list(let elements), .set(let elements): elements
      default: throw ExpressionFailure(.notACollection, name: kind)
      }
    }
  }
}
