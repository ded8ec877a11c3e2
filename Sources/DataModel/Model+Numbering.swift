import Support

extension Model {
  /// An entity and its number in a Core Data store.
  public struct NumberedEntity: Sendable, Equatable {
    /// The number: `Z_ENT` of its rows.
    public var number: Int
    /// The entity.
    public var entity: Entity

    /// Creates a numbered entity.
    public init(number: Int, entity: Entity) {
      self.number = number
      self.entity = entity
    }
  }

  /// The entities with the numbers that Core Data gives them, in their order.
  ///
  /// Roots are sorted by name without regard to case; each is followed at once by its subentities,
  /// sorted in the same way, and theirs. The first number is 1; abstract entities have one too.
  /// An entity whose parent the model does not have counts as a root. Entities that inherit from
  /// themselves have no number: a model that was read from a file has none of them.
  public var numberedEntities: [NumberedEntity] { numberedEntities(inOrderOf: [:]) }

  /// The entities in the order in which a store has numbered them, counted from 1.
  ///
  /// - Parameter storeNumbers: The numbers that the store has for entities, by name; among
  ///   subentities of one entity, or roots, those without a number follow in Core Data's order.
  /// - Returns: The entities, parents before their subentities.
  package func numberedEntities(inOrderOf storeNumbers: [String: Int]) -> [NumberedEntity] {
    let names = Set(entities.map(\.name))
    // Sorted backwards, as the entities are taken from the end.
    let backwards = entities.map {
      (number: storeNumbers[$0.name] ?? .max, key: $0.name.lowercased(), entity: $0)
    }.sorted { one, other in
      if one.number != other.number { return one.number > other.number }
      return one.key == other.key
        ? other.entity.name.precedesInBytes(one.entity.name)
        : other.key.precedesInBytes(one.key)
    }.map(\.entity)
    var subentities: [String: [Entity]] = [:]
    var waiting: [Entity] = []
    for entity in backwards {
      if let parent = entity.parent, names.contains(parent) {
        subentities[parent, default: []].append(entity)
      } else {
        waiting.append(entity)
      }
    }
    var numbered: [NumberedEntity] = []
    while let entity = waiting.popLast() {
      numbered.append(NumberedEntity(number: numbered.count + 1, entity: entity))
      // Taken out, so that a name that occurs twice does not bring its subentities twice.
      waiting += subentities.removeValue(forKey: entity.name) ?? []
    }
    return numbered
  }
}
