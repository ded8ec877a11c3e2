import Mappings

/// A policy class that a mapping model names, and what it has to do.
///
/// What a policy overrides stands in the app's code alone. A mapping model tells for which entity
/// mappings it is asked, and which functions of its own their expressions call.
package struct PolicyRequirement: Sendable, Hashable {
  /// An entity mapping that names the policy.
  package struct Use: Sendable, Hashable {
    /// The name of the entity mapping.
    package var entityMapping: String
    package var sourceEntityName: String?
    package var destinationEntityName: String?
    /// The functions that its expressions call, in the order of its properties.
    package var functions: [Function]
  }

  /// A function of a policy.
  package struct Function: Sendable, Hashable {
    package var selector: String
    package var argumentCount: Int
    /// The properties whose expressions call it; none for a source expression.
    package var properties: [String]
  }

  /// The name of the class, with that of its module if the mapping model has it.
  package var className: String
  /// The entity mappings that name it, in order.
  package var uses: [Use]

  /// The policies that a mapping model names, in the order of its entity mappings.
  package static func all(of model: MappingModel) -> [PolicyRequirement] {
    var requirements: [PolicyRequirement] = []
    var indexes: [String: Int] = [:]
    for mapping in model.entityMappings {
      guard let className = mapping.policyClassName else { continue }
      let use = Use(
        entityMapping: mapping.name, sourceEntityName: mapping.sourceEntityName,
        destinationEntityName: mapping.destinationEntityName, functions: functions(of: mapping))
      if let index = indexes[className] {
        requirements[index].uses.append(use)
      } else {
        indexes[className] = requirements.count
        requirements.append(PolicyRequirement(className: className, uses: [use]))
      }
    }
    return requirements
  }

  /// The functions of its policy that the expressions of an entity mapping call.
  private static func functions(of mapping: MigrationEntityMapping) -> [Function] {
    var functions: [Function] = []
    func collect(_ expression: ExpressionNode?, _ property: String?) {
      expression?.visitParts { part in
        guard case .call(let use, _) = part, use.receiver == "entityPolicy",
          use.selector != MigrationSelector.nonNilValue
        else { return }
        let index = functions.firstIndex {
          $0.selector == use.selector && $0.argumentCount == use.argumentCount
        }
        let properties = property.map { [$0] } ?? []
        if let index {
          functions[index].properties += properties
        } else {
          functions.append(
            Function(
              selector: use.selector, argumentCount: use.argumentCount, properties: properties))
        }
      }
    }
    collect(mapping.sourceExpression, nil)
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      collect(property.valueExpression, property.name)
    }
    return functions
  }
}

extension PolicyRequirement: CustomStringConvertible {
  /// The class and what it has to do: `TagPolicy migrates NoteToNote (Note to Note)`.
  package var description: String {
    let uses = uses.map { use in
      let entities = [use.sourceEntityName, use.destinationEntityName].compactMap { $0 }
      let functions = use.functions.map { function in
        function.properties.isEmpty
          ? function.selector
          : "\(function.selector) for \(function.properties.joined(separator: ", "))"
      }
      let calls =
        functions.isEmpty ? "" : ", with the functions \(functions.joined(separator: "; "))"
      return "\(use.entityMapping) (\(entities.joined(separator: " to "))\(calls))"
    }
    return "\(className) migrates \(uses.joined(separator: ", "))"
  }
}
