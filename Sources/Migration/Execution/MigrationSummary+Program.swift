import DataModel

extension MigrationSummary {
  /// Takes note of what is read, converted and set by entity mappings and their policies.
  mutating func note(_ uses: StoreMigrationEngine.PolicyUses, _ program: MigrationProgram) {
    for index in entityMappings.indices { entityMappings[index].note(uses, program, index) }
  }
}

extension MigrationSummary.EntityMapping {
  init(_ mapping: PlannedMapping) {
    name = mapping.info.name
    sourceEntityName = mapping.info.sourceClassNames.first
    destinationEntityName = mapping.info.destination
    policyClassName = mapping.policyClassName
  }

  fileprivate mutating func note(
    _ uses: StoreMigrationEngine.PolicyUses, _ program: MigrationProgram, _ index: Int
  ) {
    let mapping = program.mappings[index]
    guard let entityIndex = mapping.destinationEntity else { return }
    if let entity = mapping.sourceEntity {
      unreadProperties = program.unreadProperties(of: entity, uses)
    }
    let entity = program.destination.entities[entityIndex]
    if uses.followsAttributes(of: mapping) {
      convertedAttributes = zip(entity.keys, mapping.values).compactMap { key, value in
        if case .copy(_, false, _) = value { key } else { nil }
      }
    }
    let declared = mapping.declared?.attributes.filter(\.isConverted) ?? []
    convertedAttributes = (convertedAttributes + declared.map(\.attribute.name)).sorted()
    // Nothing is made of an entity without source objects, but by policies.
    guard mapping.sourceEntity != nil else { return }
    let filled = program.filledProperties(of: mapping, entityIndex, uses)
    for property in entity.properties where !filled.contains(property.name) {
      switch property.content {
      case .attribute(let attribute):
        // Core Data computes a derived attribute when it saves the object.
        if attribute.isDerived { continue }
        unfilledProperties.append(property.name)
        if !attribute.isOptional, attribute.initialValue.isNull {
          missingProperties.append(property.name)
        }
      case .relationship(let relationship, let pair, let side):
        if program.isFilled(pair: pair, side: side, uses) { continue }
        unfilledProperties.append(property.name)
        if !relationship.isOptional { missingProperties.append(property.name) }
      }
    }
    unfilledProperties.sort()
    missingProperties.sort()
  }
}

extension StoreMigrationEngine.PolicyUses {
  /// Whether objects of an entity mapping have the attributes that the mapping model says.
  fileprivate func followsAttributes(of mapping: PlannedMapping) -> Bool {
    !mapping.isEager || attributes.contains(mapping.info.index)
  }

  /// Whether they have the relationships that it says.
  fileprivate func followsRelationships(of mapping: PlannedMapping) -> Bool {
    !mapping.isEager || relationships.contains(mapping.info.index)
  }
}

extension MigrationProgram {
  /// The stored properties of a source entity that neither an expression of its entity mappings nor
  /// a policy reads, sorted; without relationships whose inverse is read.
  fileprivate func unreadProperties(of entity: Int, _ uses: StoreMigrationEngine.PolicyUses)
    -> [String]
  {
    let whole = sourceHierarchy.withInherited(entity, in: source)
    let read = readKeys(uses) { $0 == entity }
    let attributes = whole.storedAttributes.map(\.name)
    let relationships = whole.storedRelationships.filter { relationship in
      guard let inverse = relationship.inverse else { return true }
      let destinations = relationship.destinations.compactMap(sourceHierarchy.index)
      return !readKeys(uses) { other in
        destinations.contains {
          sourceHierarchy.isKind(other, of: $0) || sourceHierarchy.isKind($0, of: other)
        }
      }.contains(inverse)
    }.map(\.name)
    return Set(attributes + relationships).subtracting(read).sorted()
  }

  /// The keys of source entities that their entity mappings read, or a policy.
  private func readKeys(_ uses: StoreMigrationEngine.PolicyUses, ofEntities isMeant: (Int) -> Bool)
    -> Set<String>
  {
    var keys: Set<String> = []
    for mapping in mappings where mapping.sourceEntity.map(isMeant) ?? false {
      keys.formUnion(
        mapping.readKeys(
          attributes: uses.followsAttributes(of: mapping),
          relationships: uses.followsRelationships(of: mapping)))
    }
    for (entityIndex, entity) in source.entities.enumerated() where isMeant(entityIndex) {
      keys.formUnion(uses.readKeys[entity.name] ?? [])
    }
    return keys
  }

  /// The properties that an entity mapping gives a value, or a policy objects of its entity.
  fileprivate func filledProperties(
    of mapping: PlannedMapping, _ entity: Int, _ uses: StoreMigrationEngine.PolicyUses
  ) -> Set<String> {
    var filled = uses.filledProperties[entity] ?? []
    for property in destination.entities[entity].properties
    where mapping.filledProperties.contains(property.name) {
      let isFollowed =
        switch property.content {
        case .attribute: uses.followsAttributes(of: mapping)
        case .relationship: uses.followsRelationships(of: mapping)
        }
      if isFollowed { filled.insert(property.name) }
    }
    return filled
  }

  /// Whether something says where the other side of a relationship leads to.
  fileprivate func isFilled(pair: Int, side: Int, _ uses: StoreMigrationEngine.PolicyUses) -> Bool {
    func isOtherSide(_ property: DestinationSchema.Property) -> Bool {
      guard case .relationship(_, pair, let other) = property.content else { return false }
      return other != side
    }
    func isFilled(_ entity: Int, _ filled: Set<String>) -> Bool {
      destination.entities[entity].properties.contains {
        isOtherSide($0) && filled.contains($0.name)
      }
    }
    return uses.filledProperties.contains { isFilled($0.key, $0.value) }
      || mappings.contains { mapping in
        mapping.destinationEntity.map {
          isFilled($0, filledProperties(of: mapping, $0, uses))
        } ?? false
      }
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
