import Stores
import Support

/// A relationship as the engine handles it: where it is kept and what leads back.
package struct StoredRelationship: Sendable {
  var name: String
  /// The entity that declares it, and that entity's table.
  var entity: Int
  package var table: Int
  package var isToMany: Bool
  package var isOrdered: Bool
  /// The entities that it may lead to.
  package var destinations: [Int]
  /// The relationship that leads back, by its index.
  package var inverse: Int?
  /// True if it decides where the two sides disagree.
  ///
  /// A to-many relationship does before a to-one one, else the one that stands first in the model.
  package var isOwning = true
  /// To-one: its columns in the entity's table.
  package var reference: Int?
  package var referenceType: Int?
  /// To-many with a to-one inverse: the column of the members' table with their position.
  package var memberPosition: Int?
  /// To-many in a table of its own, or in that of its inverse.
  package var elements: Int?
  /// True if that table is the inverse's.
  package var isInverseTable = false
  /// To-many: the column that tells an empty collection from none.
  package var count: Int?
  var deleteRule: Relationship.DeleteRule

  /// The suffix to the name of the second of two relationships of one name.
  package static let secondSuffix = "\0"

  /// Finds all relationships that are stored, with their indices by entity and name.
  package static func all(
    of model: Model, _ layout: RelationalLayout, _ hierarchy: EntityHierarchy
  ) -> (relationships: [StoredRelationship], indices: [[String: Int]]) {
    var relationships: [StoredRelationship] = []
    var indices = model.entities.map { _ in [String: Int]() }
    for entity in hierarchy.parentsFirst {
      if let parent = hierarchy.parents[entity] { indices[entity] = indices[parent] }
      for relationship in model.entities[entity].relationships where !relationship.isTransient {
        guard let storage = layout.entities[entity].properties[relationship.name] else { continue }
        // What found no room in its table has no columns of its own.
        guard relationship.isToMany || storage.reference != nil else { continue }
        // A key can lead to one row in some objects and to several in others: then there are two
        // relationships of one name, of which the second is not asked for by name.
        let isSecond = indices[entity][relationship.name] != nil
        indices[entity][relationship.name + (isSecond ? secondSuffix : "")] = relationships.count
        relationships.append(
          StoredRelationship(
            name: relationship.name, entity: entity, table: layout.entities[entity].table,
            isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
            destinations: relationship.destinations.compactMap { hierarchy.index(of: $0) },
            reference: relationship.isToMany ? nil : storage.reference,
            referenceType: relationship.isToMany ? nil : storage.referenceType,
            memberPosition: relationship.isToMany ? storage.members?.position : nil,
            elements: relationship.isToMany ? storage.elements ?? storage.inverseElements : nil,
            isInverseTable: relationship.isToMany && storage.inverseElements != nil,
            count: relationship.isToMany ? storage.count : nil, deleteRule: relationship.deleteRule)
        )
      }
    }
    for (index, stored) in relationships.enumerated() {
      guard let inverse = stored.declaration(in: model)?.inverse,
        let destination = stored.destinations.first,
        let other = [inverse, inverse + secondSuffix].compactMap({ indices[destination][$0] })
          .preferred(where: { relationships[$0].declaration(in: model)?.inverse == stored.name })
      else { continue }
      relationships[index].inverse = other
      relationships[index].isOwning =
        stored.isToMany != relationships[other].isToMany
        ? stored.isToMany : (stored.entity, index) <= (relationships[other].entity, other)
    }
    return (relationships, indices)
  }

  /// True if the members of a collection have places: those of a set only if an inverse asks which
  /// of them are there.
  func hasPlaces(_ keepsOrder: Bool) -> Bool { isOrdered && (keepsOrder || inverse != nil) }

  /// True if a column counts its members, and not the elements of a collection of its name as well.
  package func countsMembers(in model: Model) -> Bool {
    count != nil && !model.entities[entity].collections.contains { $0.name == name }
  }

  /// Its declaration in the model; nil if there is none.
  func declaration(in model: Model) -> Relationship? {
    model.entities[entity].relationships.first { $0.name == name && $0.isToMany == isToMany }
  }
}
