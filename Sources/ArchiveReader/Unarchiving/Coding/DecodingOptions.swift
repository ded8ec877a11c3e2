/// The options of a coder for values of another kind than the one asked for, and for errors.
public struct DecodingOptions: Sendable, Hashable {
  /// True if only values as a method's own encoder writes them are taken.
  ///
  /// Old archives hold numbers as objects, objects in the place of references, and booleans as
  /// numbers. A lenient coder takes them for one another as far as no digit is lost, and reports
  /// it. To a strict one they are errors.
  public var isStrict: Bool
  /// The effect of an error.
  public var failurePolicy: DecodingFailurePolicy

  /// Creates options: lenient, with errors that are thrown at once.
  public init(isStrict: Bool = false, failurePolicy: DecodingFailurePolicy = .raise) {
    self.isStrict = isStrict
    self.failurePolicy = failurePolicy
  }
}

/// The effect of an error of a coder, as `NSCoder.DecodingFailurePolicy` has it.
public enum DecodingFailurePolicy: Sendable, Hashable, CaseIterable {
  /// It is thrown at once.
  case raise
  /// The first one is kept and thrown at the end; until then, all decoding gives nil, false or 0.
  case setErrorAndReturn
}

/// Something that a lenient coder took for another kind of value.
public struct DecodingAdjustment: Sendable, Hashable {
  /// The kinds of adjustment.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A number was asked for, and an object was archived.
    case followedReference
    /// An object was asked for, and its value stands in the place of a reference.
    case inlineObject
    /// A number of one kind was asked for, and one of another kind was archived.
    case convertedNumber
    /// A real number does not fit the precision that was asked for.
    case lostPrecision
  }

  /// The kind of adjustment.
  public var kind: Kind
  /// The archived name of the class whose key it was; nil for a top-level key.
  public var className: String?
  /// The key, as archived.
  public var key: String

  /// Creates an adjustment.
  public init(_ kind: Kind, className: String?, key: String) {
    self.kind = kind
    self.className = className
    self.key = key
  }
}
