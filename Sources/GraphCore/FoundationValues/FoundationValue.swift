/// A value of one of Foundation's classes beyond strings, numbers, dates and collections, or of one
/// of the classes built on it: an index set, a colour, an attributed text.
///
/// A value holds all that the archived object does. An object with a key that its class is not
/// known to have, or with a part that is no value, is not read as one.
///
///     if let color = value.as(ArchivedColor.self) { print(color.components ?? []) }
public struct FoundationValue: Sendable {
  /// The parts, in the type that stands for the class.
  let object: any FoundationParts
  /// The first name of the classes that are archived alike.
  let kind: String

  init(_ object: any FoundationParts, kind: String) {
    (self.object, self.kind) = (object, kind)
  }

  /// The value in the type that stands for its class, such as `ArchivedColor` for an NSColor.
  ///
  /// - Parameter type: The type.
  /// - Returns: The parts of the value; nil if another type stands for its class.
  public func `as`<Parts>(_ type: Parts.Type) -> Parts? { object as? Parts }

  /// A part of a value whose class has no type.
  ///
  /// - Parameter part: The name of the part, which Documentation/values.md has.
  /// - Returns: The part; nil if the value has none of that name, or a type stands for its class.
  public subscript(part: String) -> UnarchivedValue? {
    (object as? NamedParts)?.parts.first { $0.name == part }?.value
  }
}

extension FoundationValue: Hashable {
  /// True if two values are of the same class and have the same parts.
  public static func == (left: FoundationValue, right: FoundationValue) -> Bool {
    AnyHashable(left.object) == AnyHashable(right.object)
  }

  /// Hashes the parts.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(object))
  }
}

extension FoundationValue: Encodable {
  /// The name of the class, as archived.
  public var className: String { object.class }

  /// The value as JSON: an object with the class under `class`, and the parts that are not nil.
  ///
  /// Keys are sorted. Data is in base64, dates are in ISO 8601, decimal numbers are exact text, and
  /// numbers that JSON has not are the texts "NaN", "Infinity" and "-Infinity".
  public var json: String { jsonText }

  /// Encodes the value as its parts.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    try object.encode(to: encoder)
  }
}
