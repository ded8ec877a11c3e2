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
