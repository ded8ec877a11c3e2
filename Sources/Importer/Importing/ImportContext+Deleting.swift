import RelationalStores
import Support

extension ImportContext {
  /// Deletes the rows that policies and hooks deleted, as the delete rules have it.
  func deleteRows() throws {
    guard !deleted.isEmpty else { return }
    links.unevenOrders.formUnion(relationships.indices)
    var gone: Set<RowReference> = []
    var denied: [RowReference] = []
    var waiting = deleted
    deleted = []
    while let row = waiting.popLast() {
      guard let row = try known(row), gone.insert(row).inserted else { continue }
      for index in entities[row.entity].relationshipIndices.values.sorted() {
        switch relationships[index].deleteRule {
        case .cascade: waiting += try storedRows(of: index, row)
        case .deny: denied.append(row)
        case .nullify, .noAction: break
        }
      }
    }
    // A row that is held is no hindrance once what holds it is gone as well.
    for row in denied.uniqued() {
      for (name, index) in entities[row.entity].relationshipIndices.sorted(by: { $0.key < $1.key })
      where relationships[index].deleteRule == .deny {
        let holders = try storedRows(of: index, row)
        guard try !holders.allSatisfy({ try known($0).map(gone.contains) ?? true }) else {
          continue
        }
        let entity = entities[row.entity]
        report.add(
          ValidationError(.deleteDenied, entity: entity.name, row: row.id, property: name),
          at: origin(of: row.id, table: entity.table))
      }
    }
    for row in gone.sorted(by: { ($0.entity, $0.id) < ($1.entity, $1.id) }) {
      try forget(row)
    }
    try numberElements()
  }

  private func storedRows(of index: Int, _ row: RowReference) throws -> [RowReference] {
    let stored = relationships[index]
    if stored.isToMany { return try members(of: index, row) }
    let columns = [stored.reference, stored.referenceType].compactMap { $0 }
    let values = try self.stored(columns, of: row)
    guard case .integer(let id) = values.first else { return [] }
    var entity = stored.destinations.first ?? row.entity
    if values.count > 1, case .text(let name) = values[1] {
      entity = plan.hierarchy.index(of: name) ?? entity
    }
    return [RowReference(entity: entity, id: id)]
  }

  /// A row with the entity that it is of, which may inherit from the one that led to it; nil if it
  /// is not in the store.
  private func known(_ row: RowReference) throws -> RowReference? {
    guard let column = entities[row.entity].discriminator else {
      return try stored([0], of: row).isEmpty ? nil : row
    }
    guard case .text(let name) = try stored([column], of: row).first,
      let entity = plan.hierarchy.index(of: name)
    else { return nil }
    return RowReference(entity: entity, id: row.id)
  }

  /// Deletes a row, its elements, and what refers to it.
  private func forget(_ row: RowReference) throws {
    let table = plan.layout.table(of: row.entity)
    for holder in plan.layout.tables {
      for column in holder.columns where column.references == table.name {
        let name = SQL.quoted(column.name)
        try store.change(
          "UPDATE \(SQL.quoted(holder.name)) SET \(name) = NULL WHERE \(name) = ?",
          [.integer(row.id)])
      }
    }
    for elements in plan.layout.elementTables {
      for column in elements.table.columns where column.references == table.name {
        try store.change(
          "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(SQL.quoted(column.name)) = ?",
          [.integer(row.id)])
      }
      if let reference = elements.reference, let type = elements.referenceType {
        let columns = elements.table.columns
        try store.change(
          "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE "
            + "\(SQL.quoted(columns[reference].name)) = ? AND \(SQL.quoted(columns[type].name)) = ?",
          [.integer(row.id), .text(table.name)])
      }
    }
    for stored in relationships {
      guard let reference = stored.reference, let type = stored.referenceType else { continue }
      let holder = plan.layout.tables[stored.table]
      let names = [reference, type].map { SQL.quoted(holder.columns[$0].name) }
      try store.change(
        "UPDATE \(SQL.quoted(holder.name)) SET \(names[0]) = NULL, \(names[1]) = NULL "
          + "WHERE \(names[0]) = ? AND \(names[1]) = ?", [.integer(row.id), .text(table.name)])
    }
    for (table, column, type) in [
      (RelationalLayout.collectionElementTable, "value_id", "value_type"),
      (RelationalLayout.collectionElementTable, "key_id", "key_type"),
      (RelationalLayout.topTable, "row", "entity"),
    ] {
      try store.change(
        "UPDATE \(table) SET \(column) = NULL, \(type) = NULL "
          + "WHERE \(column) = ? AND \(type) = ?",
        [.integer(row.id), .text(plan.layout.table(of: row.entity).name)])
    }
    try store.change(
      "DELETE FROM \(SQL.quoted(table.name)) WHERE \(table.quotedKey) = ?", [.integer(row.id)])
  }
}
