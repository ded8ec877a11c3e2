import DataModel
import Foundation
import Mappings

/// A model with its entities, inherited properties and version hashes at hand.
package struct ModelIndex: Sendable {
  /// The model.
  package let model: Model
  /// The version hash of each entity, by name.
  package let hashes: [String: Data]
  private let hierarchy: EntityHierarchy

  /// Looks through a model.
  package init(_ model: Model) {
    self.model = model
    hashes = model.versionHashes()
    hierarchy = EntityHierarchy(model)
  }

  /// The entity of a name, without what it inherits.
  package func entity(_ name: String) -> Entity? {
    hierarchy.index(of: name).map { model.entities[$0] }
  }

  /// The entity of a name, with what it inherits.
  package func wholeEntity(_ name: String) -> Entity? {
    hierarchy.index(of: name).map { hierarchy.withInherited($0, in: model) }
  }

  /// The attribute that an entity has or inherits.
  package func attribute(_ name: String, of entity: String) -> Attribute? {
    hierarchy.index(of: entity).flatMap { hierarchy.attribute(name, of: $0, in: model) }
  }

  /// The relationship that an entity has or inherits.
  package func relationship(_ name: String, of entity: String) -> Relationship? {
    hierarchy.index(of: entity).flatMap { hierarchy.relationship(name, of: $0, in: model) }
  }

  /// True if other entities inherit from one.
  package func hasChildren(_ entity: String) -> Bool {
    hierarchy.index(of: entity).map { hierarchy.hasChildren($0) } ?? false
  }

  /// True if an entity is another or inherits from it.
  package func isKind(_ entity: String, of other: String) -> Bool {
    guard let index = hierarchy.index(of: entity), let other = hierarchy.index(of: other) else {
      return entity == other
    }
    return hierarchy.isKind(index, of: other)
  }

  /// An entity and all that inherit from it.
  package func withDescendants(_ entity: String) -> [String] {
    guard let index = hierarchy.index(of: entity) else { return [] }
    return hierarchy.withDescendants(of: index).map { model.entities[$0].name }
  }

  /// The entity at the root of the hierarchy that one belongs to.
  package func root(of entity: String) -> String {
    let root = hierarchy.index(of: entity).flatMap { hierarchy.ancestors(of: $0).last }
    return root.map { model.entities[$0].name } ?? entity
  }

  /// The entity whose objects a path of relationships leads to; nil if it leads to something else.
  ///
  /// Operators that gather the elements of sets are passed over, since what is gathered are
  /// objects.
  func destination(of steps: [String], from entity: String) -> String? {
    var entity = entity
    for step in steps {
      if step.hasPrefix("@") {
        guard CollectionOperator(rawValue: String(step.dropFirst()))?.gathersElements == true else {
          return nil
        }
      } else {
        guard let next = relationship(step, of: entity)?.destinations.first else { return nil }
        entity = next
      }
    }
    return entity
  }
}

extension CollectionOperator {
  /// True if it gives elements of the collection, rather than a number or one of them.
  var gathersElements: Bool {
    switch self {
    case .unionOfObjects, .distinctUnionOfObjects, .unionOfArrays, .distinctUnionOfArrays,
      .unionOfSets, .distinctUnionOfSets:
      true
    case .count, .sum, .average, .minimum, .maximum: false
    }
  }
}
