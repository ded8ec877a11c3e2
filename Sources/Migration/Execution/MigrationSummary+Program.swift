import DataModel
import Mappings

extension MigrationSummary {
  /// Takes note of what is read, converted and set by entity mappings and their policies.
  package mutating func note(_ uses: PolicyUses, _ program: MigrationProgram) {
    for index in entityMappings.indices { entityMappings[index].note(uses, program, index) }
  }

  /// For each entity mapping, the unread properties that only some of its objects have, or that
  /// others read of some of them.
  package func partlyUnreadProperties(
    _ uses: PolicyUses, _ program: MigrationProgram
  ) -> [[String: [Int]]] {
    entityMappings.enumerated().map { index, entry in
      program.partlyUnreadProperties(among: entry.unreadProperties, of: index, uses)
    }
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
    _ uses: PolicyUses, _ program: MigrationProgram, _ index: Int
  ) {
    let mapping = program.mappings[index]
    guard let entityIndex = mapping.destinationEntity else { return }
    unreadProperties = program.unreadProperties(of: index, uses)
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
        if !relationship.isOptional, relationship.requiredCount > 0 {
          missingProperties.append(property.name)
        }
      }
    }
    unfilledProperties.sort()
    missingProperties.sort()
  }
}

extension PolicyUses {
  /// Whether objects of an entity mapping have the attributes that the mapping model says.
  func followsAttributes(of mapping: PlannedMapping) -> Bool {
    !mapping.isEager || attributes.contains(mapping.info.index)
  }

  /// Whether they have the relationships that it says.
  func followsRelationships(of mapping: PlannedMapping) -> Bool {
    !mapping.isEager || relationships.contains(mapping.info.index)
  }
}

extension MigrationProgram {
  /// The properties that an entity mapping gives a value, or a policy objects of its entity.
  fileprivate func filledProperties(
    of mapping: PlannedMapping, _ entity: Int, _ uses: PolicyUses
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
  fileprivate func isFilled(pair: Int, side: Int, _ uses: PolicyUses) -> Bool {
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
