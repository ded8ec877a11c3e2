import DataModel
import GraphCore
import Support

/// The check of a mapping model between two models, with what it needs of the app's code.
package struct MappingModelCheck: Sendable, Hashable {
  /// The findings: about the file and the source as a whole, then by entity mapping, in order.
  package private(set) var findings: [MappingModelFinding] = []
  /// The policy classes that are needed.
  package let policies: [PolicyRequirement]

  /// Checks a mapping model.
  ///
  /// - Parameters:
  ///   - model: The mapping model.
  ///   - source: The model of the source store.
  ///   - destination: The model that it leads to.
  /// - Complexity: Linear in the mapping model's size, but for entity mappings, each of which is
  ///   compared with all others.
  package init(_ model: MappingModel, from source: Model, to destination: Model) {
    policies = PolicyRequirement.all(of: model)
    let context = Context(model, from: source, to: destination)
    findings = Self.sourceFindings(context)
    for mapping in model.entityMappings {
      findings += Self.entityFindings(mapping, context) + Self.repetitions(mapping, context)
      findings += Self.propertyFindings(mapping, context)
      findings += Self.expressionFindings(mapping, context)
    }
  }

  /// Checks the mapping model that a source file compiles to, and the file itself: what edits left
  /// in it, and how the models in it differ from those that are given.
  ///
  /// - Parameters:
  ///   - document: The file.
  ///   - source: The model of the source store.
  ///   - destination: The model that it leads to.
  ///   - limits: The limits for reading the models in the file.
  /// - Throws: `ModelError` if a model in the file is damaged.
  package init(
    _ document: MappingModelDocument, from source: Model, to destination: Model,
    limits: ReadingLimits = .standard
  ) throws(ModelError) {
    self.init(
      document.compiled(from: source, to: destination), from: source, to: destination)
    var fileFindings: [MappingModelFinding] = []
    if let embedded = try document.embeddedSourceModel(limits: limits) {
      fileFindings += ModelDifference.all(embedded, source).map {
        MappingModelFinding(.embeddedSourceDiffers, entity: $0.entity, property: $0.property)
      }
    }
    if let embedded = try document.embeddedDestinationModel(limits: limits) {
      fileFindings += ModelDifference.all(embedded, destination).map {
        MappingModelFinding(.embeddedDestinationDiffers, entity: $0.entity, property: $0.property)
      }
    }
    let leftovers = document.leftovers
    fileFindings += leftovers.entityMappings.map { .init(.unusedEntityMapping, entity: $0) }
    fileFindings += document.entityMappings.filter { $0.isAutomatic && $0.sourceExpression != nil }
      .map { .init(.unusedSourceExpression, entity: $0.effectiveName) }
    fileFindings += leftovers.attributeMappings.map { .init(.unusedAttributeMapping, property: $0) }
    fileFindings += leftovers.relationshipMappings.map {
      .init(.unusedRelationshipMapping, property: $0)
    }
    findings.insert(contentsOf: fileFindings, at: 0)
  }

  /// The findings that keep an entity mapping from running.
  package static func obstacles(
    of mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    let entity = mapping.destinationEntityName.flatMap(context.destination.wholeEntity)
    let findings =
      entityFindings(mapping, context) + (entity.map { unknownProperties(mapping, $0) } ?? [])
      + expressionFindings(mapping, context)
    // Nothing is migrated into properties that are not stored.
    let attributes = entity?.attributes.filter { !$0.isStored }.map(\.name) ?? []
    let relationships = entity?.relationships.filter(\.isTransient).map(\.name) ?? []
    let unstored = Set(attributes + relationships)
    return findings.filter {
      $0.preventsMigration && !($0.property.map(unstored.contains) ?? false)
    }
  }

  /// True if nothing keeps the migration from working.
  package var isUsable: Bool { !findings.contains { $0.severity == .error } }

  /// The mapping model and the two models that it is checked against.
  package struct Context {
    let model: MappingModel
    package let source: ModelIndex
    let destination: ModelIndex
    /// The names of the entity mappings.
    package var names: Set<String>

    package init(_ model: MappingModel, from source: Model, to destination: Model) {
      self.model = model
      self.source = ModelIndex(source)
      self.destination = ModelIndex(destination)
      names = Set(model.entityMappings.map(\.name))
    }
  }
}

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
