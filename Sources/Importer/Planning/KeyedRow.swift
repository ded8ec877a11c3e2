extension PlanCompiler {
  /// Objects that become one row each, whose keys are its properties.
  struct KeyedRow {
    let entity: Int
    /// The property of each key.
    private(set) var properties: [String: String] = [:]

    init(entity: Int, properties: [String: String] = [:]) {
      self.entity = entity
      self.properties = properties
    }

    /// Lets a key lead to a property; returns false if it leads to another.
    mutating func add(_ key: String, _ name: String) -> Bool {
      guard properties[key] == nil || properties[key] == name else { return false }
      properties[key] = name
      return true
    }

    /// Lets a key lead to a relationship; returns false if it is not one key that leads to rows by
    /// itself.
    ///
    /// - Parameters:
    ///   - plan: The relationship.
    ///   - shape: The entity.
    ///   - found: What the archives show of the class.
    /// - Returns: Whether it leads there.
    mutating func add(
      _ plan: ImportPlan.RelationshipPlan, _ shape: EntityShape, _ found: Entity
    ) -> Bool {
      guard plan.split == nil, plan.entityMapping == nil, let key = plan.source.key,
        found.relationships.contains(where: { $0.key == key }),
        let name = shape.relationshipIndices.first(where: { $0.value == plan.relationship })?.key
      else { return false }
      return add(key, name.replacing(StoredRelationship.secondSuffix, with: ""))
    }
  }
}
