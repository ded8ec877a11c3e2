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
