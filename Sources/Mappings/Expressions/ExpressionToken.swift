import DataModel

/// A piece of the text of an expression, and where it begins and ends.
struct ExpressionToken: Sendable, Equatable {
  /// The kind of the piece.
  enum Kind: Sendable, Equatable {
    /// A key, a keyword, or the name of a function with its colons.
    case word(String)
    /// A key after a `#`, which is never a keyword.
    case escapedWord(String)
    /// A variable, without its `$`.
    case variable(String)
    /// A collection operator, without its `@`.
    case collectionOperator(String)
    /// A number.
    case number(ImportValue)
    /// A text, without its quotes and escapes.
    case text(String)
    /// An operator, a bracket, a comma or a dot.
    case symbol(String)
    /// The end of the text.
    case end
  }

  var kind: Kind
  /// The places of its first scalar and of the one after it, from 0.
  var range: Range<Int>

  /// The keyword that a word is, in upper case.
  var keyword: Keyword? {
    guard case .word(let word) = kind else { return nil }
    return Keyword(rawValue: word.uppercased())
  }

  /// The words that are no keys, unless a `#` stands before them.
  ///
  /// `FIRST`, `LAST` and `SIZE` mean something in square brackets only, and the names of functions
  /// before a round one.
  enum Keyword: String, Sendable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case anyOf = "ANY"
    case someOf = "SOME"
    case allOf = "ALL"
    case noneOf = "NONE"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case isTrue = "TRUE"
    case yes = "YES"
    case isFalse = "FALSE"
    case no = "NO"
    case null = "NULL"
    case nothing = "NIL"
    case itself = "SELF"
  }

  static func == (token: Self, symbol: String) -> Bool { token.kind == .symbol(symbol) }
}
