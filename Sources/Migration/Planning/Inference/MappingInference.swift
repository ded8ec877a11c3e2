import DataModel
import Mappings
import Support

/// Infers a mapping model: see `InferredMapping`.
struct MappingInference {
  let source: ModelIndex
  let destination: ModelIndex
  /// The names of source entities, by renaming identifier.
  private var sourceNames: [String: String] = [:]
  /// The names of destination entities, by renaming identifier.
  private var destinationNames: [String: String] = [:]
  private let sourceProperties: [String: IdentifiedProperties]
  private let destinationProperties: [String: IdentifiedProperties]
  /// What has been found, in the order of the destination's entities.
  var findings: [InferenceFinding] = []
  var changeCount = 0

  init(_ source: Model, _ destination: Model) {
    self.source = ModelIndex(source)
    self.destination = ModelIndex(destination)
    sourceProperties = IdentifiedProperties.all(in: self.source)
    destinationProperties = IdentifiedProperties.all(in: self.destination)
    sourceNames = names(of: source) {
      InferenceFinding(.sharedEntityIdentifier, sourceEntity: $0, name: $1)
    }
    destinationNames = names(of: destination) {
      InferenceFinding(.sharedEntityIdentifier, entity: $0, name: $1)
    }
  }

  /// The mapping model, and what it depends on.
  mutating func mapping() throws(InferenceError) -> InferredMapping {
    findMergedHierarchies()
    var mappings = destination.model.entities.compactMap { entityMapping(to: $0) }
    mappings += source.model.entities.compactMap { removal(of: $0) }
    let reasons = findings.filter { !$0.code.isCondition }
    guard reasons.isEmpty else { throw InferenceError(reasons: reasons) }
    return InferredMapping(
      model: MappingModel(entityMappings: mappings), conditions: findings,
      changeCount: changeCount)
  }

  /// The names of a model's entities by renaming identifier; two with the same one are a finding.
  private mutating func names(
    of model: Model, _ finding: (_ entity: String, _ other: String) -> InferenceFinding
  ) -> [String: String] {
    var names: [String: String] = [:]
    for entity in model.entities {
      if let other = names[entity.identifier] {
        findings.append(finding(entity.name, other))
      } else {
        names[entity.identifier] = entity.name
      }
    }
    return names
  }

  // MARK: Entities

  /// The source entity whose objects those of a destination entity were.
  func sourceEntity(of entity: Entity) -> Entity? {
    sourceNames[entity.identifier].flatMap { source.entity($0) }
  }

  /// The destination entity that the objects of a source entity become.
  func destinationEntity(of entity: Entity) -> Entity? {
    destinationNames[entity.identifier].flatMap { destination.entity($0) }
  }

  func properties(ofSource entity: Entity) -> IdentifiedProperties {
    sourceProperties[entity.name] ?? IdentifiedProperties(of: entity)
  }

  func properties(ofDestination entity: Entity) -> IdentifiedProperties {
    destinationProperties[entity.name] ?? IdentifiedProperties(of: entity)
  }

  /// Entities that have come under one root, though they had several: "if two existing entities
  /// don't share a common parent in the source, they can't share a common parent in the
  /// destination".
  private mutating func findMergedHierarchies() {
    var sourceRoots: [String: Set<String>] = [:]
    for entity in destination.model.entities {
      guard let old = sourceEntity(of: entity) else { continue }
      sourceRoots[destination.root(of: entity.name), default: []].insert(
        source.root(of: old.name))
    }
    for (root, roots) in sourceRoots.sorted(by: { $0.key.precedesInBytes($1.key) })
    where roots.count > 1 {
      let names = roots.sorted { $0.precedesInBytes($1) }.joined(separator: ", ")
      findings.append(InferenceFinding(.mergedHierarchies, entity: root, name: names))
    }
  }

  /// The mapping that gives a destination entity its objects; nil if it can have none.
  private mutating func entityMapping(to entity: Entity) -> MigrationEntityMapping? {
    guard let old = sourceEntity(of: entity) else {
      changeCount += count(of: entity, properties(ofDestination: entity))
      guard !entity.isAbstract else { return nil }
      return MigrationEntityMapping(
        name: Self.name(.add, entity), kind: .add, destinationEntityName: entity.name,
        destinationVersionHash: destination.hashes[entity.name])
    }
    guard !entity.isAbstract else {
      if !old.isAbstract {
        findings.append(
          InferenceFinding(
            .abstractEntity, sourceEntity: old.name, entity: entity.name, name: old.name))
        changeCount += 1
      }
      return nil
    }
    let changesBefore = changeCount
    let properties = propertyMappings(from: old, to: entity)
    findConstraints(from: old, to: entity)
    let kind = kind(from: old, to: entity)
    // It may have changed in other ways, too: its name, its parent, its hash modifier.
    if kind == .transform, changeCount == changesBefore { changeCount += 1 }
    return MigrationEntityMapping(
      name: Self.name(kind, entity), kind: kind,
      sourceEntityName: old.name, sourceVersionHash: source.hashes[old.name],
      destinationEntityName: entity.name,
      destinationVersionHash: destination.hashes[entity.name],
      sourceExpression: .objects(of: old.name),
      attributeMappings: properties.attributes, relationshipMappings: properties.relationships)
  }

  /// Whether an entity stays as it is: its version hash, and by what its properties are found
  /// again.
  private func kind(from old: Entity, to new: Entity) -> MigrationEntityMapping.Kind {
    let isSame =
      source.hashes[old.name] == destination.hashes[new.name]
      && properties(ofSource: old).names == properties(ofDestination: new).names
    return isSame ? .copy : .transform
  }

  /// The name of the mapping from an entity of the source to one of the destination.
  func mappingName(from old: Entity, to new: Entity) -> String {
    Self.name(kind(from: old, to: new), new)
  }

  /// The mapping that lets go of the objects of a source entity; nil if they stay, or there are
  /// none.
  ///
  /// An entity that becomes abstract has one, too: nothing else may fetch its objects.
  private mutating func removal(of entity: Entity) -> MigrationEntityMapping? {
    let new = destinationEntity(of: entity)
    if new == nil { changeCount += count(of: entity, properties(ofSource: entity)) }
    guard !entity.isAbstract, new?.isAbstract ?? true else { return nil }
    return MigrationEntityMapping(
      name: Self.name(.remove, entity), kind: .remove, sourceEntityName: entity.name,
      sourceVersionHash: source.hashes[entity.name],
      sourceExpression: .objects(of: entity.name))
  }

  /// How many changes an entity is that is new or removed: itself and the properties of its objects.
  private func count(of entity: Entity, _ properties: IdentifiedProperties) -> Int {
    1 + (entity.isAbstract ? 0 : properties.names.count)
  }

  /// Uniqueness constraints that the source has not had.
  private mutating func findConstraints(from old: Entity, to new: Entity) {
    for constraint in new.uniquenessConstraints
    where !old.uniquenessConstraints.contains(constraint) {
      changeCount += 1
      findings.append(
        InferenceFinding(
          .newUniquenessConstraint, sourceEntity: old.name, entity: new.name,
          name: constraint.joined(separator: ", ")))
    }
  }

  /// The name that Core Data gives an entity mapping that it infers.
  static func name(_ kind: MigrationEntityMapping.Kind, _ entity: Entity) -> String {
    "IEM_\(kind.word.prefix(1).uppercased())\(kind.word.dropFirst())_\(entity.identifier)"
  }
}

// Relationships: what becomes of them, and which objects they lead to.
extension MappingInference {
  mutating func mapping(
    of relationship: Relationship, from old: Relationship?, _ place: Place
  ) -> MigrationPropertyMapping {
    guard let old else {
      changeCount += 1
      if relationship.demandedCount > 0 {
        find(.newMandatoryRelationship, place, relationship.name)
      }
      return MigrationPropertyMapping(name: relationship.name)
    }
    if old.differs(from: relationship) { changeCount += 1 }
    if old.isToMany, !relationship.isToMany {
      find(.toManyBecomesToOne, place, relationship.name)
    }
    checkCount(of: relationship, old, place)
    let targets = targets(of: old)
    let fitting = targets.filter { target in
      relationship.destinations.contains { destination.isKind(target.new.name, of: $0) }
    }
    if fitting.count < targets.count {
      let others = targets.map(\.new.name).filter { name in
        !fitting.contains { $0.new.name == name }
      }
      find(
        .excludedDestination, place, relationship.name, others.joined(separator: ", "))
    }
    return MigrationPropertyMapping(
      name: relationship.name,
      valueExpression: targets.isEmpty ? nil : expression(of: relationship, old, fitting))
  }

  /// What a relationship requires of the objects that the source does not.
  private mutating func checkCount(
    of relationship: Relationship, _ old: Relationship, _ place: Place
  ) {
    var requirements: [String] = []
    if relationship.demandedCount > old.demandedCount {
      requirements.append(
        relationship.demandedCount == 1 ? "one" : "\(relationship.demandedCount) at least")
    }
    let (most, oldMost) = (relationship.greatestCount, old.greatestCount)
    if relationship.isToMany, let most, oldMost.map({ $0 > most }) ?? true {
      requirements.append("\(most) at most")
    }
    if !requirements.isEmpty {
      find(.mandatoryRelationship, place, relationship.name, requirements.joined(separator: ", "))
    }
  }

  /// An entity whose objects a relationship of the source holds, and what they become.
  private struct Target {
    let old: Entity
    let new: Entity
  }

  /// The entities whose objects a relationship of the source may hold, without those that are
  /// removed or cannot have any.
  private func targets(of relationship: Relationship) -> [Target] {
    relationship.destinations.flatMap { source.withDescendants($0) }.compactMap { name in
      guard let entity = source.entity(name), !entity.isAbstract,
        let new = destinationEntity(of: entity), !new.isAbstract
      else { return nil }
      return Target(old: entity, new: new)
    }
  }

  /// What the objects of a relationship have become.
  ///
  /// As in compiled mapping models, one entity mapping is named if it alone can have made them, and
  /// no entity inherits from theirs. Where the relationship can hold none of them, it is followed
  /// all the same, so that the links that are left behind are counted.
  private func expression(
    of relationship: Relationship, _ old: Relationship, _ targets: [Target]
  ) -> ExpressionNode {
    let objects = ExpressionNode.sourceValue(old.name)
    guard targets.count == 1, let target = targets.first,
      !relationship.destinations.contains(where: destination.hasChildren)
    else { return .destinationInstances(ofSourceRelationship: old.name, objects) }
    return .destinationInstances(
      ofEntityMapping: mappingName(from: target.old, to: target.new), objects)
  }
}

extension Relationship {
  /// How many objects it must hold in every object that has it.
  fileprivate var demandedCount: Int { isOptional ? 0 : requiredCount }

  /// How many objects it may hold; nil without a limit.
  fileprivate var greatestCount: Int? { maximumCount > 0 ? maximumCount : nil }

  /// Whether it has another name, or one of the traits that version hashes have of relationships.
  fileprivate func differs(from other: Relationship) -> Bool {
    name != other.name || destinations.first != other.destinations.first
      || inverse != other.inverse || isOptional != other.isOptional
      || minimumCount != other.minimumCount || maximumCount != other.maximumCount
      || isOrdered != other.isOrdered || versionHashModifier != other.versionHashModifier
  }
}
