/// Collections of which a mapping says that their order does not matter, though the archives have
/// one: what is lost so is told, unless a model says it.
extension PlanCompiler {
  /// True if a relationship loses the order of the collections that it is made of.
  func dropsOrder(
    _ mapping: RelationshipMapping, _ stored: StoredRelationship, _ draft: EntityDraft
  ) -> Bool {
    guard stored.isToMany, !stored.isOrdered, mapping.split == nil,
      let key = mapping.source.value.key
    else { return false }
    return hasOrder(key, draft)
  }

  /// True if the archives have collections with an order under a key of a draft's classes.
  func hasOrder(_ key: String, _ draft: EntityDraft) -> Bool {
    guard given == nil else { return false }
    return draft.sources.contains { source in
      guard let found = inferredEntity(of: source) else { return false }
      return found.relationships.contains { $0.key == key && $0.isToMany && $0.isOrdered }
        || found.collections.contains { $0.key == key && $0.isOrdered }
    }
  }
}

extension ImportPlan.EntityPlan {
  /// The keys of collections whose order is lost.
  var unorderedKeys: Set<String> {
    Set(
      relationships.filter(\.dropsOrder).compactMap { $0.source.keyPath?.first }
        + collections.filter(\.dropsOrder).map(\.key))
  }

  /// True if the order of collections is lost.
  var dropsOrder: Bool { !unorderedKeys.isEmpty }
}
