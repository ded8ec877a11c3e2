import DataModel
import Support

/// A difference between two versions of a model that are said to be one.
package struct ModelDifference: Sendable, Hashable {
  /// The entity that differs, or that only one of them has.
  package let entity: String
  /// The property that differs, or that only one of them has; nil if the entity itself does.
  package let property: String?

  /// The differences that version hashes tell of, by entity and property, sorted by name.
  ///
  /// An entity that differs only through what it inherits is left out.
  package static func all(_ first: Model, _ second: Model) -> [ModelDifference] {
    let (own, other) = (first.versionHashes(), second.versionHashes())
    let names = Set(own.keys).union(other.keys).filter { own[$0] != other[$0] }
    return names.sorted { $0.precedesInBytes($1) }.flatMap { name in
      differences(
        first.entities.first { $0.name == name }, second.entities.first { $0.name == name }, name)
    }
  }

  /// A difference of a whole entity, or of one of its properties.
  package init(entity: String, property: String?) {
    self.entity = entity
    self.property = property
  }

  private static func differences(
    _ first: Entity?, _ second: Entity?, _ name: String
  ) -> [ModelDifference] {
    guard let first, let second else { return [ModelDifference(entity: name, property: nil)] }
    let own = properties(of: first)
    let other = properties(of: second)
    let names = Set(own.keys).union(other.keys).filter { own[$0] != other[$0] }
    var differences = names.sorted { $0.precedesInBytes($1) }.map {
      ModelDifference(entity: name, property: $0)
    }
    if first.isAbstract != second.isAbstract || first.parent != second.parent
      || first.versionHashModifier != second.versionHashModifier
      || first.uniquenessConstraints != second.uniquenessConstraints
    {
      differences.insert(ModelDifference(entity: name, property: nil), at: 0)
    }
    return differences
  }

  /// The values of each of an entity's own properties that count for its version hash.
  private static func properties(of entity: Entity) -> [String: [String?]] {
    var properties: [String: [String?]] = [:]
    for attribute in entity.attributes where !attribute.isTransient {
      properties[attribute.name] = [
        attribute.type.rawValue, "\(attribute.isOptional)",
        "\(attribute.allowsExternalBinaryDataStorage)", "\(attribute.preservesAfterDeletion)",
        attribute.versionHashModifier,
      ]
    }
    for relationship in entity.relationships where !relationship.isTransient {
      properties[relationship.name] = [
        relationship.destinations.first, relationship.inverse, "\(relationship.isOptional)",
        "\(relationship.minimumCount)", "\(relationship.maximumCount)",
        "\(relationship.isOrdered)", relationship.versionHashModifier,
      ]
    }
    return properties
  }
}

extension ModelDifference: CustomStringConvertible {
  /// The entity, or the property: `Car.seats`.
  package var description: String { property.map { "\(entity).\($0)" } ?? entity }
}
