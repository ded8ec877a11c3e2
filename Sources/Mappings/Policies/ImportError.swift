import Foundation

/// Why a hook or a policy cannot do what it asks for.
public struct ImportError: Error, Sendable, Hashable {
  /// The kinds of error.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The model has no entity of the name.
    case unknownEntity
    /// The entity is abstract: only its subentities have rows.
    case abstractEntity
    /// The entity has no property of the name.
    case unknownProperty
    /// No hook is there for a superclass of the object.
    case noSuperclassHook
    /// The object's class has no entity of its own to insert a row into.
    case noEntity
    /// The entity mapping makes no rows.
    case noDestination
    /// The instance belongs to another run.
    case otherRun
    /// A value is not of the kind that was asked for.
    case wrongKind
    /// A hook or policy refuses an object, for the reason that it gives.
    case refused
    /// A policy cancelled the run.
    case cancelled
  }

  /// The kind of error.
  public var code: Code
  /// The name that is concerned, or the reason that was given.
  public var name: String
  /// The nearest name that exists.
  public var nearest: String?
  /// The kind of value that was found, in words.
  public var found: String?
  /// The kind of value that was asked for, in words.
  public var expected: String?

  /// Creates an error.
  public init(
    _ code: Code, name: String, nearest: String? = nil, found: String? = nil,
    expected: String? = nil
  ) {
    self.code = code
    self.name = name
    self.nearest = nearest
    self.found = found
    self.expected = expected
  }
}

extension ImportError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    let hint = nearest.map { " (did you mean '\($0)'?)" } ?? ""
    return switch code {
    case .unknownEntity: "unknown entity '\(name)'\(hint)\(expected.map { ": \($0)" } ?? "")"
    case .abstractEntity: "the entity '\(name)' is abstract"
    case .unknownProperty: "unknown property '\(name)'\(hint)"
    case .noSuperclassHook: "no hook is registered for a superclass of '\(name)'"
    case .noEntity: "the class '\(name)' has no entity"
    case .noDestination: "the entity mapping '\(name)' has no destination entity"
    case .otherRun: "'\(name)' belongs to another run"
    case .wrongKind:
      if let found, let expected {
        "'\(name)' holds \(found), but \(expected) was requested"
      } else {
        "the value under '\(name)' has a different type"
      }
    case .refused: name
    case .cancelled: "cancelled: \(name)"
    }
  }
}

extension ImportError {
  /// The words of an error that a hook or a policy threw: its own, if it has some.
  ///
  /// Of others, the values that they carry are left out, which may be content.
  package static func words(of error: any Error) -> String {
    switch error {
    case let error as any LocalizedError:
      if let words = error.errorDescription { return words }
    case let error as any CustomStringConvertible: return error.description
    default: break
    }
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return "\(type(of: error))" }
    return "\(type(of: error)).\(mirror.children.first?.label ?? "\(error)")"
  }
}
