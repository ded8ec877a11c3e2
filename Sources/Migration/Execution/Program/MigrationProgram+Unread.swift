import DataModel
import Mappings

// Which properties of source objects nothing reads.
extension MigrationProgram {
  /// The stored properties of the source objects of an entity mapping that nothing reads, sorted:
  /// those of its source entity, and of subentities without an entity mapping of their own.
  ///
  /// What reads them are its own expressions, those of entity mappings without a filter, and
  /// policies. Relationships whose inverse leads to what the objects have become are left out.
  func unreadProperties(
    of index: Int, _ uses: PolicyUses
  ) -> [String] {
    guard let entity = mappings[index].sourceEntity else { return [] }
    let readers = mappings.indices.filter {
      mappings[$0].sourceEntity == entity && ($0 == index || mappings[$0].filter == nil)
    }
    let read = readers.reduce(into: Set<String>()) { $0.formUnion(readKeys(of: $1, uses)) }
    let unread = ([entity] + subentities(migratedBy: index)).flatMap { entity in
      unreadProperties(ofEntity: entity, uses)
    }
    return Set(unread).subtracting(read).sorted()
  }

  /// The unread properties of the source objects of an entity mapping that only some of them have,
  /// or that others read of some of them: with each, the entity mappings with a filter that do.
  func partlyUnreadProperties(
    among unread: [String], of index: Int, _ uses: PolicyUses
  ) -> [String: [Int]] {
    let own = mappings[index].sourceEntity.map { entity in
      let whole = sourceHierarchy.withInherited(entity, in: source)
      return Set(whole.storedAttributes.map(\.name) + whole.storedRelationships.map(\.name))
    }
    let found = unread.map { ($0, partialReaders(of: $0, besides: index, uses)) }
    return Dictionary(
      uniqueKeysWithValues: found.filter { !$0.1.isEmpty || own?.contains($0.0) == false })
  }

  /// The stored properties of an entity that no policy reads, and no relationship from behind.
  private func unreadProperties(
    ofEntity entity: Int, _ uses: PolicyUses
  ) -> Set<String> {
    let whole = sourceHierarchy.withInherited(entity, in: source)
    let relationships = whole.storedRelationships.filter { !isReadFromBehind($0, uses) }
    return Set(whole.storedAttributes.map(\.name) + relationships.map(\.name))
      .subtracting(uses.readKeys[source.entities[entity].name] ?? [])
  }

  /// The entities below that of an entity mapping whose objects it migrates.
  private func subentities(migratedBy index: Int) -> [Int] {
    source.entities.indices.filter {
      $0 != mappings[index].sourceEntity && mappingsOfEntity[$0].contains(index)
    }
  }

  /// The entity mappings with a filter that read a property of some objects that another is given.
  private func partialReaders(
    of key: String, besides index: Int, _ uses: PolicyUses
  ) -> [Int] {
    mappings.indices.filter {
      $0 != index && mappings[$0].sourceEntity == mappings[index].sourceEntity
        && mappings[$0].filter != nil && readKeys(of: $0, uses).contains(key)
    }
  }

  /// Whether what a relationship leads to has one that leads back, from which links are made.
  private func isReadFromBehind(
    _ relationship: Relationship, _ uses: PolicyUses
  ) -> Bool {
    guard let inverse = relationship.inverse else { return false }
    let destinations = relationship.destinations.compactMap(sourceHierarchy.index)
    func isMeant(_ entity: Int) -> Bool {
      destinations.contains {
        sourceHierarchy.isKind(entity, of: $0) || sourceHierarchy.isKind($0, of: entity)
      }
    }
    let isReadByPolicy = source.entities.enumerated().contains { index, entity in
      isMeant(index) && uses.readKeys[entity.name]?.contains(inverse) ?? false
    }
    return isReadByPolicy
      || mappings.contains { mapping in
        mapping.sourceEntity.map(isMeant) ?? false && uses.followsRelationships(of: mapping)
          && mapping.readKeys(attributes: false, relationships: true).contains(inverse)
      }
  }

  private func readKeys(of index: Int, _ uses: PolicyUses) -> Set<String> {
    mappings[index].readKeys(
      attributes: uses.followsAttributes(of: mappings[index]),
      relationships: uses.followsRelationships(of: mappings[index]))
  }
}

extension PlannedMapping {
  /// The keys of the source object that its expressions read: those of attributes, of
  /// relationships, or both.
  fileprivate func readKeys(attributes: Bool, relationships: Bool) -> Set<String> {
    var keys: Set<String> = []
    for value in values {
      guard value.isOfRelationship ? relationships : attributes else { continue }
      switch value {
      case .copy(let key, _, _): keys.insert(key)
      case .links(let links):
        if case .relationship(let key) = links.sources { keys.insert(key) }
      case .none, .constant, .computed, .stored, .objects: break
      }
      keys.formUnion(value.expression?.keyPaths.compactMap(\.first) ?? [])
    }
    return keys
  }
}
