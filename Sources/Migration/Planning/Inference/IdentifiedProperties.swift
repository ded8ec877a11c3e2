import DataModel

extension MappingInference {
  /// The stored properties of an entity, inherited ones included, by renaming identifier.
  struct IdentifiedProperties {
    private(set) var attributes: [String: Attribute] = [:]
    private(set) var relationships: [String: Relationship] = [:]
    /// The name of each property by its identifier.
    private(set) var names: [String: String] = [:]
    /// Pairs of properties that share an identifier; the first of each is left out.
    private(set) var shared: [(name: String, other: String)] = []

    /// Sorts the properties of an entity that has all that it inherits.
    init(of entity: Entity) {
      // A property that is declared again in a subentity is the same one.
      var seen: Set<String> = []
      for attribute in entity.attributes where attribute.isStored {
        guard seen.insert(attribute.name).inserted else { continue }
        let identifier = attribute.renamingIdentifier ?? attribute.name
        if add(identifier, attribute.name) { attributes[identifier] = attribute }
      }
      for relationship in entity.relationships where !relationship.isTransient {
        guard seen.insert(relationship.name).inserted else { continue }
        let identifier = relationship.renamingIdentifier ?? relationship.name
        if add(identifier, relationship.name) { relationships[identifier] = relationship }
      }
    }

    /// The properties of all entities of a model, by entity.
    static func all(in index: ModelIndex) -> [String: IdentifiedProperties] {
      var all: [String: IdentifiedProperties] = [:]
      for entity in index.model.entities {
        all[entity.name] = IdentifiedProperties(of: index.wholeEntity(entity.name) ?? entity)
      }
      return all
    }

    /// Takes down a name; returns false if another property has the identifier.
    private mutating func add(_ identifier: String, _ name: String) -> Bool {
      if let other = names[identifier] {
        shared.append((name, other))
        return false
      }
      names[identifier] = name
      return true
    }
  }
}

extension Entity {
  /// By what it is found again in another version of the model.
  var identifier: String { renamingIdentifier ?? name }
}
