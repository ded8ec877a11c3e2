import DataModel
import GraphCore
import Support

/// The properties of each entity of a model, in the order in which they are read and kept.
struct AtomicSchema: Sendable {
  /// An entity with all that it inherits.
  struct Entity: Sendable {
    let name: String
    /// The entity, its superentities, and what all of them are objects of.
    let hierarchy: [String]
    /// The stored attributes, sorted by name.
    let attributes: [Attribute]
    /// The stored relationships, sorted by name.
    let relationships: [Relationship]
    /// The keys of its objects: the names of attributes, then those of relationships.
    let keys: [String]
    /// The places of the attributes in the order of a binary store: those of the topmost
    /// superentity first, those of each level sorted by name.
    let attributesByLevel: [Int]
    /// The places of the entity and its superentities.
    let ancestors: Set<Int>
    /// For each relationship the places of the entities whose objects it may hold; none for any.
    let destinations: [[Int]]
  }

  /// The entities in the order of their numbers, which begin with 1.
  let entities: [Entity]
  private let places: [String: Int]

  /// The superclass of all entities.
  private static let rootClass = "NSManagedObject"

  init(_ model: Model) {
    let numbered = model.numberedEntities.map(\.entity)
    let places = Dictionary(
      numbered.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    // For each entity the places of its superentities and itself, the topmost first.
    var chains: [[Int]] = []
    for (place, entity) in numbered.enumerated() {
      let parent = entity.parent.flatMap { places[$0] }.flatMap { $0 < place ? $0 : nil }
      chains.append((parent.map { chains[$0] } ?? []) + [place])
    }
    entities = zip(numbered, chains).map { entity, chain in
      Self.entity(entity.name, levels: chain.map { numbered[$0] }, chain, places)
    }
    self.places = places
  }

  /// The place of the entity with a name.
  func place(of name: String) -> Int? { places[name] }

  private static func entity(
    _ name: String, levels: [DataModel.Entity], _ chain: [Int], _ places: [String: Int]
  ) -> Entity {
    var byLevel: [Attribute] = []
    var relationships: [Relationship] = []
    // A property may be declared again by a subentity: it stands where it was declared first.
    var names: Set<String> = []
    for level in levels {
      byLevel += level.attributes.filter { $0.isStored && names.insert($0.name).inserted }
        .sorted { $0.name.precedesInBytes($1.name) }
      relationships += level.relationships.filter {
        !$0.isTransient && names.insert($0.name).inserted
      }
    }
    let order = byLevel.indices.sorted { byLevel[$0].name.precedesInBytes(byLevel[$1].name) }
    var attributesByLevel = Array(repeating: 0, count: order.count)
    for (place, level) in order.enumerated() { attributesByLevel[level] = place }
    relationships.sort { $0.name.precedesInBytes($1.name) }
    let attributes = order.map { byLevel[$0] }
    return Entity(
      name: name, hierarchy: levels.reversed().map(\.name) + [rootClass], attributes: attributes,
      relationships: relationships, keys: attributes.map(\.name) + relationships.map(\.name),
      attributesByLevel: attributesByLevel, ancestors: Set(chain),
      destinations: relationships.map { $0.destinations.compactMap { places[$0] } })
  }
}
