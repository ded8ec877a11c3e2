import DataModel

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
