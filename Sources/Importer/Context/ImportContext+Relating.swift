import Stores

extension ImportContext {
  /// Sets a relationship of a row to a value: a row, several, or nothing.
  func relate(_ value: ImportValue, _ relationship: Int, of owner: RowReference) {
    let stored = relationships[relationship]
    var members: [RowReference] = []
    var keepsOrder = true
    switch value {
    case .null:
      // Nothing said by one side is no contradiction to what the other says.
      return
    case .row(let member):
      members = [member]
    case .list(let values), .set(let values):
      if case .set = value { keepsOrder = false }
      for value in values {
        guard case .row(let member) = value else {
          // Holes are no rows.
          if !value.isNull { wrongKind(value, stored) }
          continue
        }
        members.append(member)
      }
    default:
      wrongKind(value, stored)
      return
    }
    guard stored.isToMany else {
      if members.count > 1, plan.migration != nil {
        migrated.replacedLinks += members.count - 1
      } else if members.count > 1 {
        report.add(
          ValidationError(
            .tooManyRows, entity: entities[stored.entity].name, property: stored.name,
            detail: "at most 1"), at: self.location)
      }
      if let member = members.first { relate(relationship, of: owner, toOne: member) }
      return
    }
    relate(relationship, of: owner, toMany: members, keepsOrder: keepsOrder)
  }

  private func wrongKind(_ value: ImportValue, _ stored: StoredRelationship) {
    report.add(
      ValidationError(
        .wrongKind, entity: entities[stored.entity].name, property: stored.name, kind: value.kind,
        detail: "it refers to rows of "
          + stored.destinations.map { entities[$0].name }.joined(separator: ", "),
        remedy: isMapped && value.isText
          ? "add 'split' and 'by' to get a row for each part"
          : nil),
      at: self.location)
  }

  func conflict(_ code: ImportConflict.Code, _ relationship: Int, _ row: RowReference) {
    report.add(
      ImportConflict(
        code, at: location, entity: entities[row.entity].name, row: row.id,
        property: relationships[relationship].name))
  }
}
