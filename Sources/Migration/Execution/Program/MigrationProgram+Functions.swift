import Mappings

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
