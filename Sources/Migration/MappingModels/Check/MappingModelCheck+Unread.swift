import DataModel

// Properties of the source: which values are left behind.
extension MappingModelCheck {
  /// The properties of the source entity that no entity mapping of it reads.
  ///
  /// The first entity mapping of an entity tells, for all of them. Where one has a policy, it may
  /// read anything, and nothing is said.
  static func unreadProperties(
    _ mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    guard let name = mapping.sourceEntityName, mapping.destinationEntityName != nil,
      let entity = context.source.wholeEntity(name)
    else { return [] }
    let siblings = context.model.entityMappings.filter { $0.sourceEntityName == name }
    guard siblings.first == mapping, !siblings.contains(where: { $0.policyClassName != nil }) else {
      return []
    }
    var read: Set<String> = []
    for sibling in siblings { read.formUnion(sourceKeys(of: sibling)) }
    let attributes = entity.attributes.filter(\.isStored).map(\.name)
    // A relationship is not left behind if what leads back is read.
    let relationships = entity.relationships.filter { relationship in
      !relationship.isTransient && !isReadFromInverse(relationship, context)
    }.map(\.name)
    return (attributes + relationships).filter { !read.contains($0) }.map {
      MappingModelFinding(.unreadProperty, entity: mapping.name, property: $0)
    }
  }

  /// The properties of the source object that the expressions of an entity mapping read.
  private static func sourceKeys(of mapping: MigrationEntityMapping) -> Set<String> {
    var keys: Set<String> = []
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      property.valueExpression?.visitParts { part in
        guard let path = part.path, path.start == .source, let key = path.steps.first else {
          return
        }
        keys.insert(key)
      }
    }
    return keys
  }

  /// True if an entity mapping of a relationship's destination reads the inverse.
  private static func isReadFromInverse(_ relationship: Relationship, _ context: Context) -> Bool {
    guard let inverse = relationship.inverse else { return false }
    return context.model.entityMappings.contains { other in
      guard let name = other.sourceEntityName,
        relationship.destinations.contains(where: { context.source.isKind(name, of: $0) })
      else { return false }
      return other.policyClassName != nil || sourceKeys(of: other).contains(inverse)
    }
  }
}
