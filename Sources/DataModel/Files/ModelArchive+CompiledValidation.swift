import ArchiveReader

/// The rules of a compiled model for the values of an attribute: the compiler turns the least and
/// the greatest value, lengths and patterns into predicates, one for each.
///
/// They compare `SELF` or `length` with a constant. Predicates of another form, which only programs
/// add to a model, are left out: they have no words in a model that Xcode edits.
extension ModelArchive {
  /// The rules of an attribute.
  struct ValueRules {
    var minimum: Double?
    var maximum: Double?
    var pattern: String?
  }

  /// `NSPredicateOperatorType`.
  private enum Comparison {
    static let lessThanOrEqual: Int64 = 1
    static let greaterThanOrEqual: Int64 = 3
    static let matches: Int64 = 6
  }

  /// The rules in an attribute's `NSValidationPredicates`.
  mutating func valueRules(of object: GraphObject) throws(ModelError) -> ValueRules {
    var rules = ValueRules()
    for value in try list(try value(of: object, "NSValidationPredicates")) {
      guard let predicate = try self.object(value), isA("NSComparisonPredicate", predicate),
        let left = try self.object(try self.value(of: predicate, "NSLeftExpression")),
        let right = try self.object(try self.value(of: predicate, "NSRightExpression")),
        let comparison = try self.object(try self.value(of: predicate, "NSPredicateOperator")),
        isA("NSConstantValueExpression", right)
      else { continue }
      let constant = try self.value(of: right, "NSConstantValue")
      let isLength = try keyPath(of: left) == "length"
      guard isLength || isA("NSSelfExpression", left) else { continue }
      switch try integer(of: comparison, "NSOperatorType") {
      case Comparison.greaterThanOrEqual: rules.minimum = limit(constant)
      case Comparison.lessThanOrEqual: rules.maximum = limit(constant)
      case Comparison.matches where !isLength: rules.pattern = try text(constant)
      default: continue
      }
    }
    return rules
  }

  /// The key path that an expression reads: directly, or by `valueForKeyPath:`.
  private mutating func keyPath(of expression: GraphObject) throws(ModelError) -> String? {
    if let path = try text(of: expression, "NSKeyPath") { return path }
    for argument in try list(try value(of: expression, "NSArguments")) {
      guard let specifier = try object(argument) else { continue }
      if let path = try text(of: specifier, "NSKeyPath") { return path }
      if let path = try text(of: specifier, "NSConstantValue") { return path }
    }
    return nil
  }

  /// A number, or a date as seconds since 2001.
  private func limit(_ value: GraphValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number) where number.isFinite: number
    case .date(let seconds) where seconds.isFinite: seconds
    case .decimal(let decimal): Double(decimal.text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }
}
