import DataModel
import GraphCore
import MappingModels
import Mappings
import Policies

/// Makes entity mappings ready to run.
struct MappingCompiler {
  let model: MappingModel
  let source: Model
  let sourceHierarchy: EntityHierarchy
  let destination: DestinationSchema
  /// For each entity mapping, its entities; nil where it has none.
  let entities: [(source: Int?, destination: Int?)]

  /// The methods of the migration manager that expressions may call.
  enum Selector {
    static let byEntityMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    static let sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    static let all: Set<String> = [byEntityMapping, byRelationship, sources]
    /// What inferred mapping models call: the source's value, or the default where it is nil.
    static let nonNilValue = "_nonNilValueOrDefaultValueForAttribute:source:destination:"
  }

  init(
    _ model: MappingModel, _ source: Model, _ hierarchy: EntityHierarchy,
    _ destination: DestinationSchema
  ) throws(MigrationError) {
    (self.model, self.source, self.destination) = (model, source, destination)
    sourceHierarchy = hierarchy
    var entities: [(source: Int?, destination: Int?)] = []
    for mapping in model.entityMappings {
      let from = mapping.sourceEntityName
      let to = mapping.destinationEntityName
      let found = (from.flatMap(hierarchy.number), to.flatMap(destination.hierarchy.number))
      if let from, found.0 == nil {
        throw MigrationError(.unknownSourceEntity, entityMapping: mapping.name, name: from)
      }
      if let to, found.1 == nil {
        throw MigrationError(.unknownDestinationEntity, entityMapping: mapping.name, name: to)
      }
      entities.append(found)
    }
    self.entities = entities
  }

  func planned(_ index: Int) throws(MigrationError) -> PlannedMapping {
    let mapping = model.entityMappings[index]
    let (from, to) = entities[index]
    let info = MigrationMapping(
      name: mapping.name, sourceClassNames: [mapping.sourceEntityName].compactMap(\.self),
      destination: mapping.destinationEntityName,
      userInfo: mapping.userInfo.compactMapValues(\.importValue), number: index)
    let fetch = try fetch(mapping)
    var planned = PlannedMapping(
      info: info, policyClassName: mapping.policyClassName,
      sourceEntity: fetch.flatMap { sourceHierarchy.number(of: $0.entityName) } ?? nil,
      filter: try fetch.flatMap { (fetch) throws(MigrationError) in try filter(fetch.predicate) },
      destinationEntity: to, values: [], isEager: mapping.policyClassName != nil,
      propertyUserInfo: Dictionary(
        (mapping.attributeMappings + mapping.relationshipMappings).map { ($0.name, $0.userInfo) },
        uniquingKeysWith: { first, _ in first }))
    guard let to else { return planned }
    let entity = destination.entities[to]
    // Policies may make objects of other entities.
    if entity.isAbstract, planned.sourceEntity != nil, !planned.isEager {
      throw MigrationError(.abstractDestination, name: entity.record.name)
    }
    planned.values = entity.properties.map { property in
      guard case .attribute(let attribute) = property.content else { return .none }
      return .constant(attribute.initialValue)
    }
    var isEager = planned.isEager
    for property in mapping.attributeMappings {
      try plan(property, in: entity, from, mapping, &planned) {
        (attribute, _) throws(MigrationError) in
        guard let attribute else { throw MigrationError(.unknownProperty, name: property.name) }
        return try value(of: property, attribute, from, &isEager)
      }
    }
    for property in mapping.relationshipMappings {
      try plan(property, in: entity, from, mapping, &planned) {
        (_, relationship) throws(MigrationError) in
        guard let relationship else { throw MigrationError(.unknownProperty, name: property.name) }
        return try links(of: property, relationship, from, isEager: &isEager)
      }
    }
    planned.isEager = isEager
    return planned
  }

  private func plan(
    _ property: MigrationPropertyMapping, in entity: DestinationSchema.DestinationEntity,
    _ from: Int?, _ mapping: MigrationEntityMapping, _ planned: inout PlannedMapping,
    _ make: (Attribute?, Relationship?) throws(MigrationError) -> PlannedValue
  ) throws(MigrationError) {
    do throws(MigrationError) {
      guard let position = entity.positions[property.name] else {
        // Transient properties are not stored, and need no value.
        guard isTransient(property.name, entity.record.name) else {
          throw MigrationError(.unknownProperty, name: property.name)
        }
        return
      }
      switch entity.properties[position].content {
      case .attribute(let attribute): planned.values[position] = try make(attribute, nil)
      case .relationship(let relationship, _, _):
        planned.values[position] = try make(nil, relationship)
      }
    } catch {
      throw error.placed(in: mapping.name, property: property.name)
    }
  }

  private func isTransient(_ name: String, _ entity: String) -> Bool {
    guard let number = destination.hierarchy.number(of: entity) else { return false }
    return destination.hierarchy.attribute(name, of: number, in: destination.model) != nil
      || destination.hierarchy.relationship(name, of: number, in: destination.model) != nil
  }

  // MARK: Source objects

  /// What an entity mapping fetches; nil if it migrates no objects.
  private func fetch(_ mapping: MigrationEntityMapping) throws(MigrationError) -> MigrationFetch? {
    switch mapping.sourceExpression {
    case nil: return nil
    case .fetch(let fetch):
      guard sourceHierarchy.number(of: fetch.entityName) != nil else {
        throw MigrationError(.unknownSourceEntity, name: fetch.entityName)
      }
      guard !fetch.isCountOnly else {
        throw MigrationError(.unsupportedSource, name: "it only counts objects")
      }
      return fetch
    case .some(let expression):
      throw MigrationError(.unsupportedSource, name: expression.format)
    }
  }

  private func filter(_ predicate: MigrationPredicate) throws(MigrationError) -> FilterPredicate? {
    if predicate == .constant(true) { return nil }
    do {
      return try FilterPredicate(parsing: predicate.format)
    } catch {
      throw MigrationError(.unsupportedSource, name: "\(predicate.format): \(error)")
    }
  }

  /// An expression of a mapping model as one that can be evaluated.
  func parsed(_ expression: MigrationExpression) throws(MigrationError) -> ValueExpression {
    if let unknown = expression.unknownParts.first {
      throw MigrationError(.unsupportedExpression, name: unknown.name)
    }
    let parsed: ValueExpression
    do {
      parsed = try ValueExpression(parsing: expression.format)
    } catch {
      throw MigrationError(.unsupportedExpression, name: "\(expression.format): \(error)")
    }
    for function in parsed.functions where function.receiver != "entityPolicy" {
      guard function.receiver == "manager", Selector.all.contains(function.selector) else {
        throw MigrationError(
          .unsupportedExpression, name: "$\(function.receiver) has no function \(function.selector)"
        )
      }
    }
    return parsed
  }
}
