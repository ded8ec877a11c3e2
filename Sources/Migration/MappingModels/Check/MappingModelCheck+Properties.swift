import DataModel
import Support

// Properties of the destination: which are there, and which get a value.
extension MappingModelCheck {
  /// The findings about the properties of an entity mapping.
  static func propertyFindings(
    _ mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    var findings = duplicates(mapping)
    if let name = mapping.destinationEntityName,
      let entity = context.destination.wholeEntity(name)
    {
      findings += unknownProperties(mapping, entity)
      // A policy may set what it wants, and without a source nothing is made.
      if mapping.sourceExpression != nil, mapping.policyClassName == nil {
        findings += missingAttributes(mapping, entity, context)
        findings += missingRelationships(mapping, entity, context)
      }
    }
    return findings + unreadProperties(mapping, context)
  }

  private static func duplicates(_ mapping: MigrationEntityMapping) -> [MappingModelFinding] {
    var counts: [String: Int] = [:]
    let names = (mapping.attributeMappings + mapping.relationshipMappings).map(\.name)
    for name in names { counts[name, default: 0] += 1 }
    return counts.filter { $0.value > 1 }.keys.sorted { $0.precedesInBytes($1) }.map {
      MappingModelFinding(.duplicateProperty, entity: mapping.name, property: $0)
    }
  }

  static func unknownProperties(
    _ mapping: MigrationEntityMapping, _ entity: Entity
  ) -> [MappingModelFinding] {
    let attributes = Set(entity.attributes.map(\.name))
    let relationships = Set(entity.relationships.map(\.name))
    let unknownAttributes = mapping.attributeMappings.filter { !attributes.contains($0.name) }
    let unknownRelationships = mapping.relationshipMappings.filter {
      !relationships.contains($0.name)
    }
    return unknownAttributes.map {
      MappingModelFinding(.unknownAttribute, entity: mapping.name, property: $0.name)
    }
      + unknownRelationships.map {
        MappingModelFinding(.unknownRelationship, entity: mapping.name, property: $0.name)
      }
  }

  private static func missingAttributes(
    _ mapping: MigrationEntityMapping, _ entity: Entity, _ context: Context
  ) -> [MappingModelFinding] {
    let valued = Set(mapping.attributeMappings.filter(\.givesValue).map(\.name))
    var findings: [MappingModelFinding] = []
    for attribute in entity.attributes where !valued.contains(attribute.name) {
      if let renamed = renamed(attribute.renamingIdentifier, attribute.name, mapping, context) {
        findings.append(
          MappingModelFinding(
            .renamedProperty, entity: mapping.name, property: attribute.name, name: renamed))
      }
      guard !attribute.isOptional, attribute.defaultValue == nil, attribute.isStored,
        !attribute.isDerived
      else { continue }
      findings.append(
        MappingModelFinding(.missingValue, entity: mapping.name, property: attribute.name))
    }
    return findings
  }

  private static func missingRelationships(
    _ mapping: MigrationEntityMapping, _ entity: Entity, _ context: Context
  ) -> [MappingModelFinding] {
    let related = Set(mapping.relationshipMappings.filter(\.givesValue).map(\.name))
    var findings: [MappingModelFinding] = []
    for relationship in entity.relationships where !related.contains(relationship.name) {
      let name = relationship.name
      if let renamed = renamed(relationship.renamingIdentifier, name, mapping, context) {
        findings.append(
          MappingModelFinding(
            .renamedProperty, entity: mapping.name, property: name, name: renamed))
      }
      guard !relationship.isOptional, relationship.requiredCount > 0, !relationship.isTransient,
        !isSetByInverse(relationship, context)
      else { continue }
      findings.append(MappingModelFinding(.missingObject, entity: mapping.name, property: name))
    }
    return findings
  }

  /// The property of the source that a renaming identifier names.
  private static func renamed(
    _ identifier: String?, _ name: String, _ mapping: MigrationEntityMapping, _ context: Context
  ) -> String? {
    guard let identifier, identifier != name, let source = mapping.sourceEntityName,
      context.source.attribute(identifier, of: source) != nil
        || context.source.relationship(identifier, of: source) != nil
    else { return nil }
    return identifier
  }

  /// True if an entity mapping of a relationship's destination sets the inverse.
  private static func isSetByInverse(_ relationship: Relationship, _ context: Context) -> Bool {
    guard let inverse = relationship.inverse else { return false }
    return context.model.entityMappings.contains { other in
      guard let name = other.destinationEntityName else { return false }
      return relationship.destinations.contains { context.destination.isKind(name, of: $0) }
        && (other.policyClassName != nil
          || other.relationshipMappings.contains { $0.name == inverse && $0.givesValue })
    }
  }
}

extension MigrationPropertyMapping {
  /// True if it gives another value than nil.
  fileprivate var givesValue: Bool {
    switch valueExpression {
    case nil, .constant(.null): false
    default: true
    }
  }
}
