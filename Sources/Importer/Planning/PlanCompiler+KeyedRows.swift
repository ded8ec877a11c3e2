/// The choice of the classes that can be written straight from the archive together.
extension PlanCompiler {
  /// The entity that the archives show for a class, if each of its objects becomes one row of its
  /// own.
  func entityOfOwnRows(_ plan: ImportPlan.EntityPlan, _ className: String) -> Entity? {
    // A row of several classes, or one that others find, is not made by one class alone.
    guard plan.isSimple, plan.policy == nil,
      model.entities[plan.entity].archivedClasses.count <= 1 || given != nil
    else { return nil }
    return inferredEntity(of: className)
  }

  /// Removes the classes with a relationship that leads out of these, or means something else in
  /// the model than in the archives: what it leads to must be among them, and what leads back.
  func removeUnfit(_ rows: inout [String: KeyedRow], _ hierarchy: EntityHierarchy) {
    var isStable = false
    while !isStable {
      isStable = true
      for (name, row) in rows {
        let isFit = inferredEntity(of: name)?.relationships.allSatisfy {
          isSame($0, row, among: rows, hierarchy)
        }
        guard isFit == false else { continue }
        rows[name] = nil
        isStable = false
      }
    }
  }

  /// True if an inferred relationship means the same in the model that was made.
  private func isSame(
    _ relationship: Relationship, _ found: KeyedRow, among plain: [String: KeyedRow],
    _ hierarchy: EntityHierarchy
  ) -> Bool {
    guard let name = found.links[relationship.key] else { return true }
    guard
      let declared = hierarchy.relationship(
        name, of: found.entity, in: model, isToMany: relationship.isToMany),
      declared.isOrdered == relationship.isOrdered
    else { return false }
    for destination in relationship.destinations {
      guard let target = inferredEntity(named: destination),
        let targetClass = target.archivedClasses.first, let row = plain[targetClass],
        declared.destinations.contains(model.entities[row.entity].name)
      else { return false }
    }
    guard let inverse = relationship.inverse else { return declared.inverse == nil }
    guard let target = inferredEntity(named: relationship.destinations[0]),
      let targetClass = target.archivedClasses.first,
      let back = target.relationships.first(where: { $0.name == inverse })
    else { return false }
    return declared.inverse != nil
      && declared.inverse == plain[targetClass]?.links[back.key]
  }
}
