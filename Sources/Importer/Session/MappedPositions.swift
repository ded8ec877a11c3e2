/// The positions, among the keys of a shape, of those that an entity mapping reads.
struct MappedPositions {
  /// For each attribute, collection and relationship of the mapping, in its order; nil where the
  /// shape does not have the key, or the source is no key.
  let attributes: [Int?]
  let collections: [Int?]
  let relationships: [Int?]
  /// The keys that hold rows or collections of them, in the order of the shape.
  let leading: [Int]

  init(_ plan: ImportPlan.EntityPlan, _ keys: [String]) {
    let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
    attributes = plan.attributes.map { $0.source.key.flatMap { places[$0] } }
    collections = plan.collections.map { places[$0.key] }
    relationships = plan.relationships.map { relationship in
      relationship.split == nil ? relationship.source.key.flatMap { places[$0] } : nil
    }
    leading = Set((collections + relationships).compactMap(\.self)).sorted()
  }
}
