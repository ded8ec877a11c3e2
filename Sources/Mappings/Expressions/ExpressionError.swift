/// Why the text of an expression or of a predicate cannot be understood.
///
/// An error carries a code, a place and names out of the text. Its words are made in one place: see
/// `description`.
public struct ExpressionError: Error, Hashable, Sendable {
  /// The kinds of error.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Characters
    case unexpectedCharacter
    case unterminatedText
    case badEscape
    case badNumber
    case placeholder

    // Structure
    case unexpectedEnd
    case unexpectedToken
    case predicateNeeded
    case valueNeeded
    case quantifierNeedsComparison
    case unsupported

    // Names
    case unknownModifier
    case unknownVariable
    case unknownFunction
    case randomFunction
    case unknownCollectionOperator
    case unknownType

    // Arguments
    case wrongArgumentCount
    case badReceiver
    case badBounds
    case badCast
    case badPattern

    // Limits
    case tooLong
    case tooDeep
  }

  /// The kind of error.
  public var code: Code
  /// The position of the error: the number of characters before it.
  public var offset: Int
  /// A name or a piece of the text that the code alone does not tell, or a limit.
  public var name: String?

  /// Creates an error.
  public init(_ code: Code, offset: Int, name: String? = nil) {
    self.code = code
    self.offset = offset
    self.name = name
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The error in words, with its place in brackets, counted from 1: `what (character n)`.
  public var description: String { "\(sentence) (character \(offset + 1))" }

  /// The error in words, without its place.
  public var sentence: String {
    let name = name ?? "?"
    return switch code {
    case .unexpectedCharacter: "unexpected character \(name)"
    case .unterminatedText: "missing closing \(name)"
    case .badEscape: "\(name) is not an escape sequence: write a backslash as \\\\"
    case .badNumber: "\(name) is not a number or is out of range"
    case .placeholder: "\(name) is an argument placeholder, but there are none: write the value"

    case .unexpectedEnd: "unexpected end of the text"
    case .unexpectedToken: "unexpected \(name)"
    case .predicateNeeded:
      "expected a comparison, found a value: compare a boolean with == TRUE"
    case .valueNeeded:
      "expected a value, found a comparison: use TERNARY(comparison, value, value)"
    case .quantifierNeedsComparison: "\(name) needs a comparison after it"
    case .unsupported: "\(name) is not supported"

    case .unknownModifier: "unknown modifier [\(name)]: use c, d, n or l"
    case .unknownVariable: "unknown variable $\(name)"
    case .unknownFunction: "unknown function \(name)"
    case .randomFunction: "the random function \(name) is not supported"
    case .unknownCollectionOperator: "unknown collection operator @\(name)"
    case .unknownType: "unknown type in CAST: \(name)"

    case .wrongArgumentCount: "wrong number of arguments for \(name)"
    case .badReceiver: "FUNCTION needs a variable and, as text, the name of one of its functions"
    case .badBounds: "BETWEEN needs two bounds: { lower, upper }"
    case .badCast: "the value cannot be cast to \(name)"
    case .badPattern: "the regular expression is invalid"

    case .tooLong: "the text is longer than the limit of \(name) bytes"
    case .tooDeep: "nesting is deeper than the limit of \(name) levels"
    }
  }
}
