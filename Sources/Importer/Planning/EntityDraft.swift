extension PlanCompiler {
  /// An entity mapping on its way to a plan.
  struct EntityDraft {
    var mapping: EntityMapping
    var sources: [String]
    private(set) var attributes: [AttributeMapping] = []
    private(set) var relationships: [RelationshipMapping] = []
    private(set) var collections: [CollectionMapping] = []
    /// The properties that there are, with the keys that they come from.
    private var known: Set<Use> = []

    init(mapping: EntityMapping, sources: [String]) {
      self.mapping = mapping
      self.sources = sources
    }

    var entity: String { mapping.entity.value }

    /// The source of a property.
    private enum Use: Hashable {
      case attribute(String, key: String)
      case relationship(String, key: String, isToMany: Bool?)
      case collection(String)
    }

    mutating func add(_ attribute: AttributeMapping) {
      attributes.append(attribute)
      guard let key = attribute.source.value.key else { return }
      known.insert(.attribute(attribute.name.value, key: key))
    }

    mutating func add(_ relationship: RelationshipMapping) {
      relationships.append(relationship)
      guard let key = relationship.source.value.key else { return }
      known.insert(
        .relationship(
          relationship.name.value, key: key, isToMany: relationship.isToMany))
    }

    mutating func add(_ collection: CollectionMapping) {
      collections.append(collection)
      known.insert(.collection(collection.name.value))
    }

    /// Adds an attribute, unless it is there.
    mutating func add(_ name: String, from key: String) {
      guard !known.contains(.attribute(name, key: key)) else { return }
      add(AttributeMapping(name: Marked(name), source: Marked(.keyPath([key]))))
    }

    /// Adds a relationship, unless it is there.
    mutating func addRelationship(_ name: String, from key: String, isToMany: Bool) {
      guard !known.contains(.relationship(name, key: key, isToMany: isToMany)) else { return }
      var mapping = RelationshipMapping(name: Marked(name), source: Marked(.keyPath([key])))
      mapping.isToMany = isToMany
      add(mapping)
    }

    /// Adds a collection, unless there is one of its name.
    mutating func addCollection(_ name: String, from key: String) {
      guard !known.contains(.collection(name)) else { return }
      add(CollectionMapping(name: Marked(name), key: Marked(key)))
    }
  }
}
