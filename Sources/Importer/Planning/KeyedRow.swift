extension PlanCompiler {
  /// Objects that become one row each, whose keys are its properties.
  struct KeyedRow {
    let entity: Int
    /// The property of each key that leads to rows, or holds a collection.
    private(set) var links: [String: String] = [:]
    /// The attribute of each key.
    private var columns: [String: String] = [:]
    /// The places of the attributes whose values are bound as they stand.
    var bound: Set<Int> = []
    /// True if the keys are columns as they stand, and nothing else is made of them.
    var isPlain: Bool
    /// True if it has relationships for which the entity's table has no room.
    let isOverflowing: Bool

    /// The property of each key, where that is all that there is to know.
    var properties: [String: String] { links.merging(columns) { link, _ in link } }

    init(_ plan: ImportPlan.EntityPlan) {
      entity = plan.entity
      isPlain = plan.unread.isEmpty && !plan.dropsOrder
      isOverflowing = !plan.overflowing.isEmpty
    }

    /// Lets a key lead to an attribute.
    mutating func add(_ key: String, attribute name: String) {
      if (columns[key] ?? links[key] ?? name) != name { isPlain = false }
      columns[key] = name
    }

    /// Lets a key lead to rows, or to a collection; returns false if it leads elsewhere.
    mutating func add(_ key: String, link name: String) -> Bool {
      if (columns[key] ?? name) != name { isPlain = false }
      guard links[key] == nil || links[key] == name else { return false }
      links[key] = name
      return true
    }

    /// Lets a key lead to a relationship; returns false if it is not one key that leads to rows by
    /// itself.
    ///
    /// - Parameters:
    ///   - plan: The relationship.
    ///   - shape: The entity.
    ///   - found: The entity that the archives show for the class.
    /// - Returns: True if it leads there.
    mutating func add(
      _ plan: ImportPlan.RelationshipPlan, _ shape: EntityShape, _ found: Entity
    ) -> Bool {
      guard plan.split == nil, plan.entityMapping == nil, let key = plan.source.key,
        found.relationships.contains(where: { $0.key == key }),
        let name = shape.relationshipIndices.first(where: { $0.value == plan.relationship })?.key
      else { return false }
      return add(key, link: name.replacing(StoredRelationship.secondSuffix, with: ""))
    }
  }
}
