import Stores

/// The checks of rows that relationships may lead to, also where their entity is not known yet.
extension ImportContext {
  /// True if a relationship may lead to a row.
  func fits(_ member: RowReference, _ relationship: Int) -> Bool {
    let stored = relationships[relationship]
    if stored.destinations.count == 1, stored.destinations[0] == member.entity { return true }
    if leads(relationship, to: member.entity) { return true }
    // What a hook is going to insert, or has inserted, may be of a subentity.
    if stored.destinations.contains(where: { plan.hierarchy.isKind($0, of: member.entity) }) {
      guard !isAwaited(member) else {
        links.awaited.append((relationship, member))
        return true
      }
      let row = answer(orElse: nil) { try storedRows.known(member) }
      if let row, leads(relationship, to: row.entity) { return true }
    }
    noteWrongEntity(member.entity, relationship)
    return false
  }

  /// True if a relationship may lead to rows of an entity.
  private func leads(_ relationship: Int, to entity: Int) -> Bool {
    relationships[relationship].destinations.contains { plan.hierarchy.isKind(entity, of: $0) }
  }

  private func noteWrongEntity(_ entity: Int, _ relationship: Int) {
    let stored = relationships[relationship]
    report.add(
      ValidationError(
        .wrongEntity, entity: entities[stored.entity].name, property: stored.name,
        detail: entities[entity].name), at: self.location)
  }

  /// Lists the links to rows that have become ones of an entity to which their relationship does not
  /// lead.
  func checkAwaited() throws(StoreError) {
    var waiting: [(relationship: Int, member: RowReference)] = []
    for link in links.awaited {
      guard let member = resolved(link.member) else { continue }
      if let row = try storedRows.known(member) {
        guard !leads(link.relationship, to: row.entity) else { continue }
        noteWrongEntity(row.entity, link.relationship)
      } else {
        waiting.append(link)
      }
    }
    links.awaited = waiting
  }

  /// True if a row is only referred to so far: its object has yet to become it.
  func isAwaited(_ row: RowReference) -> Bool {
    !links.isWritten(row.id, table: entities[row.entity].table)
  }
}
