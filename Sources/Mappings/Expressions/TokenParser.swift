/// A parser that goes through the tokens of an expression or a predicate, one after the other.
package protocol TokenParser {
  /// The tokens; the last is the end.
  var tokens: [ExpressionToken] { get }
  /// The index of the token at hand.
  var position: Int { get set }
}

extension TokenParser {
  /// The token at hand.
  package var token: ExpressionToken { tokens[position] }

  /// The token after the one at hand.
  package var nextToken: ExpressionToken { tokens[min(position + 1, tokens.count - 1)] }

  /// Goes on to the next token; stays at the end.
  package mutating func advance() { position = min(position + 1, tokens.count - 1) }

  /// Passes over a symbol; returns whether it was at hand.
  package mutating func take(_ symbol: String) -> Bool {
    guard token == symbol else { return false }
    advance()
    return true
  }

  /// Passes over a keyword; returns whether it was at hand.
  package mutating func take(_ keyword: ExpressionToken.Keyword) -> Bool {
    guard token.keyword == keyword else { return false }
    advance()
    return true
  }

  /// Passes over a symbol, which has to be at hand.
  package mutating func expect(_ symbol: String) throws(ExpressionError) {
    guard take(symbol) else { throw unexpected() }
  }

  /// Makes sure that all tokens were passed over.
  package func expectEnd() throws(ExpressionError) {
    guard token.kind == .end else { throw unexpected() }
  }

  /// The level of the token at hand, if it is an operator between two sides.
  ///
  /// - Parameter isComparison: Tells whether it is a comparison.
  /// - Returns: The level; nil if it is no operator, or one on sets.
  package func operatorLevel(isComparison: () -> Bool) -> OperatorLevel? {
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
      default: isComparison() ? .comparison : nil
      }
    }
  }

  /// The error for the token at hand.
  package func unexpected() -> ExpressionError {
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
  package func error(_ code: ExpressionError.Code, _ name: String? = nil) -> ExpressionError {
    error(code, token, name: name)
  }

  /// An error at a token.
  package func error(
    _ code: ExpressionError.Code, _ token: ExpressionToken, name: String? = nil
  ) -> ExpressionError {
    ExpressionError(
      code, offset: token.range.lowerBound,
      name: name.map { ExpressionLexer.shown($0.unicodeScalars) })
  }
}

/// How strongly an operator binds, the weakest first.
package enum OperatorLevel: Int, Comparable {
  case or
  case and
  case comparison
  /// An operation on sets, which the expressions of mapping files do not have.
  case set
  case sum
  case product
  case sign
  case power
  case path

  /// The level that binds more strongly.
  package var next: OperatorLevel { OperatorLevel(rawValue: rawValue + 1) ?? .path }

  package static func < (first: OperatorLevel, second: OperatorLevel) -> Bool {
    first.rawValue < second.rawValue
  }
}
