// The tokens of an expression or a predicate, one after the other.
extension ExpressionParser {
  /// The token at hand.
  var token: ExpressionToken { tokens[position] }

  /// The token after the one at hand.
  var nextToken: ExpressionToken { tokens[min(position + 1, tokens.count - 1)] }

  /// Goes on to the next token; stays at the end.
  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  /// Passes over a symbol; returns whether it was at hand.
  mutating func take(_ symbol: String) -> Bool {
    guard token == symbol else { return false }
    advance()
    return true
  }

  /// Passes over a keyword; returns whether it was at hand.
  mutating func take(_ keyword: ExpressionToken.Keyword) -> Bool {
    guard token.keyword == keyword else { return false }
    advance()
    return true
  }

  /// Passes over a symbol, which has to be at hand.
  mutating func expect(_ symbol: String) throws(ExpressionError) {
    guard take(symbol) else { throw unexpected() }
  }

  /// Makes sure that all tokens were passed over.
  func expectEnd() throws(ExpressionError) {
    guard token.kind == .end else { throw unexpected() }
  }

  /// The level of the token at hand, if it is an operator between two sides.
  var infixLevel: OperatorLevel? {
    switch token.kind {
    case .symbol("||"): .or
    case .symbol("&&"): .and
    case .symbol("+"), .symbol("-"): .sum
    case .symbol("*"), .symbol("/"): .product
    case .symbol("**"): .power
    default:
      switch token.keyword {
      case .or: .or
      case .and: .and
      default:
        setOperator != nil ? .set : Self.comparisonOperator(token) != nil ? .comparison : nil
      }
    }
  }

  /// The operator on sets that the token at hand is, in a mapping model.
  var setOperator: String? {
    guard isInMappingModel, case .word(let word) = token.kind else { return nil }
    return ExpressionNode.setOperators.first { $0 == word.uppercased() }
  }

  /// The error for the token at hand.
  func unexpected() -> ExpressionError {
    if token.kind == .end { return error(.unexpectedEnd) }
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
    return error(.unexpectedToken, name)
  }

  /// An error at the token at hand.
  func error(_ code: ExpressionError.Code, _ name: String? = nil) -> ExpressionError {
    error(code, token, name: name)
  }

  /// An error at a token.
  func error(
    _ code: ExpressionError.Code, _ token: ExpressionToken, name: String? = nil
  ) -> ExpressionError {
    ExpressionError(
      code, offset: token.range.lowerBound,
      name: name.map { ExpressionLexer.shown($0.unicodeScalars) })
  }
}

/// The strength with which an operator binds, the weakest first.
enum OperatorLevel: Int, Comparable {
  case or
  case and
  case comparison
  /// An operation on sets, which only mapping models have.
  case set
  case sum
  case product
  case sign
  case power
  case path

  /// The level that binds more strongly.
  var next: OperatorLevel { OperatorLevel(rawValue: rawValue + 1) ?? .path }

  static func < (first: OperatorLevel, second: OperatorLevel) -> Bool {
    first.rawValue < second.rawValue
  }
}
