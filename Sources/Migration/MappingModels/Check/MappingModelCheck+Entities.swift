import DataModel
import Support

// Entities: which are there, and which objects are migrated.
extension MappingModelCheck {
  /// The findings about the source as a whole.
  static func sourceFindings(_ context: Context) -> [MappingModelFinding] {
    let mapped = Set(context.model.entityMappings.compactMap(\.sourceEntityName))
    var findings: [MappingModelFinding] = []
    for entity in context.source.model.entities where !entity.isAbstract {
      if !mapped.contains(entity.name) {
        findings.append(MappingModelFinding(.unmappedSourceEntity, entity: entity.name))
      }
    }
    var names: Set<String> = []
    var repeated: Set<String> = []
    for name in context.model.entityMappings.map(\.name) where !names.insert(name).inserted {
      if repeated.insert(name).inserted {
        findings.append(MappingModelFinding(.duplicateEntityMapping, entity: name))
      }
    }
    return findings
  }

  /// The findings about the entities of an entity mapping.
  static func entityFindings(
    _ mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    var findings = missingEntities(mapping, context)
    func find(_ code: MappingModelFinding.Code, _ name: String?) {
      findings.append(MappingModelFinding(code, entity: mapping.name, name: name))
    }
    if let name = mapping.sourceEntityName {
      if let hash = mapping.sourceVersionHash, context.source.entity(name) != nil,
        hash != context.source.hashes[name]
      {
        find(.differentSourceEntity, name)
      }
      switch mapping.sourceExpression {
      case nil where mapping.policyClassName == nil && mapping.destinationEntityName != nil:
        find(.sourceNotFetched, nil)
      case .fetch(let entity, _, _) where entity != name: find(.otherEntityFetched, entity)
      default: break
      }
    }
    if let name = mapping.destinationEntityName, let entity = context.destination.entity(name) {
      if let hash = mapping.destinationVersionHash, hash != context.destination.hashes[name] {
        find(.differentDestinationEntity, name)
      }
      if entity.isAbstract, mapping.sourceExpression != nil, mapping.policyClassName == nil {
        find(.abstractDestination, name)
      }
    }
    switch mapping.sourceExpression {
    case nil: break
    case .fetch(_, let predicate, let isCountOnly):
      if isCountOnly {
        find(.unsupportedSource, "it only counts objects")
      } else if predicate.unknownParts.isEmpty, let mistake = predicate.mistake {
        find(.unsupportedSource, "\(predicate.format): \(mistake.sentence)")
      }
    case let expression?: find(.unsupportedSource, expression.format)
    }
    return findings
  }

  /// The entities of an entity mapping that the models do not have.
  package static func missingEntities(
    _ mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    var sources = [mapping.sourceEntityName].compactMap(\.self)
    if case .fetch(let entity, _, _) = mapping.sourceExpression, !sources.contains(entity) {
      sources.append(entity)
    }
    let destinations = [mapping.destinationEntityName].compactMap(\.self)
    return sources.filter { context.source.entity($0) == nil }.map {
      MappingModelFinding(.unknownSourceEntity, entity: mapping.name, name: $0)
    }
      + destinations.filter { context.destination.entity($0) == nil }.map {
        MappingModelFinding(.unknownDestinationEntity, entity: mapping.name, name: $0)
      }
  }

  /// The finding that others make objects of the same source objects, too.
  static func repetitions(
    _ mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    guard let name = mapping.sourceEntityName, fetchesAll(mapping),
      context.model.entityMappings.filter({ $0.sourceEntityName == name && fetchesAll($0) })
        .count > 1
    else { return [] }
    return [MappingModelFinding(.sourceMappedTwice, entity: mapping.name, name: name)]
  }

  /// True if an entity mapping makes an object of each source object; a policy may do otherwise.
  private static func fetchesAll(_ mapping: MigrationEntityMapping) -> Bool {
    guard mapping.policyClassName == nil, mapping.destinationEntityName != nil,
      case .fetch(_, .truth(true), _) = mapping.sourceExpression
    else { return false }
    return true
  }
}
