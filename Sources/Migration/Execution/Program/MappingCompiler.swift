import DataModel
import GraphCore
import MappingModels
import Mappings
import Policies

/// Makes entity mappings ready to run.
///
/// Whatever cannot run is a problem. Where a version of the model was edited after its mapping
/// model was made, and that is accepted, entity mappings and property mappings for what is no
/// longer there are left out instead.
struct MappingCompiler {
  /// An entity mapping and its entities; nil where it has none.
  struct Part {
    var mapping: MigrationEntityMapping
    /// Which of the mapping models it belongs to.
    var pass: Int
    var source: Int?
    var destination: Int?
    /// What a block of a mapping file makes in place of its policy.
    var declared: DeclaredProperties?
  }

  let source: Model
  let sourceHierarchy: EntityHierarchy
  let destination: DestinationSchema
  /// The entity mappings that run, of all mapping models.
  private(set) var parts: [Part] = []
  /// What cannot run.
  private(set) var problems: [MigrationError] = []
  /// What was left out.
  private(set) var leftOut: [MigrationError] = []
  private let acceptsDrift: Bool
  /// The names of the entity mappings that were left out.
  private var namesLeftOut: Set<String> = []

  init(
    _ models: [MappingModel], _ source: Model, _ hierarchy: EntityHierarchy,
    _ destination: DestinationSchema, declarations: PolicyDeclarations, acceptsDrift: Bool
  ) {
    (self.source, self.destination) = (source, destination)
    sourceHierarchy = hierarchy
    self.acceptsDrift = acceptsDrift
    for (pass, model) in models.enumerated() {
      for mapping in model.entityMappings { add(mapping, pass, declarations) }
    }
  }

  private mutating func add(
    _ mapping: MigrationEntityMapping, _ pass: Int, _ declarations: PolicyDeclarations
  ) {
    var part = Part(mapping: mapping, pass: pass)
    var error: MigrationError?
    if let to = mapping.destinationEntityName {
      part.destination = destination.hierarchy.index(of: to)
      if part.destination == nil { error = MigrationError(.unknownDestinationEntity, name: to) }
    }
    if let from = mapping.sourceEntityName {
      part.source = sourceHierarchy.index(of: from)
      if part.source == nil { error = MigrationError(.unknownSourceEntity, name: from) }
    }
    guard let error else {
      if let block = declarations.block(for: mapping) {
        declare(block, in: &part, declarations.path)
      }
      return parts.append(part)
    }
    if report(error.placed(in: mapping.name)) { namesLeftOut.insert(mapping.name) }
  }

  /// Lets a block make properties of an entity mapping: what the mapping model says of them does
  /// not count.
  private mutating func declare(_ block: PolicyMapping, in part: inout Part, _ path: String) {
    do throws(MigrationError) {
      let declared = try declared(block, in: part, path)
      part.mapping.attributeMappings.removeAll { declared.names.contains($0.name) }
      part.mapping.relationshipMappings.removeAll { declared.names.contains($0.name) }
      part.declared = declared
    } catch {
      // A block can be for several entity mappings.
      if !problems.contains(error) { problems.append(error) }
      part.declared = DeclaredProperties()
    }
  }

  /// Reports why something cannot run.
  ///
  /// - Returns: Whether it is left out for a drift, so that the rest may run.
  @discardableResult
  private mutating func report(_ error: MigrationError) -> Bool {
    let isDrift =
      switch error.code {
      case .unknownSourceEntity, .unknownDestinationEntity, .unknownProperty,
        .unknownSourceProperty, .otherDestination:
        true
      case .unknownEntityMapping: error.name.map(namesLeftOut.contains) ?? false
      default: false
      }
    guard isDrift, acceptsDrift else {
      problems.append(error)
      return false
    }
    leftOut.append(error)
    return true
  }

  /// All entity mappings, ready to run; what is not ready is among the problems.
  mutating func plannedMappings() -> [PlannedMapping] {
    var planned: [PlannedMapping] = []
    for index in parts.indices {
      do throws(MigrationError) {
        planned.append(try self.planned(index))
      } catch {
        problems.append(error.placed(in: parts[index].mapping.name))
      }
    }
    return planned
  }

  private mutating func planned(_ index: Int) throws(MigrationError) -> PlannedMapping {
    let (mapping, from) = (parts[index].mapping, parts[index].source)
    let info = MigrationMapping(
      name: mapping.name, sourceClassNames: [mapping.sourceEntityName].compactMap(\.self),
      destination: mapping.destinationEntityName,
      userInfo: mapping.userInfo.compactMapValues(\.importValue), index: index)
    let fetch = try fetch(mapping)
    var planned = PlannedMapping(
      info: info, pass: parts[index].pass, policyClassName: mapping.policyClassName,
      sourceEntity: fetch?.entity,
      filter: try fetch.flatMap { (fetch) throws(MigrationError) in
        try filter(fetch.predicate, of: fetch.entity)
      },
      destinationEntity: parts[index].destination, values: [],
      isEager: mapping.policyClassName != nil,
      propertyUserInfo: Dictionary(
        (mapping.attributeMappings + mapping.relationshipMappings).map { ($0.name, $0.userInfo) },
        uniquingKeysWith: { first, _ in first }))
    planned.declared = parts[index].declared
    planned.filledProperties = parts[index].declared?.names ?? []
    guard let to = parts[index].destination else { return planned }
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
    let attributes = planProperties(mapping.attributeMappings, in: entity, &planned) {
      (property, content) throws(MigrationError) in
      guard case .attribute(let attribute) = content else {
        throw MigrationError(.unknownProperty, name: property.name)
      }
      return try value(of: property, attribute, from, &isEager)
    }
    let relationships = planProperties(mapping.relationshipMappings, in: entity, &planned) {
      (property, content) throws(MigrationError) in
      guard case .relationship(let relationship, _, _) = content else {
        throw MigrationError(.unknownProperty, name: property.name)
      }
      return try links(of: property, relationship, index)
    }
    planned.isEager = isEager
    for error in attributes + relationships {
      guard report(error.placed(in: mapping.name)) else { continue }
      parts[index].mapping.attributeMappings.removeAll { $0.name == error.property }
      parts[index].mapping.relationshipMappings.removeAll { $0.name == error.property }
    }
    return planned
  }

  /// Plans property mappings.
  ///
  /// - Returns: Why some cannot run.
  private func planProperties(
    _ properties: [MigrationPropertyMapping], in entity: DestinationSchema.DestinationEntity,
    _ planned: inout PlannedMapping,
    _ make: (MigrationPropertyMapping, DestinationSchema.Content) throws(MigrationError) ->
      PlannedValue
  ) -> [MigrationError] {
    properties.compactMap { property in
      do throws(MigrationError) {
        if let position = entity.positions[property.name] {
          planned.values[position] = try make(property, entity.properties[position].content)
          if property.valueExpression != nil { planned.filledProperties.insert(property.name) }
        } else if !isTransient(property.name, entity.record.name) {
          // Transient properties are not stored, and need no value.
          throw MigrationError(.unknownProperty, name: property.name)
        }
        return nil
      } catch {
        var error = error
        error.property = property.name
        return error
      }
    }
  }

  private func isTransient(_ name: String, _ entity: String) -> Bool {
    guard let index = destination.hierarchy.index(of: entity) else { return false }
    return destination.hierarchy.attribute(name, of: index, in: destination.model) != nil
      || destination.hierarchy.relationship(name, of: index, in: destination.model) != nil
  }

  /// An expression of a mapping model as one that can be evaluated.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - entity: The entity of the source object that it is evaluated for; nil if there is none.
  /// - Returns: The same expression.
  /// - Throws: `MigrationError` if it cannot be evaluated, or reads what the entity has not.
  func evaluable(
    _ expression: ExpressionNode, of entity: Int?
  ) throws(MigrationError) -> ValueExpression {
    if let unknown = expression.unknownParts.first {
      throw MigrationError(.unsupportedExpression, name: unknown.name)
    }
    if let mistake = expression.mistake {
      throw MigrationError(
        .unsupportedExpression, name: "\(expression.format): \(mistake.sentence)")
    }
    let evaluable = ValueExpression(expression)
    for function in evaluable.functions where function.receiver != "entityPolicy" {
      guard function.receiver == "manager", MigrationSelector.ofManager.contains(function.selector)
      else {
        throw MigrationError(
          .unsupportedExpression, name: "$\(function.receiver) has no function \(function.selector)"
        )
      }
    }
    if let path = unknownPath(among: evaluable.keyPaths, of: entity) {
      throw MigrationError(.unknownSourceProperty, name: path)
    }
    return evaluable
  }
}
