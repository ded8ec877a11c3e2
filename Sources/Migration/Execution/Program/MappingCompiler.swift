import DataModel
import GraphCore
import Mappings

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
  /// The models and entity mappings that the check of mapping models compares.
  private(set) var context: MappingModelCheck.Context

  init(
    _ models: [MappingModel], _ source: Model, _ hierarchy: EntityHierarchy,
    _ destination: DestinationSchema, declarations: PolicyDeclarations, acceptsDrift: Bool
  ) {
    (self.source, self.destination) = (source, destination)
    sourceHierarchy = hierarchy
    self.acceptsDrift = acceptsDrift
    context = MappingModelCheck.Context(
      MappingModel(entityMappings: models.flatMap(\.entityMappings)), from: source,
      to: destination.model)
    for (pass, model) in models.enumerated() {
      for mapping in model.entityMappings { add(mapping, pass, declarations) }
    }
    for index in parts.indices { check(index) }
  }

  private mutating func add(
    _ mapping: MigrationEntityMapping, _ pass: Int, _ declarations: PolicyDeclarations
  ) {
    let missing = MappingModelCheck.missingEntities(mapping, context)
    guard missing.isEmpty else {
      if missing.map({ report($0) }).allSatisfy({ $0 }) {
        context.names.remove(mapping.name)
        namesLeftOut.insert(mapping.name)
      }
      return
    }
    var part = Part(mapping: mapping, pass: pass)
    part.source = mapping.sourceEntityName.flatMap(sourceHierarchy.index)
    part.destination = mapping.destinationEntityName.flatMap(destination.hierarchy.index)
    if let block = declarations.block(for: mapping) {
      declare(block, in: &part, declarations.path)
    }
    parts.append(part)
  }

  /// Reports what the check of mapping models finds, and drops properties that are left out.
  private mutating func check(_ index: Int) {
    // The first for each property: what is left out has no further mistakes.
    var properties: Set<String> = []
    for finding in MappingModelCheck.obstacles(of: parts[index].mapping, context)
    where finding.property.map({ properties.insert($0).inserted }) ?? true {
      if report(finding) { leaveOut(finding.property, of: index) }
    }
  }

  private mutating func leaveOut(_ property: String?, of index: Int) {
    parts[index].mapping.attributeMappings.removeAll { $0.name == property }
    parts[index].mapping.relationshipMappings.removeAll { $0.name == property }
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
  private mutating func report(_ finding: MappingModelFinding) -> Bool {
    let isOfPartLeftOut =
      finding.code == .unknownEntityMapping && finding.name.map(namesLeftOut.contains) ?? false
    guard acceptsDrift, finding.isDrift || isOfPartLeftOut else {
      problems.append(MigrationError(finding))
      return false
    }
    leftOut.append(MigrationError(finding))
    return true
  }

  /// All entity mappings, ready to run; what is not ready is among the problems.
  mutating func plannedMappings() -> [PlannedMapping] {
    parts.indices.map { planned($0) }
  }

  private mutating func planned(_ index: Int) -> PlannedMapping {
    let (mapping, from) = (parts[index].mapping, parts[index].source)
    let info = MigrationMapping(
      name: mapping.name, sourceClassNames: [mapping.sourceEntityName].compactMap(\.self),
      destination: mapping.destinationEntityName,
      userInfo: mapping.userInfo.compactMapValues(\.importValue), index: index)
    let fetch = fetch(mapping)
    var planned = PlannedMapping(
      info: info, pass: parts[index].pass, policyClassName: mapping.policyClassName,
      sourceEntity: fetch?.entity, filter: fetch?.filter,
      destinationEntity: parts[index].destination, values: [],
      isEager: mapping.policyClassName != nil,
      propertyUserInfo: Dictionary(
        (mapping.attributeMappings + mapping.relationshipMappings).map { ($0.name, $0.userInfo) },
        uniquingKeysWith: { first, _ in first }))
    planned.declared = parts[index].declared
    planned.filledProperties = parts[index].declared?.names ?? []
    guard let to = parts[index].destination else { return planned }
    let entity = destination.entities[to]
    planned.values = entity.properties.map { property in
      guard case .attribute(let attribute) = property.content else { return .none }
      return .constant(attribute.initialValue)
    }
    // Transient properties are not stored, and need no value.
    for property in mapping.attributeMappings {
      guard let position = entity.positions[property.name],
        case .attribute(let attribute) = entity.properties[position].content
      else { continue }
      planned.values[position] = value(of: property, attribute, from, &planned.isEager)
      if property.valueExpression != nil { planned.filledProperties.insert(property.name) }
    }
    for property in mapping.relationshipMappings {
      guard let position = entity.positions[property.name],
        case .relationship(let relationship, _, _) = entity.properties[position].content
      else { continue }
      do throws(MappingModelFinding) {
        planned.values[position] = try links(of: property, relationship, index)
        if property.valueExpression != nil { planned.filledProperties.insert(property.name) }
      } catch {
        if report(error) { leaveOut(property.name, of: index) }
      }
    }
    return planned
  }
}

extension MigrationError {
  /// The error for a finding of the check of mapping models.
  fileprivate init(_ finding: MappingModelFinding) {
    self.init(
      .mappingModel, entityMapping: finding.entity, property: finding.property,
      name: finding.sentence)
  }
}
