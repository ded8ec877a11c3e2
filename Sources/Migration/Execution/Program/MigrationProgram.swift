import DataModel
import GraphCore
import Mappings
import Support

/// The mapping models of a step, ready to run between two models.
///
/// Several mapping models, which divide the entities among them, run as one: relationships lead
/// from the objects of one to those of another. Core Data, which runs one after the other, forgets
/// between them what has become of which source object.
///
/// Whatever cannot run is found here, before anything is read.
package struct MigrationProgram: Sendable {
  package let source: Model
  package let sourceHierarchy: EntityHierarchy
  package let destination: DestinationSchema
  /// The entity mappings of all mapping models.
  package private(set) var mappings: [PlannedMapping]
  /// The policies in Swift that they need.
  package let policyRequirements: [PolicyRequirement]
  /// What was left out, since a version of the model was edited after its mapping model was made.
  package let leftOut: [MigrationError]
  /// For each entity of the source, the entity mappings that migrate its objects.
  package private(set) var mappingsOfEntity: [[Int]]
  /// For each pair of relationships, true if its sides agree by themselves: see `LinkAnalysis`.
  package private(set) var isLazy: [Bool] = []
  /// The entities of the source of which there must be no objects, and why.
  package let forbiddenEntities: [Int: InferenceFinding]

  /// Plans a migration.
  ///
  /// - Parameters:
  ///   - models: The mapping models.
  ///   - source: The model of the store.
  ///   - destination: The model that it is migrated to.
  ///   - declarations: What stands in for policies.
  ///   - acceptsDrift: Whether entity mappings and property mappings for what the models do not
  ///     have are left out.
  ///   - conditions: What the objects have to be like.
  /// - Throws: `MigrationError` that names entity mapping and property; it carries the others that
  ///   there are.
  package init(
    _ models: [MappingModel], from source: Model, to destination: Model,
    declarations: PolicyDeclarations = PolicyDeclarations(), acceptsDrift: Bool = false,
    conditions: [InferenceFinding] = []
  ) throws(MigrationError) {
    self.source = source
    let hierarchy = EntityHierarchy(source)
    sourceHierarchy = hierarchy
    self.destination = DestinationSchema(destination)
    mappingsOfEntity = Array(repeating: [], count: source.entities.count)
    guard models.reduce(0, { $0 + $1.entityMappings.count }) <= Int(Int16.max) else {
      throw MigrationError(.tooMany, name: "entity mappings")
    }
    guard destination.entities.count <= Int(UInt16.max) else {
      throw MigrationError(.tooMany, name: "entities")
    }
    var compiler = MappingCompiler(
      models, source, hierarchy, self.destination, declarations: declarations,
      acceptsDrift: acceptsDrift)
    mappings = compiler.plannedMappings()
    if let problem = MigrationError(joining: compiler.problems) { throw problem }
    leftOut = compiler.leftOut
    policyRequirements = PolicyRequirement.all(
      of: MappingModel(
        entityMappings: compiler.parts.filter { $0.declared == nil }.map(\.mapping)))
    let forbidden = conditions.filter(\.code.forbidsObjects).compactMap { finding in
      finding.sourceEntity.flatMap(hierarchy.index).map { ($0, finding) }
    }
    forbiddenEntities = Dictionary(forbidden, uniquingKeysWith: { first, _ in first })
    for condition in conditions where condition.code == .mandatoryAttribute { require(condition) }
    assignEntities()
    let links = LinkAnalysis(self)
    isLazy = self.destination.pairs.indices.map { links.isLazy($0) }
  }

  /// Plans a step.
  package init(
    _ step: MigrationStep, from source: Model,
    declarations: PolicyDeclarations = PolicyDeclarations()
  ) throws(MigrationError) {
    try self.init(
      step.mappingModels, from: source, to: step.destination.source.model,
      declarations: declarations, acceptsDrift: !step.drifts.isEmpty, conditions: step.conditions)
  }

  /// The entity mappings of a name: those of a mapping model, or else of the others.
  package func mappings(named name: String, pass: Int) -> [Int] {
    let found = mappings.indices.filter { mappings[$0].info.name == name }
    let own = found.filter { mappings[$0].pass == pass }
    return own.isEmpty ? found : own
  }

  /// Notes that every object must have a value for an attribute.
  private mutating func require(_ condition: InferenceFinding) {
    guard let name = condition.property,
      let entity = condition.entity.flatMap(destination.hierarchy.index)
    else { return }
    for index in mappings.indices {
      guard let made = mappings[index].destinationEntity,
        destination.hierarchy.isKind(made, of: entity),
        let position = destination.entities[made].positions[name]
      else { continue }
      mappings[index].requiredAttributes.insert(position)
    }
  }

  /// Objects of an entity are migrated by the entity mappings of the entity, or else of the nearest
  /// that it inherits from: a mapping of an entity leaves out subentities that have their own.
  private mutating func assignEntities() {
    var own: [Int: [Int]] = [:]
    for (index, mapping) in mappings.enumerated() {
      if let entity = mapping.sourceEntity { own[entity, default: []].append(index) }
    }
    for entity in source.entities.indices {
      let nearest = sourceHierarchy.ancestors(of: entity).first { own[$0] != nil }
      mappingsOfEntity[entity] = nearest.flatMap { own[$0] } ?? []
    }
  }
}

// What keeps a step from running, found without a store.
extension MigrationProgram {
  /// Makes policies: one for each entity mapping that names one, or whose values are computed once.
  package struct PolicyMakers: Sendable {
    /// By the index of the entity mapping.
    package var makers: [Int: @Sendable () -> any MigrationPolicy] = [:]
    /// The losses of those of a mapping file.
    package var losses: [Int: PolicyLosses] = [:]
  }

  /// Finds whatever is missing for a step to run.
  ///
  /// Policies are created, to see which functions they have, and not called.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - policies: The policies, by the names that mapping models give their classes.
  ///   - declarations: What stands in for policies.
  /// - Throws: `MigrationError` with all that is missing.
  package static func check(
    _ step: MigrationStep, policies: [String: any MigrationPolicy.Type] = [:],
    declarations: PolicyDeclarations = PolicyDeclarations()
  ) throws(MigrationError) {
    let program = try MigrationProgram(
      step, from: step.source.source.model, declarations: declarations)
    _ = try program.policyMakers(policies)
  }

  /// Finds out what keeps a mapping model from running, whatever policies there are.
  ///
  /// - Parameters:
  ///   - model: The mapping model.
  ///   - source: The model that it leads from.
  ///   - destination: The model that it leads to.
  ///   - acceptsDrift: Whether what the models do not have is left out.
  /// - Returns: What is wrong, by entity mapping and property.
  package static func problems(
    of model: MappingModel, from source: Model, to destination: Model, acceptsDrift: Bool
  ) -> [MigrationError] {
    do throws(MigrationError) {
      _ = try MigrationProgram(
        [model], from: source, to: destination, acceptsDrift: acceptsDrift)
      return []
    } catch {
      var first = error
      first.others = []
      return [first] + error.others
    }
  }

  /// Finds the policies; refuses if some are missing, or functions that expressions call.
  package func policyMakers(
    _ policies: [String: any MigrationPolicy.Type]
  ) throws(MigrationError) -> PolicyMakers {
    func policy(_ className: String) -> (any MigrationPolicy.Type)? {
      policies[className] ?? policies[className.withoutModule]
    }
    // Nothing runs until all are known to be there.
    let missing = policyRequirements.filter { policy($0.className) == nil }
    let errors = missing.map { requirement in
      let others = requirement.uses.count - 1
      return MigrationError(
        .missingPolicy, entityMapping: requirement.uses.first?.entityMapping,
        name: requirement.className
          + (others > 0 ? ", and for \(Words.count(others, "other entity mapping"))" : ""))
    }
    if var error = MigrationError(joining: errors) {
      error.suggestion = PolicyBlocks(missing, of: self).text
      throw error
    }
    var found = PolicyMakers()
    for (index, mapping) in mappings.enumerated() where mapping.isEager {
      if let declared = mapping.declared {
        let losses = PolicyLosses()
        let className = mapping.policyClassName ?? "?"
        found.losses[index] = losses
        found.makers[index] = { DeclaredPolicy(declared, of: className, losses) }
      } else if let type = mapping.policyClassName.flatMap(policy) {
        found.makers[index] = { type.init() }
      } else {
        found.makers[index] = { PlainEntityPolicy() }
      }
    }
    let unknown = found.makers.sorted { $0.key < $1.key }.flatMap { index, make in
      missingFunctions(of: index, known: Set(make().functions.keys))
    }
    if let error = MigrationError(joining: unknown) { throw error }
    return found
  }
}

extension MigrationProgram {
  /// Which functions of its policy the expressions of an entity mapping call in vain.
  ///
  /// - Parameters:
  ///   - index: The entity mapping.
  ///   - known: The functions that the policy has.
  /// - Returns: An error for each property and function.
  package func missingFunctions(of index: Int, known: Set<String>) -> [MigrationError] {
    let mapping = mappings[index]
    let entity = mapping.destinationEntity.map { destination.entities[$0] }
    return mapping.values.enumerated().flatMap { position, value in
      (value.expression?.functions ?? [])
        .filter { $0.receiver == "entityPolicy" && !known.contains($0.selector) }
        .map { function in
          MigrationError(
            mapping.declared == nil ? .missingFunction : .undeclaredProperty,
            entityMapping: mapping.info.name, property: entity?.keys[position],
            name: function.selector)
        }
    }
  }
}

extension PlannedValue {
  /// The expression that is evaluated for it, if there is one.
  var expression: ValueExpression? {
    switch self {
    case .computed(let expression), .stored(let expression), .objects(let expression): expression
    case .links(let links):
      if case .expression(let expression) = links.sources { expression } else { nil }
    case .none, .constant, .copy: nil
    }
  }
}
