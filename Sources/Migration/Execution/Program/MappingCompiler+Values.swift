import DataModel
import GraphCore
import Mappings

// Values of attributes, and what relationships lead to.
extension MappingCompiler {
  /// Where the value of an attribute comes from.
  func value(
    of mapping: MigrationPropertyMapping, _ attribute: Attribute, _ from: Int?,
    _ isEager: inout Bool
  ) -> PlannedValue {
    guard let expression = mapping.valueExpression else {
      return .constant(attribute.initialValue)
    }
    switch expression {
    case .constant(.list): break
    case .constant(let value):
      guard let fitted = value.fitted(to: attribute.type) else { fallthrough }
      return .constant(fitted)
    case .keys:
      if let key = expression.sourceKey, let from,
        let found = sourceHierarchy.attribute(key, of: from, in: source)
      {
        // What is not stored is nil when a store is migrated.
        guard found.isStored else { return .constant(.null) }
        return .copy(key: key, fits: found.type == attribute.type, default: .null)
      }
    case .call(let use, let arguments)
    where use.receiver == "entityPolicy" && use.selector == MigrationSelector.nonNilValue:
      if let key = arguments.first?.text, let from,
        let found = sourceHierarchy.attribute(key, of: from, in: source), found.isStored
      {
        return .copy(
          key: key, fits: found.type == attribute.type, default: attribute.initialValue)
      }
    case .ternary(let condition, .constant(let initial), let value):
      // What inferred mapping models have for mandatory attributes: the value, or else a constant.
      if let key = value.sourceKey, condition == .isNil(value), let from,
        let found = sourceHierarchy.attribute(key, of: from, in: source), found.isStored,
        let fitted = initial.fitted(to: attribute.type)
      {
        return .copy(key: key, fits: found.type == attribute.type, default: fitted)
      }
    default: break
    }
    if isStored(expression) {
      isEager = true
      return .stored(ValueExpression(expression))
    }
    return .computed(ValueExpression(expression))
  }

  /// Whether an expression is computed once: its value depends on a policy, on what policies share,
  /// or on the object that is being made.
  private func isStored(_ expression: ExpressionNode) -> Bool {
    var isStored = false
    expression.visitParts { part in
      let name: String? =
        switch part {
        case .variable(let name): name
        case .call(let use, _): use.receiver
        default: nil
        }
      if let name {
        isStored = isStored || ["manager", "entityPolicy", "destination"].contains(name)
      }
    }
    return isStored
  }

  /// Where a relationship leads to.
  func links(
    of mapping: MigrationPropertyMapping, _ relationship: Relationship, _ part: Int
  ) throws(MappingModelFinding) -> PlannedValue {
    let from = parts[part].source
    guard let expression = mapping.valueExpression else { return .none }
    switch expression {
    case .constant(.null): return .none
    case .call(let use, let arguments)
    where use.receiver == "manager" && use.selector != MigrationSelector.sources:
      guard arguments.count == 2, let name = arguments[0].text,
        MigrationSelector.ofManager.contains(use.selector)
      else { break }
      let sources = sources(arguments[1], from)
      let mappings =
        use.selector == MigrationSelector.byEntityMapping
        ? try mappings(named: name, mapping.name, relationship, part, of: sources)
        : mappings(leadingTo: relationship, from, name)
      return .links(PlannedMapping.Links(sources: sources, mappings: mappings))
    default: break
    }
    return .objects(ValueExpression(expression))
  }

  private func sources(
    _ expression: ExpressionNode, _ from: Int?
  ) -> PlannedMapping.Links.Sources {
    if expression == .source { return .itself }
    if let key = expression.sourceKey, let from,
      sourceHierarchy.relationship(key, of: from, in: source) != nil
    {
      return .relationship(key)
    }
    return .expression(ValueExpression(expression))
  }

  /// The entities that source objects are of; nil if that is not known.
  private func entities(of sources: PlannedMapping.Links.Sources, _ part: Int) -> [Int]? {
    guard let from = fetchedEntity(part) else { return nil }
    switch sources {
    case .itself: return [from]
    case .relationship(let key):
      return sourceHierarchy.relationship(key, of: from, in: source)?.destinations
        .compactMap(sourceHierarchy.index)
    case .expression: return nil
    }
  }

  /// The source entity whose objects an entity mapping migrates, and which of them; nil if it
  /// migrates no objects.
  func fetch(_ mapping: MigrationEntityMapping) -> (entity: Int, filter: FilterPredicate?)? {
    guard case .fetch(let name, let predicate, _) = mapping.sourceExpression,
      let entity = sourceHierarchy.index(of: name)
    else { return nil }
    return (entity, predicate == .truth(true) ? nil : FilterPredicate(predicate))
  }

  /// The entity whose objects an entity mapping migrates, or a policy makes objects of.
  private func fetchedEntity(_ part: Int) -> Int? {
    fetch(parts[part].mapping)?.entity ?? parts[part].source
  }

  /// Whether an entity mapping can have made something of objects of some entities.
  private func takes(_ mapping: Int, _ entities: [Int]) -> Bool {
    guard let source = fetchedEntity(mapping) else { return false }
    return entities.contains {
      sourceHierarchy.isKind(source, of: $0) || sourceHierarchy.isKind($0, of: source)
    }
  }

  /// The entity mappings of a name, whose objects the relationship has to be able to hold: those of
  /// the same mapping model, or else of another one.
  ///
  /// One that makes nothing of the source objects that it is asked for gives none: then it does not
  /// matter what it makes of others.
  private func mappings(
    named name: String, _ property: String, _ relationship: Relationship, _ part: Int,
    of sources: PlannedMapping.Links.Sources
  ) throws(MappingModelFinding) -> [Int] {
    let entities = entities(of: sources, part)
    var found = parts.indices.filter { parts[$0].mapping.name == name }
    if found.contains(where: { parts[$0].pass == parts[part].pass }) {
      found.removeAll { parts[$0].pass != parts[part].pass }
    }
    for index in found where parts[index].mapping.policyClassName == nil {
      guard let entity = parts[index].destination else { continue }
      guard holds(relationship, entity) else {
        if let entities, !takes(index, entities) {
          found.removeAll { $0 == index }
          continue
        }
        let other = destination.entities[entity].name
        throw MappingModelFinding(
          .otherDestination, entity: parts[part].mapping.name, property: property,
          name: "it leads to \(relationship.destinations.joined(separator: ", ")), "
            + "and \(name) makes objects of \(other)")
      }
    }
    return found
  }

  /// The entity mappings that make objects for a relationship out of those that a relationship of
  /// the source leads to, in whatever mapping model.
  private func mappings(
    leadingTo relationship: Relationship, _ from: Int?, _ name: String
  ) -> [Int] {
    let targets = from.flatMap { sourceHierarchy.relationship(name, of: $0, in: source) }?
      .destinations.compactMap(sourceHierarchy.index)
    return parts.indices.filter { index in
      guard parts[index].source != nil, let made = parts[index].destination else { return false }
      let isAsked = targets.map { takes(index, $0) } ?? true
      let isOpen = parts[index].mapping.policyClassName != nil
      return isAsked && (isOpen || holds(relationship, made))
    }
  }

  /// Whether a relationship can lead to objects of an entity.
  private func holds(_ relationship: Relationship, _ entity: Int) -> Bool {
    relationship.destinations.compactMap(destination.hierarchy.index)
      .contains { destination.hierarchy.isKind(entity, of: $0) }
  }
}
