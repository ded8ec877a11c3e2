// What predicates are made of: AND, OR and NOT, and comparisons.
extension ExpressionParser {
  /// Predicates with `OR` or `AND` between them.
  mutating func compound(
    _ first: Part, _ level: OperatorLevel
  ) throws(ExpressionError) -> Part {
    var nodes = [try checkedPredicate(first).node]
    var levels = first.levels
    while level == infixLevel {
      advance()
      let next = try checkedPredicate(try expression(level.next))
      nodes.append(next.node)
      levels = max(levels, next.levels)
    }
    return try checked(
      Part(
        node: level == .or ? .any(nodes) : .all(nodes), isPredicate: true, levels: levels + 1,
        start: first.start))
  }

  /// A predicate after `NOT`, once or more often.
  mutating func negation() throws(ExpressionError) -> Part {
    let start = token.range.lowerBound
    var isNegative = false
    while take("!") || take(.not) { isNegative.toggle() }
    let part = try checkedPredicate(try expression(.comparison))
    var negation = isNegative ? part.under(.not(part.node)) : part
    negation.start = start
    return try checked(negation)
  }

  /// The quantifier that a token is.
  static func quantifier(_ token: ExpressionToken) -> ExpressionNode.Quantifier? {
    switch token.keyword {
    case .anyOf, .someOf: .any
    case .allOf: .all
    default: nil
    }
  }

  /// A comparison of the elements of its left side.
  mutating func quantified(
    _ quantifier: ExpressionNode.Quantifier
  ) throws(ExpressionError) -> Part {
    let start = token
    advance()
    guard Self.quantifier(token) == nil, token.keyword != .noneOf else { throw unexpected() }
    var part = try expression(.comparison)
    guard case .comparison(var comparison) = part.node, comparison.quantifier == nil else {
      throw error(.quantifierNeedsComparison, start)
    }
    comparison.quantifier = quantifier
    part.node = .comparison(comparison)
    part.start = start.range.lowerBound
    return part
  }

  /// A comparison that holds for no element of its left side.
  mutating func denied() throws(ExpressionError) -> Part {
    let any = try quantified(.any)
    return try checked(any.under(.not(any.node)))
  }

  /// A comparison, after its left side.
  mutating func comparison(of left: Part) throws(ExpressionError) -> Part {
    guard let sign = Self.comparisonOperator(token) else { throw unexpected() }
    _ = try checkedValue(left)
    advance()
    let options = try textOptions()
    let right = try checkedValue(try expression(.set))
    // A second one is not part of the first.
    if infixLevel == .comparison { throw unexpected() }
    return try comparison(left, sign, options, right)
  }

  private func comparison(
    _ left: Part, _ sign: ComparisonOperator, _ options: TextOptions, _ right: Part
  ) throws(ExpressionError) -> Part {
    let comparison = ExpressionNode.Comparison(left.node, sign, right.node, options: options)
    // What cannot run may stand in a mapping model.
    if !isInMappingModel, let mistake = comparison.mistake {
      throw ExpressionError(mistake, offset: right.start)
    }
    return try checked(
      Part(
        node: .comparison(comparison), isPredicate: true,
        levels: 1 + max(left.levels, right.levels), start: left.start))
  }

  /// The operator that a token is.
  static func comparisonOperator(_ token: ExpressionToken) -> ComparisonOperator? {
    if case .symbol(let symbol) = token.kind { return words[symbol] ?? spellings[symbol] }
    return token.keyword.flatMap { words[$0.rawValue] }
  }

  private static let words = Dictionary(
    uniqueKeysWithValues: ComparisonOperator.allCases.map { ($0.word, $0) })
  private static let spellings: [String: ComparisonOperator] = [
    "=": .equal, "<>": .notEqual, "=<": .lessOrEqual, "=>": .greaterOrEqual,
  ]

  private mutating func textOptions() throws(ExpressionError) -> TextOptions {
    guard take("[") else { return [] }
    guard case .word(let letters) = token.kind else { throw unexpected() }
    guard let options = TextOptions(letters: letters) else {
      throw error(.unknownModifier, token, name: letters)
    }
    advance()
    try expect("]")
    return options
  }
}
