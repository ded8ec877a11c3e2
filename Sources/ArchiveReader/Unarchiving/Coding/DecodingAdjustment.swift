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
