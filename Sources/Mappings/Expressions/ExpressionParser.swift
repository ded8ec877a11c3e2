/// Makes a tree of the text of an expression or a predicate.
///
/// Predicates and values are parsed by one grammar, since a round bracket may begin either; what
/// an operator finds at its sides has to be of the right sort. Mapping models may have more than
/// mapping files: fetches, sets, any function of any object, any variable.
package struct ExpressionParser {
  /// The number of levels that a tree may have.
  ///
  /// A level of brackets costs up to ten kilobytes of stack without optimization, and a thread that
  /// reads mapping models may have no more than half a megabyte. Real expressions have less than
  /// ten levels.
  package static func maxLevels(inMappingModel: Bool) -> Int { inMappingModel ? 50 : 200 }

  /// A part of the tree, and what the parts around it have to know of it.
  struct Part {
    var node: ExpressionNode
    var isPredicate = false
    /// The number of its levels.
    var levels = 1
    /// The offset of its first character.
    var start: Int

    /// Another node in place of this one, over it.
    func under(_ node: ExpressionNode) -> Part {
      Part(node: node, isPredicate: isPredicate, levels: levels + 1, start: start)
    }
  }

  let isInMappingModel: Bool
  /// The tokens; the last is the end.
  let tokens: [ExpressionToken]
  /// The index of the token at hand.
  var position = 0
  /// The number of calls of functions by themselves that have not returned.
  var depth = 0
  /// The variables of the subqueries around.
  var boundVariables: [String] = []

  /// The tree of a text that is a predicate.
  package static func predicate(
    _ text: String, inMappingModel: Bool = false
  ) throws(ExpressionError) -> ExpressionNode {
    try parse(text, inMappingModel) { (parser) throws(ExpressionError) in
      try parser.predicate()
    }.node
  }

  /// The tree of a text that is a value.
  package static func value(
    _ text: String, inMappingModel: Bool = false
  ) throws(ExpressionError) -> ExpressionNode {
    try parse(text, inMappingModel) { (parser) throws(ExpressionError) in try parser.value() }.node
  }

  /// A predicate in an expression of a mapping model, so many levels deep; nil if a text is none.
  static func nestedPredicate(_ text: String, depth: Int) -> Part? {
    try? parse(text, true, depth: depth) { (parser) throws(ExpressionError) in
      try parser.predicate()
    }
  }

  /// The key path that a text is from a value on; nil if it is none.
  static func path(_ text: String, of base: ExpressionNode) -> ExpressionNode? {
    let part = try? parse(".\(text)", true) { (parser) throws(ExpressionError) in
      try parser.steps(from: Part(node: base, start: 0))
    }
    return part?.node
  }

  private static func parse(
    _ text: String, _ isInMappingModel: Bool, depth: Int = 0,
    _ parse: (inout ExpressionParser) throws(ExpressionError) -> Part
  ) throws(ExpressionError) -> Part {
    do throws(ExpressionError) {
      var parser = ExpressionParser(
        isInMappingModel: isInMappingModel, tokens: try ExpressionLexer.tokens(of: text),
        depth: depth)
      let part = try parse(&parser)
      try parser.expectEnd()
      return part
    } catch {
      throw error.counted(in: text)
    }
  }
}

extension ExpressionNode {
  /// The expression of a mapping model that a text is; unknown if it is none.
  package init(format: String) {
    self =
      (try? ExpressionParser.value(format, inMappingModel: true))
      ?? .unknown(UnknownExpression(.invalidFormat, format))
  }

  /// The predicate of a mapping model that a text is; unknown if it is none.
  package init(predicate format: String) {
    self =
      (try? ExpressionParser.predicate(format, inMappingModel: true))
      ?? .unknown(UnknownExpression(.invalidFormat, format))
  }
}

// MARK: - Parts

extension ExpressionParser {
  private var maxLevels: Int { Self.maxLevels(inMappingModel: isInMappingModel) }

  private func tooDeep(_ offset: Int) -> ExpressionError {
    ExpressionError(.tooDeep, offset: offset, name: "\(maxLevels)")
  }

  /// Counts a function that calls itself.
  mutating func goDeeper() throws(ExpressionError) {
    guard depth < maxLevels else { throw tooDeep(token.range.lowerBound) }
    depth += 1
  }

  /// A part that has to be a predicate.
  mutating func predicate() throws(ExpressionError) -> Part {
    try checkedPredicate(try anything())
  }

  /// A part that has to be a value.
  mutating func value() throws(ExpressionError) -> Part {
    try checkedValue(try anything())
  }

  /// A predicate or a value, with whatever operators.
  mutating func anything() throws(ExpressionError) -> Part {
    try goDeeper()
    defer { depth -= 1 }
    return try expression(.or)
  }

  /// A part that is not too high.
  func checked(_ part: Part) throws(ExpressionError) -> Part {
    guard part.levels <= maxLevels else { throw tooDeep(part.start) }
    return part
  }

  func checkedPredicate(_ part: Part) throws(ExpressionError) -> Part {
    guard part.isPredicate else { throw ExpressionError(.predicateNeeded, offset: part.start) }
    return part
  }

  func checkedValue(_ part: Part) throws(ExpressionError) -> Part {
    guard !part.isPredicate else { throw ExpressionError(.valueNeeded, offset: part.start) }
    return part
  }
}

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
