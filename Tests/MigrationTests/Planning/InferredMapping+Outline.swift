import Migration

extension InferredMapping {
  /// The mapping model in few lines: the name of each entity mapping, where it leads, and each
  /// property with what gives its value; then the conditions.
  var outline: [String] {
    model.entityMappings.map { mapping in
      let properties = (mapping.attributeMappings + mapping.relationshipMappings).map { property in
        let value =
          property.valueExpression?.format
          .replacing(
            "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", ",
            with: "mapped("
          )
          .replacing(
            "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", ",
            with: "related("
          )
          .replacing("IEM_", with: "").replacing("$source.", with: "$")
        return "\(property.name) = \(value ?? "-")"
      }
      let ends = [mapping.sourceEntityName, mapping.destinationEntityName].compactMap { $0 }
      let head = "\(mapping.name.dropFirst("IEM_".count)) (\(ends.joined(separator: " to ")))"
      return ([head] + properties).joined(separator: "; ")
    } + conditions.map { "\($0)" }
  }
}
