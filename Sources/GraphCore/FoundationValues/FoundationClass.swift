/// A type that stands for a class of Foundation, or for several that are archived alike.
///
/// Its stored properties are the parts, which are also what is encoded; the first is the class.
protocol FoundationObject: Sendable, Hashable, Encodable {
  /// The name of the class, as archived.
  var `class`: String { get }

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
  let type: any FoundationObject.Type

  /// The name of the class, or of the first of those that are archived alike.
  package var name: String { type.classNames.first ?? "NSObject" }

  /// The class with an archived name; nil for all others.
  package init?(archivedName name: String) {
    if let type = Self.types[name] {
      self.type = type
    } else if name.hasPrefix("NSUnit") {
      // Each dimension has a class of its own, and apps define some.
      type = ArchivedUnit.self
    } else {
      return nil
    }
  }

  /// The names of all classes but those of dimensions, which begin with "NSUnit".
  package static var classNames: [String] { types.keys.sorted() }

  private static let types: [String: any FoundationObject.Type] = Dictionary(
    FoundationValue.types.flatMap { type in type.classNames.map { ($0, type) } },
    uniquingKeysWith: { first, _ in first })

  /// The value of an object of the class.
  ///
  /// - Parameters:
  ///   - className: The name of the class, as archived.
  ///   - parts: What stands under the object's keys.
  ///   - elementWeights: What the elements of arrays among them weigh, by key.
  ///   - weight: What all parts weigh.
  /// - Returns: The value and what it weighs; nil if the object is not one whose parts are all
  ///   known.
  package func value(
    className: String, parts: [String: UnarchivedValue], elementWeights: [String: [ValueWeight]],
    weight: ValueWeight
  ) -> (value: FoundationValue, weight: ValueWeight)? {
    var reader = PartReader(
      className: className, parts: parts, elementWeights: elementWeights, weight: weight)
    guard let value = type.init(&reader), reader.isComplete else { return nil }
    return (FoundationValue(value), reader.weight)
  }

  package static func == (left: FoundationClass, right: FoundationClass) -> Bool {
    ObjectIdentifier(left.type) == ObjectIdentifier(right.type)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
  }
}
