import CoreDataStores
import DataModel
import GraphCore
import Support

/// What the objects of the destination model have: for each entity its keys in their order, and for
/// each relationship the pair that it is part of.
package struct DestinationSchema: Sendable {
  /// A property of an entity.
  package struct Property: Sendable {
    package var name: String
    package var content: Content
  }

  /// What a property holds.
  package enum Content: Sendable {
    case attribute(Attribute)
    /// A relationship: its pair, and whether it is the first or the second of it.
    case relationship(Relationship, pair: Int, side: Int)
  }

  /// An entity with what it inherits.
  package struct DestinationEntity: Sendable {
    package var name: String
    package var isAbstract: Bool
    package var keys: [String] = []
    /// The attributes by name, then the relationships by name.
    package var properties: [Property] = []
    package var positions: [String: Int] = [:]
  }

  /// A relationship and its inverse.
  package struct Pair: Sendable {
    /// True for each side that leads to several objects.
    package var isToMany: [Bool]
    /// Whether there is an inverse.
    package var hasInverse: Bool
    package var isSymmetric: Bool
  }

  package let model: Model
  package let hierarchy: EntityHierarchy
  package private(set) var entities: [DestinationEntity] = []
  package private(set) var pairs: [Pair] = []

  /// Which relationship it is: the entity that declares it, and its name.
  private struct Declaration: Hashable {
    var entity: Int
    var name: String
  }

  private var knownPairs: [Declaration: (pair: Int, side: Int)] = [:]

  init(_ model: Model) {
    self.model = model
    hierarchy = EntityHierarchy(model)
    for index in model.entities.indices { addEntity(index) }
  }

  private mutating func addEntity(_ index: Int) {
    let lineage = hierarchy.ancestors(of: index)
    var entity = DestinationEntity(
      name: model.entities[index].name, isAbstract: model.entities[index].isAbstract)
    // What a subentity declares again is its own.
    var attributes: [String: Attribute] = [:]
    var relationships: [String: (relationship: Relationship, owner: Int)] = [:]
    for ancestor in lineage.reversed() {
      for attribute in model.entities[ancestor].storedAttributes {
        attributes[attribute.name] = attribute
      }
      for relationship in model.entities[ancestor].storedRelationships {
        relationships[relationship.name] = (relationship, ancestor)
      }
    }
    for (name, attribute) in attributes.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      entity.properties.append(Property(name: name, content: .attribute(attribute)))
    }
    for (name, found) in relationships.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      let (pair, side) = pair(of: found.relationship, found.owner)
      entity.properties.append(
        Property(
          name: name, content: .relationship(found.relationship, pair: pair, side: side)))
    }
    entity.keys = entity.properties.map(\.name)
    entity.positions = Dictionary(
      entity.keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    entities.append(entity)
  }

  private mutating func pair(
    of relationship: Relationship, _ owner: Int
  ) -> (pair: Int, side: Int) {
    let declaration = Declaration(entity: owner, name: relationship.name)
    if let known = knownPairs[declaration] { return known }
    let inverse = inverse(of: relationship)
    let isSymmetric = inverse.map { $0 == declaration } ?? false
    let back = inverse.flatMap { inverse in
      model.entities[inverse.entity].relationships.first { $0.name == inverse.name }
    }
    pairs.append(
      Pair(
        isToMany: [relationship.isToMany, back?.isToMany ?? true],
        hasInverse: inverse != nil, isSymmetric: isSymmetric))
    knownPairs[declaration] = (pairs.count - 1, 0)
    if let inverse, !isSymmetric, knownPairs[inverse] == nil {
      knownPairs[inverse] = (pairs.count - 1, 1)
    }
    return (pairs.count - 1, 0)
  }

  private func inverse(of relationship: Relationship) -> Declaration? {
    guard let destination = relationship.destinations.first.flatMap(hierarchy.index),
      let found = hierarchy.inverse(of: relationship, at: destination, in: model)
    else { return nil }
    let owner = hierarchy.ancestors(of: destination).first {
      model.entities[$0].relationships.contains(found)
    }
    return owner.map { Declaration(entity: $0, name: found.name) }
  }
}
