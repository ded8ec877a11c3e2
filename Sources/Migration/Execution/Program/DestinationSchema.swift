import CoreDataStores
import DataModel
import GraphCore
import Support

/// What the objects of the destination model have: for each entity its keys in their order, and for
/// each relationship the pair that it is part of.
struct DestinationSchema: Sendable {
  /// A property of an entity.
  struct Property: Sendable {
    var name: String
    var content: Content
  }

  /// What a property holds.
  enum Content: Sendable {
    case attribute(Attribute)
    /// A relationship: its pair, and whether it is the first or the second of it.
    case relationship(Relationship, pair: Int, side: Int)
  }

  /// An entity with what it inherits.
  struct DestinationEntity: Sendable {
    var record: ClassRecord
    var isAbstract: Bool
    var keys: [String] = []
    /// The attributes by name, then the relationships by name.
    var properties: [Property] = []
    var positions: [String: Int] = [:]
    /// How many of them are attributes.
    var attributeCount = 0
    /// The types of the attributes.
    var attributeTypes: [AttributeType] = []
  }

  /// A relationship and its inverse.
  struct Pair: Sendable {
    var sides: [LinkTable.Side]
    /// Whether there is an inverse.
    var hasInverse: Bool
    var isSymmetric: Bool
  }

  let model: Model
  let hierarchy: EntityHierarchy
  private(set) var entities: [DestinationEntity] = []
  private(set) var pairs: [Pair] = []
  /// How many relationships an entity has at most, but at least one.
  private(set) var stride = 1

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
    stride = max(1, entities.map { $0.keys.count - $0.attributeCount }.max() ?? 1)
  }

  private mutating func addEntity(_ index: Int) {
    let lineage = hierarchy.ancestors(of: index)
    let names = lineage.map { model.entities[$0].name } + ["NSManagedObject"]
    var entity = DestinationEntity(
      record: ClassRecord(name: model.entities[index].name, hierarchy: names, hints: []),
      isAbstract: model.entities[index].isAbstract)
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
      entity.attributeTypes.append(attribute.type)
    }
    entity.attributeCount = entity.properties.count
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
        sides: [
          LinkTable.Side(isToMany: relationship.isToMany, isOrdered: relationship.isOrdered),
          LinkTable.Side(
            isToMany: back?.isToMany ?? true, isOrdered: back?.isOrdered ?? false),
        ], hasInverse: inverse != nil, isSymmetric: isSymmetric))
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
