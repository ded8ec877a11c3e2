/// Makes a tree of the text of an expression or a predicate.
///
/// Predicates and values are parsed by one grammar, since a round bracket may begin either; what
/// an operator finds at its sides has to be of the right sort.
struct ExpressionParser: TokenParser {
  /// How high a tree can be.
  static let maxLevels = 200

  /// A part of the tree, and what the parts around it have to know of it.
  struct Part {
    var node: ExpressionNode
    var isPredicate = false
    /// How many levels it has.
    var levels = 1
    /// Where it begins.
    var start: Int

    /// Another node in place of this one, over it.
    func under(_ node: ExpressionNode) -> Part {
      Part(node: node, isPredicate: isPredicate, levels: levels + 1, start: start)
    }
  }

  let tokens: [ExpressionToken]
  var position = 0
  /// How many times functions have called themselves and not come back.
  var depth = 0
  /// The variables of the subqueries around.
  var boundVariables: [String] = []

  private init(_ text: String) throws(ExpressionError) {
    tokens = try ExpressionLexer.tokens(of: text)
  }

  /// The tree of a text that is a predicate.
  static func predicate(_ text: String) throws(ExpressionError) -> ExpressionNode {
    try parse(text) { (parser) throws(ExpressionError) in try parser.predicate() }
  }

  /// The tree of a text that is a value.
  static func value(_ text: String) throws(ExpressionError) -> ExpressionNode {
    try parse(text) { (parser) throws(ExpressionError) in try parser.value() }
  }

  private static func parse(
    _ text: String, _ parse: (inout ExpressionParser) throws(ExpressionError) -> Part
  ) throws(ExpressionError) -> ExpressionNode {
    do throws(ExpressionError) {
      var parser = try ExpressionParser(text)
      let part = try parse(&parser)
      try parser.expectEnd()
      return part.node
    } catch {
      throw error.counted(in: text)
    }
  }
}

// MARK: - Parts

extension ExpressionParser {
  private func tooDeep(_ offset: Int) -> ExpressionError {
    ExpressionError(.tooDeep, offset: offset, name: "\(Self.maxLevels)")
  }

  /// Counts a function that calls itself.
  mutating func goDeeper() throws(ExpressionError) {
    guard depth < Self.maxLevels else { throw tooDeep(token.range.lowerBound) }
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
    guard part.levels <= Self.maxLevels else { throw tooDeep(part.start) }
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
