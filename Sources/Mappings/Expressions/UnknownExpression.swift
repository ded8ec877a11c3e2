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
