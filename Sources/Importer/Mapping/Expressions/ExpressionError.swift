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

  /// What is wrong.
  public var code: Code
  /// Where: how many characters of the text stand before it.
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
    case .unexpectedCharacter: "the character \(name) has no meaning here"
    case .unterminatedText: "a text has no closing \(name)"
    case .badEscape: "\(name) is no escape sequence: a backslash is written \\\\"
    case .badNumber: "\(name) is not a number, or one that is out of range"
    case .placeholder: "\(name) stands for an argument, and there are none: write the value"

    case .unexpectedEnd: "the text ends where more is expected"
    case .unexpectedToken: "\(name) is not expected here"
    case .predicateNeeded:
      "a comparison is needed here, not a value: a boolean is compared with == TRUE"
    case .valueNeeded:
      "a value is needed here, not a comparison: TERNARY(comparison, value, value) makes one"
    case .quantifierNeedsComparison: "\(name) needs a comparison behind it"
    case .unsupported: "\(name) is not supported"

    case .unknownModifier: "there is no modifier [\(name)]: they are c, d, n and l"
    case .unknownVariable: "there is no variable $\(name) here"
    case .unknownFunction: "there is no function \(name)"
    case .randomFunction: "the function \(name) gives another value each time, so it is left out"
    case .unknownCollectionOperator: "there is no collection operator @\(name)"
    case .unknownType: "there is no cast to \(name)"

    case .wrongArgumentCount: "\(name) has another number of arguments"
    case .badReceiver: "FUNCTION needs a variable and, as text, the name of one of its functions"
    case .badBounds: "BETWEEN needs two bounds: { lower, upper }"
    case .badCast: "the value cannot be cast to \(name)"
    case .badPattern: "the regular expression is not well formed"

    case .tooLong: "the text is longer than the limit of \(name) bytes"
    case .tooDeep: "nesting is deeper than the limit of \(name) levels"
    }
  }
}
