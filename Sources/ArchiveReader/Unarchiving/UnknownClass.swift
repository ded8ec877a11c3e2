/// An archived class for which an unarchiver has no type.
public struct UnknownClass: Sendable, Hashable {
  /// Its name, as archived.
  public var name: String
  /// The names of the class and its superclasses, as archived.
  public var hierarchy: [String]
  /// The classes to use in its place, as the archive suggests (`$classhints`).
  public var hints: [String]

  /// Creates a description of a class.
  public init(name: String, hierarchy: [String], hints: [String]) {
    self.name = name
    self.hierarchy = hierarchy
    self.hints = hints
  }

  /// The substitute for its objects.
  public enum Substitute {
    /// Another type decodes them.
    case type(any KeyedDecodable.Type)
    /// They are read as objects of the class of a name: that of a known type, or of Foundation.
    case className(String)
    /// A value stands for each of them; they are not decoded.
    case value(DecodedValue)
  }
}
