import DataModel
import GraphCore

// Expressions: what they refer to, and what they need of the app's code.
extension MappingModelCheck {
  /// What is found about the expressions of an entity mapping.
  static func expressionFindings(
    _ mapping: MigrationEntityMapping, _ context: Context
  ) -> [MappingModelFinding] {
    var findings = findings(in: mapping.sourceExpression, nil, mapping, context)
    for property in mapping.attributeMappings {
      findings += Self.findings(in: property.valueExpression, property.name, mapping, context)
    }
    for property in mapping.relationshipMappings {
      findings += Self.findings(in: property.valueExpression, property.name, mapping, context)
      if let other = otherRelationship(property) {
        findings.append(
          MappingModelFinding(
            .otherRelationship, entity: mapping.name, property: property.name, name: other))
      }
    }
    return findings
  }

  private static func findings(
    in expression: MigrationExpression?, _ property: String?, _ mapping: MigrationEntityMapping,
    _ context: Context
  ) -> [MappingModelFinding] {
    var findings: [MappingModelFinding] = []
    func find(_ code: MappingModelFinding.Code, _ name: String) {
      findings.append(
        MappingModelFinding(code, entity: mapping.name, property: property, name: name))
    }
    func check(_ steps: [MigrationExpression.KeyPathStep], from entity: String) {
      guard !context.source.leads(steps, from: entity) else { return }
      find(.unknownSourceProperty, steps.map(\.format).joined(separator: "."))
    }
    expression?.visitParts { part in
      switch part {
      case .unknown(let unknown): find(.unknownExpression, "\(unknown)")
      case .keyPath(.variable(.source), let steps):
        if let entity = mapping.sourceEntityName { check(steps, from: entity) }
      case .function(let target, let selector, let arguments):
        if let (code, name) = functionFinding(target, selector, arguments, mapping, context) {
          find(code, name)
        }
      case .fetch(let fetch):
        fetch.predicate.visitParts { part in
          if case .keyPath(.evaluatedObject, let steps) = part {
            check(steps, from: fetch.entityName)
          }
        }
      default: break
      }
    }
    return findings
  }

  /// The methods of NSMigrationManager to which the name of an entity mapping is given.
  private static let mappingSelectors: Set<String> = [
    MigrationExpression.Selector.byEntityMapping,
    "sourceInstancesForEntityMappingNamed:destinationInstances:",
  ]

  private static func functionFinding(
    _ target: MigrationExpression, _ selector: String, _ arguments: [MigrationExpression],
    _ mapping: MigrationEntityMapping, _ context: Context
  ) -> (MappingModelFinding.Code, String)? {
    switch target {
    case .variable(.manager) where mappingSelectors.contains(selector):
      guard case .constant(.text(let name)) = arguments.first, !context.names.contains(name) else {
        return nil
      }
      return (.unknownEntityMapping, name)
    case .variable(.manager) where selector == MigrationExpression.Selector.byRelationship:
      guard case .constant(.text(let name)) = arguments.first,
        let entity = mapping.sourceEntityName, context.source.entity(entity) != nil,
        context.source.relationship(name, of: entity) == nil
      else { return nil }
      return (.unknownSourceProperty, name)
    case .variable(.manager): return (.unknownManagerFunction, selector)
    case .variable(.entityPolicy):
      let isKnown = mapping.policyClassName != nil || PolicyRequirement.inherited.contains(selector)
      return isKnown ? nil : (.functionWithoutPolicy, selector)
    default: return (.objectFunction, selector)
    }
  }

  /// The source's relationship that fills a relationship of another name.
  private static func otherRelationship(_ property: MigrationPropertyMapping) -> String? {
    guard case .function(.variable(.manager), _, let arguments) = property.valueExpression,
      arguments.count == 2, case .keyPath(.variable(.source), let steps) = arguments[1],
      steps.count == 1, case .key(let key) = steps[0], key != property.name
    else { return nil }
    return key
  }
}

extension ModelIndex {
  /// Whether a path leads to a property of an entity, or of those that inherit from it.
  ///
  /// What is in the value of an attribute is not known, so a path may go on there. A path from an
  /// unknown entity is right, since that is a finding of its own.
  fileprivate func leads(_ steps: [MigrationExpression.KeyPathStep], from entity: String) -> Bool {
    guard self.entity(entity) != nil else { return true }
    var entities = [entity]
    for step in steps {
      guard case .key(let key) = step else { continue }
      // Every object has these.
      if ["self", "objectID", "entity"].contains(key) { return true }
      let candidates = entities.flatMap(withDescendants)
      let relationships = candidates.compactMap { relationship(key, of: $0) }
      guard !relationships.isEmpty else {
        return candidates.contains { attribute(key, of: $0) != nil }
      }
      entities = Array(Set(relationships.flatMap(\.destinations)))
    }
    return true
  }
}
