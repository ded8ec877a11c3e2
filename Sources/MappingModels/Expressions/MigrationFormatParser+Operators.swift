import GraphCore
import Mappings

// Operators and their precedence.
extension MigrationFormatParser {
  /// The level of the operator at hand, if it is one that stands between two sides.
  private var infixLevel: OperatorLevel? {
    setOperation != nil ? .set : operatorLevel { comparisonOperator != nil }
  }

  /// A predicate or a value with operators that bind at least as strongly as a level.
  mutating func part(_ minimum: OperatorLevel) throws(ExpressionError) -> Part {
    var part = try prefixed()
    while let level = infixLevel, level >= minimum { part = try extended(part, level) }
    return part
  }

  private mutating func extended(_ part: Part, _ level: OperatorLevel) throws(ExpressionError)
    -> Part
  {
    switch level {
    case .or, .and: try compound(part, level)
    case .comparison: try comparison(of: part)
    default: try operation(on: part, level)
    }
  }

  // MARK: Predicates

  /// Predicates with `OR` or `AND` between them.
  private mutating func compound(_ first: Part, _ level: OperatorLevel) throws(ExpressionError)
    -> Part
  {
    var (node, levels) = try predicate(of: first)
    var nodes = [node]
    while level == infixLevel {
      advance()
      let next = try predicate(of: try part(level.next))
      nodes.append(next.node)
      levels = max(levels, next.levels)
    }
    node = level == .or ? .or(nodes) : .and(nodes)
    return try part(node, over: levels)
  }

  private mutating func prefixed() throws(ExpressionError) -> Part {
    switch token.keyword {
    case .anyOf, .someOf: return try quantified(.any)
    case .allOf: return try quantified(.all)
    case .noneOf:
      let any = try predicate(of: try quantified(.any))
      return try part(.not(any.node), over: any.levels)
    case .not: return try negation()
    default: break
    }
    if token == "!" { return try negation() }
    if token == "-" || token == "+" { return try signed() }
    return try path()
  }

  private mutating func negation() throws(ExpressionError) -> Part {
    var isNegative = false
    while token == "!" || token.keyword == .not {
      isNegative.toggle()
      advance()
    }
    let negated = try predicate(of: try part(.comparison))
    return try isNegative
      ? part(.not(negated.node), over: negated.levels)
      : part(negated.node, over: negated.levels)
  }

  /// A comparison of the elements of its left side.
  private mutating func quantified(
    _ quantifier: MigrationComparison.Quantifier
  ) throws(ExpressionError) -> Part {
    let start = token
    advance()
    // The quantifiers of quantifiers are the mistake of a text, and would cost stack.
    guard ![.anyOf, .someOf, .allOf, .noneOf, .not].contains(token.keyword) else {
      throw unexpected()
    }
    let compared = try part(.comparison)
    guard case .predicate(.comparison(var comparison)) = compared.node,
      comparison.quantifier == nil
    else {
      throw ExpressionError(.quantifierNeedsComparison, offset: start.range.lowerBound)
    }
    comparison.quantifier = quantifier
    return Part(node: .predicate(.comparison(comparison)), levels: compared.levels)
  }

  private mutating func comparison(of part: Part) throws(ExpressionError) -> Part {
    let left = try value(of: part)
    guard let sign = comparisonOperator else { throw unexpected() }
    advance()
    let options = try comparisonOptions()
    let right = try value(of: try self.part(.set))
    // A second comparison is not part of the first.
    if infixLevel == .comparison { throw unexpected() }
    return try self.part(
      .comparison(MigrationComparison(left.node, sign, right.node, options: options)),
      over: max(left.levels, right.levels))
  }

  private mutating func comparisonOptions() throws(ExpressionError) -> MigrationComparison.Options {
    guard take("[") else { return [] }
    guard case .word(let letters) = token.kind else { throw unexpected() }
    var options: MigrationComparison.Options = []
    for letter in letters.lowercased() {
      guard let known = MigrationComparison.Options.letters.first(where: { $0.letter == letter })
      else { throw error(.unknownModifier, letters) }
      options.insert(known.option)
    }
    advance()
    try expect("]")
    return options
  }

  /// The comparison that the token at hand is.
  private var comparisonOperator: MigrationComparison.Operator? {
    if case .symbol(let symbol) = token.kind { return Self.comparisonSymbols[symbol] }
    return token.keyword.flatMap { Self.comparisonWords[$0] }
  }

  private static let comparisonSymbols: [String: MigrationComparison.Operator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]
  private static let comparisonWords: [ExpressionToken.Keyword: MigrationComparison.Operator] = [
    .between: .between, .isIn: .isIn, .contains: .contains, .beginsWith: .beginsWith,
    .endsWith: .endsWith, .like: .like, .matches: .matches,
  ]

  // MARK: Values

  /// The operation on sets that the token at hand is.
  private var setOperation: MigrationExpression.SetOperation? {
    guard case .word(let word) = token.kind else { return nil }
    return MigrationExpression.SetOperation.allCases.first { $0.word == word.uppercased() }
  }

  /// A value, an operator and another value.
  private mutating func operation(
    on part: Part, _ level: OperatorLevel
  ) throws(ExpressionError) -> Part {
    let left = try value(of: part)
    let operation = setOperation
    let function = MigrationFunction.allCases.first { token.kind == .symbol($0.infix ?? "") }
    advance()
    let right = try value(of: try self.part(level.next))
    let levels = max(left.levels, right.levels)
    if let operation { return try self.part(.set(operation, left.node, right.node), over: levels) }
    guard let function else { throw unexpected() }
    return try self.part(.builtIn(function, [left.node, right.node]), over: levels)
  }

  /// A value after signs.
  private mutating func signed() throws(ExpressionError) -> Part {
    var isNegative = false
    while token == "-" || token == "+" {
      if token == "-" { isNegative.toggle() }
      advance()
    }
    let value = try value(of: try part(.power))
    guard isNegative else { return Part(node: .value(value.node), levels: value.levels) }
    guard case .constant(let constant) = value.node, let negated = constant.negated else {
      // As Foundation parses it.
      return try part(
        .builtIn(.multiply, [value.node, .constant(.integer(-1))]), over: value.levels)
    }
    return try part(.constant(negated))
  }
}

extension UnarchivedValue {
  /// The number with the other sign, if it is one.
  fileprivate var negated: UnarchivedValue? {
    switch self {
    case .integer(let value): Self(-Int128(value))
    case .wideInteger(let value): value == .min ? nil : Self(-value)
    case .real(let value): .real(-value)
    default: nil
    }
  }

  /// A whole number of any size.
  init(_ number: Int128) {
    self = Int64(exactly: number).map { .integer($0) } ?? .wideInteger(number)
  }
}
