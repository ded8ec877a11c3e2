/// A class that may stand under a key: a type of one's own, or a class of Foundation by its name.
public enum AllowedClass: Sendable, ExpressibleByStringLiteral {
  /// A type, and its subclasses.
  case type(any KeyedDecodable.Type)
  /// A class by name: that of a type that the unarchiver knows, or of Foundation's values and
  /// collections ("NSString"; mutable variants are the same).
  case name(String)

  /// A class by name.
  public init(stringLiteral value: String) {
    self = .name(value)
  }

  /// The classes that a property list can hold.
  public static let propertyList: [AllowedClass] = [
    "NSString", "NSNumber", "NSData", "NSDate", "NSArray", "NSDictionary",
  ]
}
