extension ImportContext {
  /// Deletes the rows that policies and hooks deleted, as the delete rules have it.
  func deleteRows() throws {
    guard !deleted.isEmpty else { return }
    var gone: Set<RowReference> = []
    var denied: [RowReference] = []
    var waiting = deleted
    deleted = []
    while let row = waiting.popLast() {
      guard gone.insert(row).inserted else { continue }
      for number in entities[row.entity].relationshipNumbers.values.sorted() {
        let place = relationships[number]
        let members = try storedRows(of: number, row)
        switch place.deleteRule {
        case .cascade: waiting += members
        case .deny: if !members.allSatisfy(gone.contains) { denied.append(row) }
        case .nullify, .noAction: break
        }
      }
    }
    // A row that is held is no hindrance once what holds it is gone as well.
    for row in denied {
      let isHeld = try entities[row.entity].relationshipNumbers.values.contains { number in
        try relationships[number].deleteRule == .deny
          && !storedRows(of: number, row).allSatisfy(gone.contains)
      }
      guard isHeld else { continue }
      report.add(
        ValidationError(.deleteDenied, entity: entities[row.entity].name, row: row.id), at: place)
    }
    for row in gone.sorted(by: { ($0.entity, $0.id) < ($1.entity, $1.id) }) {
      try forget(row)
    }
  }

  private func storedRows(of number: Int, _ row: RowReference) throws -> [RowReference] {
    let place = relationships[number]
    if place.isToMany { return try members(of: number, row) }
    guard let reference = place.reference,
      case .integer(let id) = try stored([reference], of: row).first
    else { return [] }
    return [RowReference(entity: place.destinations.first ?? row.entity, id: id)]
  }

  /// Deletes a row, its elements, and what refers to it.
  private func forget(_ row: RowReference) throws {
    let table = plan.layout.table(of: row.entity)
    for holder in plan.layout.tables {
      for column in holder.columns where column.references == table.name {
        let name = SQL.quoted(column.name)
        try store.query(
          "UPDATE \(SQL.quoted(holder.name)) SET \(name) = NULL WHERE \(name) = ?",
          [.integer(row.id)])
      }
    }
    for elements in plan.layout.elementTables {
      for column in elements.table.columns where column.references == table.name {
        try store.query(
          "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(SQL.quoted(column.name)) = ?",
          [.integer(row.id)])
      }
      if let reference = elements.reference, let type = elements.referenceType {
        let columns = elements.table.columns
        try store.query(
          "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE "
            + "\(SQL.quoted(columns[reference].name)) = ? AND \(SQL.quoted(columns[type].name)) = ?",
          [.integer(row.id), .text(table.name)])
      }
    }
    for place in relationships {
      guard let reference = place.reference, let type = place.referenceType else { continue }
      let holder = plan.layout.tables[place.table]
      let names = [reference, type].map { SQL.quoted(holder.columns[$0].name) }
      try store.query(
        "UPDATE \(SQL.quoted(holder.name)) SET \(names[0]) = NULL, \(names[1]) = NULL "
          + "WHERE \(names[0]) = ? AND \(names[1]) = ?", [.integer(row.id), .text(table.name)])
    }
    for (table, column, type) in [
      (RelationalLayout.collectionElementTable, "value_id", "value_type"),
      (RelationalLayout.collectionElementTable, "key_id", "key_type"),
      (RelationalLayout.topTable, "row", "entity"),
    ] {
      try store.query(
        "UPDATE \(table) SET \(column) = NULL, \(type) = NULL "
          + "WHERE \(column) = ? AND \(type) = ?",
        [.integer(row.id), .text(plan.layout.table(of: row.entity).name)])
    }
    try store.query("DELETE FROM \(SQL.quoted(table.name)) WHERE id = ?", [.integer(row.id)])
  }
}
