// Operators and their precedence. The functions that call one another for each bracket have
// little to keep, since the stack has to do for as many brackets as there may be.
extension ExpressionParser {
  /// A predicate or a value with operators that bind at least as strongly as a level.
  mutating func expression(_ minimum: OperatorLevel) throws(ExpressionError) -> Part {
    var part = try prefixed()
    while let level = infixLevel, level >= minimum { part = try extended(part, level) }
    return part
  }

  private mutating func prefixed() throws(ExpressionError) -> Part {
    if let quantifier = Self.quantifier(token) { return try quantified(quantifier) }
    if token.keyword == .noneOf { return try denied() }
    if token == "!" || token.keyword == .not { return try negation() }
    if token == "-" || token == "+" { return try signed() }
    return try path()
  }

  private mutating func extended(_ part: Part, _ level: OperatorLevel) throws(ExpressionError)
    -> Part
  {
    switch level {
    case .or, .and: try compound(part, level)
    case .comparison: try comparison(of: part)
    case .set: try set(part)
    default: try arithmetic(part, level)
    }
  }

  /// Values with operators of one level between them.
  private mutating func arithmetic(
    _ first: Part, _ level: OperatorLevel
  ) throws(ExpressionError) -> Part {
    var operations: [ExpressionNode.Operation] = []
    var levels = first.levels
    _ = try checkedValue(first)
    while level == infixLevel {
      guard case .symbol(let symbol) = token.kind, let sign = ArithmeticOperator(rawValue: symbol)
      else { throw unexpected() }
      advance()
      let next = try checkedValue(try expression(level.next))
      operations.append(ExpressionNode.Operation(sign: sign, operand: next.node))
      levels = max(levels, next.levels)
    }
    return try checked(
      Part(node: .arithmetic(first.node, operations), levels: levels + 1, start: first.start))
  }

  /// Two sets with an operator between them.
  private mutating func set(_ left: Part) throws(ExpressionError) -> Part {
    guard let sign = setOperator else { throw unexpected() }
    _ = try checkedValue(left)
    advance()
    let right = try checkedValue(try expression(OperatorLevel.set.next))
    return try checked(
      Part(
        node: .foreign(sign, [left.node, right.node]),
        levels: 1 + max(left.levels, right.levels), start: left.start))
  }

  /// A value after signs.
  private mutating func signed() throws(ExpressionError) -> Part {
    let start = token.range.lowerBound
    var isNegative = false
    while token == "-" || token == "+" {
      if token == "-" { isNegative.toggle() }
      advance()
    }
    var part = try checkedValue(try expression(.power))
    if isNegative { part = Self.negative(part) }
    part.start = start
    return try checked(part)
  }

  private static func negative(_ part: Part) -> Part {
    var negative = part.under(.negative(part.node))
    if case .constant(let value) = part.node, let number = NumericValue(value) {
      negative = part
      negative.node = .constant(number.negated.simplified.value)
    }
    return negative
  }
}
