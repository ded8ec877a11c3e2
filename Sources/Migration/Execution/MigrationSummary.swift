import DataModel

/// What a migration came to: objects in and out of each entity mapping, and what was left behind.
package struct MigrationSummary: Sendable, Hashable {
  /// What an entity mapping came to.
  package struct EntityMapping: Sendable, Hashable {
    /// Its name.
    package var name: String
    /// The entity of the old model; nil if there is none.
    package var sourceEntityName: String?
    /// The entity of the new model; nil if the objects were left behind.
    package var destinationEntityName: String?
    /// The class of its policy, if it has one.
    package var policyClassName: String?
    /// How many source objects it was given.
    package var sourceObjects = 0
    /// How many destination objects stand for them.
    package var destinationObjects = 0
    /// How many of the source objects its policy made nothing of.
    package var droppedObjects = 0
    /// The stored properties of the source entity that no expression of the entity mapping reads,
    /// sorted by name; a policy may read them all the same.
    package var unreadProperties: [String] = []
    /// The attributes that are copied from one of another type, sorted by name: numbers may have been
    /// rounded.
    package var convertedAttributes: [String] = []
  }

  /// The entity mappings, in the order of the mapping model.
  package var entityMappings: [EntityMapping]
  /// How many source objects no entity mapping was given, by entity.
  package private(set) var unmigratedObjects: [String: Int] = [:]
  /// How many objects policies made that stand for no source object.
  package var otherObjects = 0
  /// How many links were replaced, since two objects had one that leads to one object alone.
  package var replacedLinks = 0

  init(_ program: MigrationProgram) {
    entityMappings = program.mappings.map { mapping in
      var entry = EntityMapping(
        name: mapping.info.name, sourceEntityName: mapping.info.sourceClassNames.first,
        destinationEntityName: mapping.info.destination,
        policyClassName: mapping.policyClassName)
      if let entity = mapping.sourceEntity {
        let whole = program.sourceHierarchy.withInherited(entity, in: program.source)
        let names = whole.storedAttributes.map(\.name) + whole.storedRelationships.map(\.name)
        entry.unreadProperties = Set(names).subtracting(mapping.readKeys).sorted()
      }
      if let entity = mapping.destinationEntity {
        entry.convertedAttributes = zip(program.destination.entities[entity].keys, mapping.values)
          .compactMap { key, value in
            if case .copy(_, false, _) = value { key } else { nil }
          }
      }
      return entry
    }
  }

  mutating func countUnmigrated(_ entity: String) { unmigratedObjects[entity, default: 0] += 1 }
}

extension PlannedMapping {
  /// The keys of the source object that its expressions read.
  fileprivate var readKeys: Set<String> {
    var keys: Set<String> = []
    for value in values {
      switch value {
      case .copy(let key, _, _): keys.insert(key)
      case .computed(let expression), .stored(let expression), .objects(let expression):
        keys.formUnion(expression.keyPaths.compactMap(\.first))
      case .links(let links):
        switch links.sources {
        case .relationship(let key): keys.insert(key)
        case .expression(let expression):
          keys.formUnion(expression.keyPaths.compactMap(\.first))
        case .itself: break
        }
      case .none, .constant: break
      }
    }
    return keys
  }
}
