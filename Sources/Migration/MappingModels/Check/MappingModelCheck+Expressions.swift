import DataModel
import Mappings

// Expressions: what they refer to, and what they need of the app's code.
extension MappingModelCheck {
  /// The findings about the expressions of an entity mapping.
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
    in expression: ExpressionNode?, _ property: String?, _ mapping: MigrationEntityMapping,
    _ context: Context
  ) -> [MappingModelFinding] {
    var findings: [MappingModelFinding] = []
    func find(_ code: MappingModelFinding.Code, _ name: String) {
      findings.append(
        MappingModelFinding(code, entity: mapping.name, property: property, name: name))
    }
    func check(_ part: ExpressionNode, _ start: ExpressionNode, of entity: String) {
      guard let path = part.path, path.start == start,
        let code = context.source.obstacle(of: path.steps, from: entity)
      else { return }
      find(code, path.steps.joined(separator: "."))
    }
    expression?.visitParts { part in
      switch part {
      case .unknown(let unknown): find(.unknownExpression, "\(unknown)")
      case .keys, .collection:
        if let entity = mapping.sourceEntityName { check(part, .source, of: entity) }
      case .call(let use, let arguments):
        if let (code, name) = functionFinding(use, arguments, mapping, context) {
          find(code, name)
        }
      case .foreign("FUNCTION", let arguments):
        if arguments.count > 1, let name = arguments[1].text { find(.objectFunction, name) }
      case .fetch(let entity, let predicate, _):
        predicate.visitParts { check($0, .variable(nil), of: entity) }
      default: break
      }
    }
    // That of a source expression is a finding about it as a whole.
    if findings.isEmpty, property != nil, let expression, let mistake = expression.mistake {
      if case .opaque = expression {
        find(.unsuitableConstant, expression.format)
      } else {
        find(.unsupportedExpression, "\(expression.format): \(mistake.sentence)")
      }
    }
    return findings
  }

  private static func functionFinding(
    _ use: FunctionUse, _ arguments: [ExpressionNode], _ mapping: MigrationEntityMapping,
    _ context: Context
  ) -> (MappingModelFinding.Code, String)? {
    switch (use.receiver, use.selector) {
    case ("manager", MigrationSelector.byEntityMapping), ("manager", MigrationSelector.sources):
      guard let name = arguments.first?.text, !context.names.contains(name) else { return nil }
      return (.unknownEntityMapping, name)
    case ("manager", MigrationSelector.byRelationship):
      guard let name = arguments.first?.text, let entity = mapping.sourceEntityName,
        context.source.entity(entity) != nil,
        context.source.relationship(name, of: entity) == nil
      else { return nil }
      return (.unknownSourceProperty, name)
    case ("manager", let selector): return (.unknownManagerFunction, selector)
    case ("entityPolicy", let selector):
      let isKnown = mapping.policyClassName != nil || selector == MigrationSelector.nonNilValue
      return isKnown ? nil : (.functionWithoutPolicy, selector)
    case (_, let selector): return (.objectFunction, selector)
    }
  }

  /// The source's relationship that fills a relationship of another name.
  private static func otherRelationship(_ property: MigrationPropertyMapping) -> String? {
    guard case .call(let use, let arguments) = property.valueExpression,
      use.receiver == "manager", arguments.count == 2, let key = arguments[1].sourceKey,
      key != property.name
    else { return nil }
    return key
  }
}

extension ModelIndex {
  /// The reason why a path leads to no property of an entity, nor of those that inherit from it; nil
  /// if it does.
  ///
  /// What is in the value of an attribute is not known, so a path may go on there. A path from an
  /// unknown entity is right, since that is a finding of its own.
  package func obstacle(of steps: [String], from entity: String) -> MappingModelFinding.Code? {
    guard self.entity(entity) != nil else { return nil }
    var entities = [entity]
    for key in steps where !key.hasPrefix("@") && key != "self" {
      let candidates = Set(entities.flatMap(withDescendants))
      let relationships = candidates.compactMap { relationship(key, of: $0) }
      guard !relationships.isEmpty else {
        if candidates.contains(where: { attribute(key, of: $0) != nil }) { return nil }
        // Core Data's objects have these, but no store does.
        return ["objectID", "entity"].contains(key)
          ? .unsupportedExpression : .unknownSourceProperty
      }
      entities = Array(Set(relationships.flatMap(\.destinations)))
    }
    return nil
  }
}
