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

/// The parts of a value of one of Foundation's classes, which are also what is encoded.
protocol FoundationParts: Sendable, Hashable, Encodable {
  /// The name of the class, as archived.
  var `class`: String { get }
}

/// A type that stands for a class of Foundation, or for several that are archived alike.
///
/// Its stored properties are the parts, which are also what is encoded; the first is the class.
protocol FoundationObject: FoundationParts {
  /// The names of the classes that the type stands for.
  static var classNames: [String] { get }

  /// Reads the parts.
  ///
  /// It fails if a part is missing without which there is no value.
  ///
  /// - Parameter parts: The parts of the object.
  init?(_ parts: inout PartReader)
}

/// One of Foundation's classes whose objects are read as a `FoundationValue`.
package struct FoundationClass: Hashable, Sendable {
  /// The name of the class, or of the first of those that are archived alike.
  package let name: String
  private let read: @Sendable (inout PartReader) -> (any FoundationParts)?

  /// The class with an archived name; nil for all others.
  package init?(archivedName name: String) {
    // Each dimension has a class of its own, and apps define some.
    guard
      let known = Self.classes[name] ?? (name.hasPrefix("NSUnit") ? Self.classes["NSUnit"] : nil)
    else { return nil }
    self = known
  }

  private init(
    _ name: String, _ read: @escaping @Sendable (inout PartReader) -> (any FoundationParts)?
  ) {
    (self.name, self.read) = (name, read)
  }

  /// The names of all classes but those of dimensions, which begin with "NSUnit".
  package static var classNames: [String] { classes.keys.sorted() }

  private static let classes: [String: FoundationClass] = {
    var classes: [String: FoundationClass] = [:]
    func add(
      _ names: [String], _ read: @escaping @Sendable (inout PartReader) -> (any FoundationParts)?
    ) {
      for name in names { classes[name] = FoundationClass(names[0], read) }
    }
    for type in types { add(type.classNames) { type.init(&$0) } }
    for list in PartList.all { add(list.classNames) { list.read(&$0) } }
    return classes
  }()

  /// The value of an object of the class.
  ///
  /// - Parameters:
  ///   - className: The name of the class, as archived.
  ///   - parts: The values under the object's keys.
  ///   - elementWeights: The weights of the elements of arrays among them, by key.
  ///   - weight: The weight of all parts.
  /// - Returns: The value and its weight; nil if the object is not one whose parts are all known.
  package func value(
    className: String, parts: [String: UnarchivedValue], elementWeights: [String: [ValueWeight]],
    weight: ValueWeight
  ) -> (value: FoundationValue, weight: ValueWeight)? {
    var reader = PartReader(
      className: className, parts: parts, elementWeights: elementWeights, weight: weight)
    guard let value = read(&reader), reader.isComplete else { return nil }
    return (FoundationValue(value, kind: name), reader.weight)
  }

  package static func == (left: FoundationClass, right: FoundationClass) -> Bool {
    left.name == right.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The types that stand for classes whose objects are more than a list of parts.
  private static let types: [any FoundationObject.Type] = [
    ArchivedAffineTransform.self,
    ArchivedAttributedString.self,
    ArchivedBezierPath.self,
    ArchivedColor.self,
    ArchivedColorList.self,
    ArchivedComparisonPredicate.self,
    ArchivedCompoundPredicate.self,
    ArchivedConstantPredicate.self,
    ArchivedExpression.self,
    ArchivedHashTable.self,
    ArchivedIndexPath.self,
    ArchivedIndexSet.self,
    ArchivedMapTable.self,
    ArchivedOldStyleArray.self,
    ArchivedPredicateOperator.self,
    ArchivedTextCheckingResult.self,
    ArchivedUIColor.self,
    ArchivedConcreteValue.self,
  ]
}

/// The size of a value that is written out, shared parts as often as they occur.
package struct ValueWeight: Hashable, Sendable {
  /// Values, each element and each key for itself.
  package var parts = 0
  /// Bytes of texts and data.
  package var bytes = 0
  /// The number of levels of values in values: none for a plain one.
  package var levels = 0

  package init(parts: Int = 0, bytes: Int = 0, levels: Int = 0) {
    (self.parts, self.bytes, self.levels) = (parts, bytes, levels)
  }

  /// True if reading the value twice would be a waste.
  package var isHeavy: Bool { parts > 64 || bytes > 4_096 }

  /// About how many bytes of JSON they take: the names of keys and the signs between values count
  /// 16 for each part.
  package var jsonByteCount: Int {
    let (signs, manySigns) = parts.multipliedReportingOverflow(by: 16)
    let (sum, overflow) = signs.addingReportingOverflow(bytes)
    return manySigns || overflow ? .max : sum
  }

  /// Adds the weight of a part; a sum beyond what an integer holds stays at the largest.
  package mutating func add(_ part: ValueWeight) {
    let (parts, manyParts) = parts.addingReportingOverflow(part.parts)
    let (bytes, manyBytes) = bytes.addingReportingOverflow(part.bytes)
    self.parts = manyParts ? .max : parts
    self.bytes = manyBytes ? .max : bytes
    levels = max(levels, part.levels + 1)
  }
}
