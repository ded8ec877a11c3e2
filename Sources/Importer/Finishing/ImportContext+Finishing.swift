import Stores

extension ImportContext {
  /// The third stage: puts right what only the whole run tells, and checks what the model states of
  /// rows and relationships.
  func finish() throws {
    try endTurn()
    if !aliases.isEmpty { try AliasReplacement(aliases: aliases, rows: storedRows).replace() }
    try writeNarrowed()
    // From here on, the store knows it all.
    links.advance(to: lastIDs)
    let numbering = MemberNumbering(plan: plan, rows: storedRows, isAppending: isAppending)
    let hasDeleted = try deleteRows()
    if hasDeleted { try numbering.numberElements() }
    try numbering.numberMembers(where: isUneven)
    let usesCode = plan.reasonToRepeat != nil
    try MemberCounting(model: plan.model, rows: storedRows, isAppending: isAppending)
      .count(hasDeleted ? nil : links.earlierCounts) {
        usesCode || links.setAgain.contains($0) || isUneven($0)
      }
    try ModelRules(model: plan.model, rows: storedRows).validate { error, row, table in
      report.add(error, at: origin(of: row, table: table))
    }
  }

  /// Notes the rows that are alike in what the model of the inputs says is unique.
  ///
  /// What is in a Core Data store is kept whether or not it fits the rules of its model.
  package func noteRepetitions(against declared: Model) throws(StoreError) {
    report.omissions = try ModelRules(model: plan.model, rows: storedRows)
      .repetitions(against: declared)
  }

  /// Deletes the rows that policies and hooks deleted; returns whether there are any.
  private func deleteRows() throws -> Bool {
    try deleteGone()
    guard !deleted.isEmpty else { return !migrated.gone.isEmpty }
    links.unevenOrders.formUnion(relationships.indices)
    for denial in try RowDeletion(rows: storedRows).delete(deleted.compactMap(resolved)) {
      let entity = entities[denial.row.entity]
      report.add(
        ValidationError(
          .deleteDenied, entity: entity.name, row: denial.row.id, property: denial.relationship),
        at: origin(of: denial.row.id, table: entity.table))
    }
    deleted = []
    return true
  }

  /// The archive, and the object in it, that a row came from.
  package func origin(of row: Int64, table: Int) -> ImportFindings.Location {
    answer(orElse: .init()) { try origins.location(of: row, table: table, storedRows) }
  }

  /// The archive that a row of a table of elements, or of top-level keys, came from.
  package func origin(ofElement row: Int64, in table: String) -> ImportFindings.Location {
    answer(orElse: .init()) { try origins.location(ofElement: row, in: table, storedRows) }
  }

  /// Whether positions of a relationship's members may be missing, or leave gaps, and whether they
  /// may be more or fewer than its collections had elements.
  ///
  /// Members that were claimed once each, one after the other, are numbered and counted already.
  private func isUneven(_ relationship: Int) -> Bool {
    let stored = relationships[relationship]
    return stored.elements != nil && stored.inverse != nil || isAppending || !aliases.isEmpty
      || links.unevenOrders.contains(relationship)
  }

  /// Whether there may be rows that name an owner whose ordered collection does not hold them.
  ///
  /// - Parameters:
  ///   - relationship: The name of the collection's relationship.
  ///   - entity: The owner's entity, by its index in the plan.
  /// - Returns: False only if each member has its position.
  package func mayHaveStrays(_ relationship: String, of entity: Int) -> Bool {
    entities[entity].relationshipIndices[relationship].map(isUneven) ?? true
  }
}
