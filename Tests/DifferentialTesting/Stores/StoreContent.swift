import DataModel

/// The objects of a Core Data store, and their model: what the oracles go by.
struct StoreContent: Sendable {
  var model: Model
  var objects: [StoredObject] = []
  /// The relationships, by their first names, that lead elsewhere than at first.
  var redirected: Set<String> = []

  /// The attribute that tells objects apart: each hierarchy has it.
  static let tag = "tag"

  private var hierarchy: EntityHierarchy { EntityHierarchy(model) }

  /// An entity with what it inherits.
  func whole(_ entity: String) -> Entity {
    let hierarchy = hierarchy
    return hierarchy.index(of: entity).map { hierarchy.withInherited($0, in: model) }
      ?? Entity(name: entity)
  }

  /// An entity and those that it inherits from, the root last.
  func ancestors(of entity: String) -> [Entity] {
    let hierarchy = hierarchy
    return hierarchy.index(of: entity).map { hierarchy.ancestors(of: $0) }?
      .map { model.entities[$0] } ?? []
  }

  func root(of entity: String) -> String { ancestors(of: entity).last?.name ?? entity }

  func isKind(_ entity: String, of other: String) -> Bool {
    ancestors(of: entity).contains { $0.name == other }
  }

  func hasChildren(_ entity: String) -> Bool { model.entities.contains { $0.parent == entity } }

  /// The objects of an entity and its subentities.
  func objects(of entity: String) -> [Int] {
    objects.indices.filter { isKind(objects[$0].entity, of: entity) }
  }

  /// The entities that may have objects, and whose kind another is.
  func concrete(kindOf entity: String? = nil) -> [String] {
    model.entities.filter { $0.isAbstract == false }.map(\.name)
      .filter { name in entity.map { isKind(name, of: $0) } ?? true }
  }

  /// What leads back.
  func inverse(of relationship: Relationship) -> Relationship? {
    whole(relationship.destinations[0]).relationships.first { $0.name == relationship.inverse }
  }

  mutating func link(_ one: Int, _ relationship: Relationship, to other: Int) {
    objects[one].links[relationship.name, default: []].append(other)
    if let inverse = relationship.inverse {
      objects[other].links[inverse, default: []].append(one)
    }
  }
}

/// An object of a store.
struct StoredObject: Sendable {
  var entity: String
  /// Its attributes, but for those that are nil; of a transformable one, what is archived in it.
  var values: [String: Leaf] = [:]
  /// The objects that each relationship leads to, by their numbers; both sides agree.
  var links: [String: [Int]] = [:]
  /// Attributes of which nothing is predicted.
  var unpredicted: Set<String> = []
  /// Whether it may be missing from what is made of the store.
  var mayBeMissing = false

  var tag: String {
    if case .text(let tag)? = values[StoreContent.tag] { tag } else { "" }
  }
}

/// The kinds of Core Data stores.
enum StoreForm: String, Sendable, CaseIterable {
  case sqlite = "SQLite"
  case xml = "XML"
  case binary
}
