import DataModel

// What is known of an entity mapping before it runs.
extension MigrationSummary.EntityMapping {
  init(_ program: MigrationProgram, _ index: Int) {
    let mapping = program.mappings[index]
    name = mapping.info.name
    sourceEntityName = mapping.info.sourceClassNames.first
    destinationEntityName = mapping.info.destination
    policyClassName = mapping.policyClassName
    guard let number = mapping.destinationEntity else { return }
    if let entity = mapping.sourceEntity { unreadProperties = program.unreadProperties(of: entity) }
    let entity = program.destination.entities[number]
    convertedAttributes = zip(entity.keys, mapping.values).compactMap { key, value in
      if case .copy(_, false, _) = value { key } else { nil }
    }
    // Nothing is made of an entity without source objects, but by policies.
    guard mapping.sourceEntity != nil else { return }
    for property in entity.properties where !mapping.filledProperties.contains(property.name) {
      switch property.content {
      case .attribute(let attribute):
        // Core Data computes a derived attribute when it saves the object.
        if attribute.isDerived { continue }
        unfilledProperties.append(property.name)
        if !attribute.isOptional, attribute.initialValue.isNull {
          missingProperties.append(property.name)
        }
      case .relationship(let relationship, let pair, let side):
        if program.isFilled(pair: pair, side: side) { continue }
        unfilledProperties.append(property.name)
        if !relationship.isOptional { missingProperties.append(property.name) }
      }
    }
    unfilledProperties.sort()
    missingProperties.sort()
  }
}

extension MigrationProgram {
  /// The stored properties of a source entity that no expression of its entity mappings reads, sorted;
  /// without relationships whose inverse is read.
  fileprivate func unreadProperties(of entity: Int) -> [String] {
    let whole = sourceHierarchy.withInherited(entity, in: source)
    let read = readKeys { $0 == entity }
    let attributes = whole.storedAttributes.map(\.name)
    let relationships = whole.storedRelationships.filter { relationship in
      guard let inverse = relationship.inverse else { return true }
      let destinations = relationship.destinations.compactMap(sourceHierarchy.number)
      return !readKeys { other in
        destinations.contains {
          sourceHierarchy.isKind(other, of: $0) || sourceHierarchy.isKind($0, of: other)
        }
      }.contains(inverse)
    }.map(\.name)
    return Set(attributes + relationships).subtracting(read).sorted()
  }

  /// The keys that the entity mappings of source entities read.
  private func readKeys(ofEntities isMeant: (Int) -> Bool) -> Set<String> {
    Set(mappings.filter { $0.sourceEntity.map(isMeant) ?? false }.flatMap(\.readKeys))
  }

  /// Whether an entity mapping says where the other side of a relationship leads to.
  fileprivate func isFilled(pair: Int, side: Int) -> Bool {
    mappings.contains { mapping in
      guard let entity = mapping.destinationEntity else { return false }
      return destination.entities[entity].properties.contains { property in
        guard case .relationship(_, pair, let other) = property.content else { return false }
        return other != side && mapping.filledProperties.contains(property.name)
      }
    }
  }
}

extension PlannedMapping {
  /// The keys of the source object that its expressions read.
  fileprivate var readKeys: Set<String> {
    var keys: Set<String> = []
    for value in values {
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
