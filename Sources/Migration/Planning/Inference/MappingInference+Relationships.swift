import DataModel
import Mappings
import Support

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
