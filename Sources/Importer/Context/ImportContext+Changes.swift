import ArchiveReader
import Stores

extension ImportContext {
  /// Writes what changed of a row that is in the store.
  func writeChanges(of instance: RowInstance) throws {
    let entity = entities[instance.reference.entity]
    let changed = instance.changed.sorted()
    if plan.migration != nil { identities.forget(changed, entity) }
    let merged = instance.isMerged ? try storedRows.attributes(changed, of: instance.reference) : []
    for (place, index) in changed.enumerated() {
      // Where nothing is said, what another object said stays: it is no case for a default.
      if place < merged.count, !merged[place].isNothing, instance.slots[index].isNothing {
        continue
      }
      prepare(index, of: instance, entity)
      let attribute = entity.attributes[index]
      if place < merged.count, !merged[place].isNothing {
        let new = StoredRows.AttributeContent(importValue(of: instance.slots[index]), attribute)
        // Nothing said is no other value.
        if new.isNothing || new.isSame(as: merged[place]) { continue }
        report.add(
          ImportConflict(
            .differentValue, at: location, entity: entity.name, row: instance.reference.id,
            property: attribute.attribute.name))
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
      try store.update(column, of: entity.table, row: row) { set(0, attribute, slot, $0) }
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
}
