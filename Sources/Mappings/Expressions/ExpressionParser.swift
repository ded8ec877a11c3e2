/// Makes a tree of the text of an expression or a predicate.
///
/// Predicates and values are parsed by one grammar, since a round bracket may begin either; what
/// an operator finds at its sides has to be of the right sort.
struct ExpressionParser {
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

  private let tokens: [ExpressionToken]
  private var place = 0
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
      guard parser.token.kind == .end else { throw parser.unexpected() }
      return part.node
    } catch {
      throw error.counted(in: text)
    }
  }
}

// MARK: - Tokens

extension ExpressionParser {
  /// The token at hand.
  var token: ExpressionToken { tokens[place] }

  /// The token after the one at hand.
  var nextToken: ExpressionToken { tokens[min(place + 1, tokens.count - 1)] }

  mutating func advance() { place = min(place + 1, tokens.count - 1) }

  mutating func take(_ symbol: String) -> Bool {
    guard token == symbol else { return false }
    advance()
    return true
  }

  mutating func take(_ keyword: ExpressionToken.Keyword) -> Bool {
    guard token.keyword == keyword else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String) throws(ExpressionError) {
    guard take(symbol) else { throw unexpected() }
  }

  /// The error for the token at hand.
  func unexpected() -> ExpressionError {
    if token.kind == .end { return error(.unexpectedEnd, token) }
    let name =
      switch token.kind {
      case .word(let word): word
      case .escapedWord(let word): "#" + word
      case .variable(let name): "$" + name
      case .collectionOperator(let name): "@" + name
      case .symbol(let symbol): symbol
      case .number: "a number"
      case .text: "a text"
      case .end: "the end"
      }
    return error(.unexpectedToken, token, name: name)
  }

  func error(
    _ code: ExpressionError.Code, _ token: ExpressionToken, name: String? = nil
  ) -> ExpressionError {
    ExpressionError(
      code, offset: token.range.lowerBound,
      name: name.map { ExpressionLexer.shown($0.unicodeScalars) })
  }

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
