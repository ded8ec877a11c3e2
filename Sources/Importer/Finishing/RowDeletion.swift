import Stores
import Support

/// Deletes rows, as the delete rules of their relationships have it.
struct RowDeletion {
  let rows: StoredRows

  /// A row that was deleted although a rule denies it.
  struct Denial {
    var row: RowReference
    /// The relationship by which others hold it.
    var relationship: String
  }

  /// Deletes rows, and what goes with them.
  ///
  /// - Parameter deleted: The rows.
  /// - Returns: Those of them that other rows hold by relationships that deny it.
  /// - Throws: `StoreError` if the store cannot be read or changed.
  func delete(_ deleted: [RowReference]) throws(StoreError) -> [Denial] {
    var gone: Set<RowReference> = []
    var denied: [RowReference] = []
    var waiting = deleted
    while let row = waiting.popLast() {
      guard let row = try rows.known(row), gone.insert(row).inserted else { continue }
      for index in rows.entities[row.entity].relationshipIndices.values.sorted() {
        switch rows.relationships[index].deleteRule {
        case .cascade: waiting += try rows.rows(index, of: row)
        case .deny: denied.append(row)
        case .nullify, .noAction: break
        }
      }
    }
    let denials = try denials(of: denied.uniqued(), gone)
    for row in gone.sorted(by: { ($0.entity, $0.id) < ($1.entity, $1.id) }) {
      try forget(row)
    }
    return denials
  }

  private func denials(
    of denied: [RowReference], _ gone: Set<RowReference>
  ) throws(StoreError) -> [Denial] {
    var denials: [Denial] = []
    for row in denied {
      let indices = rows.entities[row.entity].relationshipIndices.sorted { $0.key < $1.key }
      for (name, index) in indices where rows.relationships[index].deleteRule == .deny {
        // A row that is held is no hindrance once what holds it is gone as well.
        for holder in try rows.rows(index, of: row) {
          guard let holder = try rows.known(holder), !gone.contains(holder) else { continue }
          denials.append(Denial(row: row, relationship: name))
          break
        }
      }
    }
    return denials
  }

  /// Deletes a row, its elements, and what refers to it.
  private func forget(_ row: RowReference) throws(StoreError) {
    let table = rows.layout.table(of: row.entity)
    for holder in rows.layout.tables {
      for column in holder.columns where column.references == table.name {
        let name = SQL.quoted(column.name)
        try rows.store.change(
          "UPDATE \(SQL.quoted(holder.name)) SET \(name) = NULL WHERE \(name) = ?",
          [.integer(row.id)])
      }
    }
    for elements in rows.layout.elementTables {
      for column in elements.table.columns where column.references == table.name {
        try rows.store.change(
          "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(SQL.quoted(column.name)) = ?",
          [.integer(row.id)])
      }
      if let reference = elements.reference, let type = elements.referenceType {
        let columns = elements.table.columns
        try rows.store.change(
          "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE "
            + "\(SQL.quoted(columns[reference].name)) = ? AND \(SQL.quoted(columns[type].name)) = ?",
          [.integer(row.id), .text(table.name)])
      }
    }
    for stored in rows.relationships {
      guard let reference = stored.reference, let type = stored.referenceType else { continue }
      let holder = rows.layout.tables[stored.table]
      let names = [reference, type].map { SQL.quoted(holder.columns[$0].name) }
      try rows.store.change(
        "UPDATE \(SQL.quoted(holder.name)) SET \(names[0]) = NULL, \(names[1]) = NULL "
          + "WHERE \(names[0]) = ? AND \(names[1]) = ?", [.integer(row.id), .text(table.name)])
    }
    for (table, column, type) in [
      (RelationalLayout.collectionElementTable, "value_id", "value_type"),
      (RelationalLayout.collectionElementTable, "key_id", "key_type"),
      (RelationalLayout.topTable, "row", "entity"),
    ] {
      try rows.store.change(
        "UPDATE \(table) SET \(column) = NULL, \(type) = NULL "
          + "WHERE \(column) = ? AND \(type) = ?",
        [.integer(row.id), .text(rows.layout.table(of: row.entity).name)])
    }
    try rows.store.change(
      "DELETE FROM \(SQL.quoted(table.name)) WHERE \(table.quotedKey) = ?", [.integer(row.id)])
  }
}
