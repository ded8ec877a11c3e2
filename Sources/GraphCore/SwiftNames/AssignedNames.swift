/// The names that classes and keys have got: a store keeps them, so that later runs use the same.
package struct AssignedNames: Sendable, Equatable, Codable {
  /// The names of a class.
  package struct Names: Sendable, Equatable, Codable {
    /// The name of its entity.
    package var entity: String
    /// The names of its properties, by the archived keys.
    package var properties: [String: String]

    package init(entity: String, properties: [String: String]) {
      (self.entity, self.properties) = (entity, properties)
    }
  }

  /// The names, by the archived classes.
  package var classes: [String: Names]

  package init(classes: [String: Names] = [:]) { self.classes = classes }

  package init(from decoder: any Decoder) throws {
    classes = try decoder.singleValueContainer().decode([String: Names].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(classes)
  }

  /// Adds the names of a later run; those that are known stay.
  package mutating func add(_ later: AssignedNames) {
    for (className, names) in later.classes {
      guard var known = classes[className] else {
        classes[className] = names
        continue
      }
      known.properties.merge(names.properties) { first, _ in first }
      classes[className] = known
    }
  }
}
