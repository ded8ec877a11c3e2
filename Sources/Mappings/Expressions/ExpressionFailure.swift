import DataModel

/// Why an expression has no value for an object, or a predicate no answer.
///
/// A failure carries a code and a name (of a key, a function, a kind of value), never a value.
public struct ExpressionFailure: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Kinds of values
    case notNumbers
    case notComparable
    case notText
    case notACollection
    case noKeys
    case badIndex
    case badBounds
    case badCast
    case badPattern

    // Sizes
    case divisionByZero
    case tooLong
    case tooComplex

    // What the scope does not have
    case unknownKey
    case unknownVariable
    case unknownFunction
    case functionFailed
  }

  /// The kind of failure.
  public var code: Code
  /// A name that the code alone does not tell.
  public var name: String?

  /// Creates a failure.
  public init(_ code: Code, name: String? = nil) {
    self.code = code
    self.name = name
  }

  /// A failure over the kinds of two values.
  init(_ code: Code, _ first: ImportValue, _ second: ImportValue) {
    self.init(code, name: "\(first.kind) and \(second.kind)")
  }
}

extension ExpressionFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String {
    let name = name ?? "?"
    return switch code {
    case .notNumbers: "cannot calculate with \(name)"
    case .notComparable: "\(name) cannot be compared"
    case .notText: "expected text, found \(name)"
    case .notACollection: "expected a collection, found \(name)"
    case .noKeys: "unknown key \(name)"
    case .badIndex: "invalid index: \(name)"
    case .badBounds: "BETWEEN needs two bounds"
    case .badCast: "cannot be cast: \(name)"
    case .badPattern: "the regular expression is invalid"

    case .divisionByZero: "division by zero"
    case .tooLong: "the text is longer than the limit of \(name) bytes"
    case .tooComplex: "evaluation takes more steps than the limit"

    case .unknownKey: "the object has no key \(name)"
    case .unknownVariable: "the variable $\(name) has no value here"
    case .unknownFunction: "unknown function \(name)"
    case .functionFailed: name
    }
  }
}

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

/// A part of an expression or of a predicate that is not understood.
package struct UnknownExpression: Sendable, Hashable {
  /// The reason.
  package enum Reason: String, Sendable, CaseIterable {
    /// It is archived in a class that is unknown, or with keys that its class does not have.
    case unknownClass
    /// It is archived in a way that its class does not explain.
    case misshapen
    /// It calls a function of expressions that is unknown.
    case unknownFunction
    /// It compares in a way that is unknown.
    case unknownOperator
    /// It has a key path that is none, or has an unknown collection operator.
    case invalidKeyPath
    /// It fetches by something else than an entity and a predicate.
    case unknownFetch
    /// It is a text that is no expression, or no predicate.
    case invalidFormat
    /// It says of a relationship from where, but not by which entity mapping.
    case unknownEntityMapping
  }

  package var reason: Reason
  /// The name of the class, function, operator or path, or the text.
  package var name: String

  package init(_ reason: Reason, _ name: String) {
    self.reason = reason
    self.name = name
  }
}

extension UnknownExpression: CustomStringConvertible {
  /// The part in words.
  package var description: String {
    switch reason {
    case .unknownClass: "an object of the class \(name)"
    case .misshapen: "an object of the class \(name) with unexpected keys"
    case .unknownFunction: "the function \(name)"
    case .unknownOperator: "the operator \(name)"
    case .invalidKeyPath: "the key path \(name)"
    case .unknownFetch: "the fetch request \(name)"
    case .invalidFormat: "the text \(name)"
    case .unknownEntityMapping: "the path \(name), without an entity mapping that it leads through"
    }
  }
}
