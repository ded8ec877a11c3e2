import ArchiveReader
import RelationalStores

extension ImportContext {
  /// Writes what changed of a row that is in the store.
  func writeChanges(of instance: RowInstance) throws {
    let entity = entities[instance.reference.entity]
    let changed = instance.changed.sorted()
    let merged = instance.isMerged ? try storedAttributes(changed, of: instance.reference) : []
    for (place, index) in changed.enumerated() {
      // Where nothing is said, what another object said stays: it is no case for a default.
      if place < merged.count, !merged[place].isNothing, instance.slots[index].isNothing {
        continue
      }
      prepare(index, of: instance, entity)
      let attribute = entity.attributes[index]
      if place < merged.count, !merged[place].isNothing {
        let new = StoredAttribute(importValue(of: instance.slots[index]), attribute)
        // Nothing said is no other value.
        if new.isNothing || new.isSame(as: merged[place]) { continue }
        let noticed = self.location
        report.add(
          ImportConflict(
            code: .differentValue, archive: noticed.archive, uid: noticed.uid,
            entity: entity.name, row: instance.reference.id, property: attribute.attribute.name))
      }
      try update(index, of: instance, entity)
    }
  }

  private func update(
    _ index: Int, of instance: RowInstance, _ entity: EntityShape
  ) throws {
    let (attribute, row) = (entity.attributes[index], instance.reference.id)
    let slot = instance.slots[index]
    guard let column = attribute.column else {
      try deleteOverflow(attribute, of: instance.reference)
      return try writeOverflow(index, of: instance, entity)
    }
    guard let runs = attribute.runs else {
      try store.update(column, of: entity.table, row: row) { set(0, nil, slot, $0) }
      return
    }
    let value = importValue(of: slot)
    let text = value.attributedText.map { ImportValue($0.text) } ?? value
    try store.update(column, of: entity.table, row: row) { $0.set(0, text) }
    let attributes = ImportValue(value.attributedText?.runsJSON)
    try store.update(runs, of: entity.table, row: row) { $0.set(0, attributes) }
  }

  private func deleteOverflow(
    _ attribute: EntityShape.StoredAttribute, of reference: RowReference
  ) throws(StoreError) {
    guard let index = attribute.overflow,
      let condition = plan.layout.elementTables[index].overflowCondition
    else { return }
    let table = plan.layout.elementTables[index].table
    try store.change(
      "DELETE FROM \(SQL.quoted(table.name)) WHERE \(condition)",
      [.integer(reference.id), .text(attribute.attribute.name)])
  }

  // MARK: What the store has

  /// What some attributes of a row have in the store.
  func storedAttributes(
    _ indices: [Int], of reference: RowReference
  ) throws(StoreError) -> [StoredAttribute] {
    let shape = entities[reference.entity]
    let columns = indices.flatMap { index in
      [shape.attributes[index].column, shape.attributes[index].runs].compactMap { $0 }
    }
    let values = try stored(columns, of: reference)
    let known = Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
    var found: [StoredAttribute] = []
    for index in indices {
      let attribute = shape.attributes[index]
      let value: StoredValue
      if let column = attribute.column {
        value = known[column] ?? .null
      } else {
        value = try storedOverflow(attribute, of: reference)
      }
      found.append(
        StoredAttribute(
          value: value, runs: attribute.runs.flatMap { known[$0] } ?? .null,
          type: attribute.attribute.type))
    }
    return found
  }

  /// The value that an attribute of a row has in the store.
  func storedValue(
    of index: Int, in reference: RowReference
  ) throws(StoreError) -> ImportValue {
    let type = entities[reference.entity].attributes[index].attribute.type
    let stored = try storedAttributes([index], of: reference)
    return ImportValue(stored.first?.value ?? .null, as: type)
  }

  /// The values that some columns of a row have in the store.
  func stored(
    _ columns: [Int], of reference: RowReference
  ) throws(StoreError) -> [StoredValue] {
    let table = plan.layout.table(of: reference.entity)
    guard !columns.isEmpty else { return [] }
    // No table has more columns than SQLite gives back at once.
    let names = columns.map { SQL.quoted(table.columns[$0].name) }.joined(separator: ", ")
    return try store.query(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE \(table.quotedKey) = ?",
      [.integer(reference.id)]
    ).first ?? []
  }

  private func storedOverflow(
    _ attribute: EntityShape.StoredAttribute, of reference: RowReference
  ) throws(StoreError) -> StoredValue {
    guard let index = attribute.overflow,
      let condition = plan.layout.elementTables[index].overflowCondition,
      let column = plan.layout.elementTables[index].value
    else { return .null }
    let table = plan.layout.elementTables[index].table
    let found = try store.query(
      """
      SELECT \(SQL.quoted(table.columns[column].name)) FROM \(SQL.quoted(table.name))
        WHERE \(condition)
      """, [.integer(reference.id), .text(attribute.attribute.name)])
    return found.first?.first ?? .null
  }
}

extension RelationalLayout.ElementTable {
  /// What holds for the value of one attribute in a table of those that found no room, in SQL: the
  /// parameters are the row and the attribute's name.
  fileprivate var overflowCondition: String? {
    guard let key, let value else { return nil }
    let names = [owner, key, value].map { SQL.quoted(table.columns[$0].name) }
    return "\(names[0]) = ? AND \(names[1]) = ? AND \(names[2]) IS NOT NULL"
  }
}
