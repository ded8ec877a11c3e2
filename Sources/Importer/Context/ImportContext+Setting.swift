import ArchiveReader
import Stores

extension ImportContext {
  func set(_ value: ImportValue, for name: String, in instance: RowInstance) {
    let entity = entities[instance.reference.entity]
    var value = value
    if let migration = plan.migration {
      guard takes(value, for: name, in: instance, entity) else { return }
      if let index = entity.attributeIndices[name] {
        value = migration.stored(value, entity.attributes[index].attribute)
      }
    }
    if !entity.sharedNames.isEmpty, entity.sharedNames.contains(name) {
      return setShared(value, name, entity, in: instance)
    }
    // Rows of an entity are mostly filled in the same order.
    let guess = instance.order.index(of: name, after: instance.lastSet)
    if guess >= 0 {
      instance.lastSet = guess
      return setAttribute(value, guess, in: instance)
    }
    if let index = entity.attributeIndices[name] {
      if instance.lastSet != RowInstance.unordered {
        instance.order.note(name, index, after: instance.lastSet)
        instance.lastSet = index
      }
      setAttribute(value, index, in: instance)
    } else if let index = entity.relationshipIndices[name] {
      relate(value, index, of: present(instance.reference))
    } else if entity.collections[name] != nil {
      instance.collections[name] = .value(value)
      pending.add(instance)
    } else {
      noteUnknown(name, in: entity)
    }
  }

  /// Sets that of several properties of a name which holds values of a kind.
  private func setShared(
    _ value: ImportValue, _ name: String, _ entity: EntityShape, in instance: RowInstance
  ) {
    func relate(isToMany: Bool) -> Bool {
      guard
        let index = entity.relationship(name, isToMany: isToMany, among: relationships),
        relationships[index].isToMany == isToMany
      else { return false }
      self.relate(value, index, of: present(instance.reference))
      return true
    }
    switch value {
    case .row where relate(isToMany: false): return
    case .list, .set, .dictionary:
      if relate(isToMany: true) { return }
      guard entity.collections[name] != nil else { break }
      instance.collections[name] = .value(value)
      return pending.add(instance)
    default: break
    }
    if let index = entity.attributeIndices[name] {
      setAttribute(value, index, in: instance)
    } else if let index = entity.relationshipIndices[name] {
      self.relate(value, index, of: present(instance.reference))
    }
  }

  /// Sets a collection of values to one of the archive; returns false if the property is none.
  func setArchived(
    _ collection: GraphValue, for name: String, in instance: RowInstance
  ) -> Bool {
    let entity = entities[instance.reference.entity]
    guard entity.collections[name] != nil,
      entity.relationship(name, isToMany: true, among: relationships)
        .map({ !relationships[$0].isToMany }) ?? true
    else { return false }
    instance.collections[name] = .archived(collection)
    pending.add(instance)
    return true
  }

  /// Lists a name that an entity does not have.
  func noteUnknown(_ name: String, in entity: EntityShape) {
    let nearest = NearestName.find(name, in: entity.propertyNames)
    report.add(
      ValidationError(
        .unknownName, entity: entity.name, property: name,
        detail: nearest.map { "did you mean '\($0)'?" }), at: location)
  }

  func setAttribute(_ value: ImportValue, _ index: Int, in instance: RowInstance) {
    instance.slots.set(index, value)
    noteSet(index, in: instance)
  }

  /// Notes that an attribute was set.
  func noteSet(_ index: Int, in instance: RowInstance) {
    if instance.isWritten { instance.changed.insert(index) }
    pending.add(instance)
  }
}

extension ImportContext {
  /// Empties a relationship of a row, whichever side has filled it.
  func clear(_ name: String, in instance: RowInstance) {
    let row = present(instance.reference)
    if plan.migration != nil, !isThere(row) { return }
    guard let index = entities[row.entity].relationshipIndices[name] else {
      set(.null, for: name, in: instance)
      return
    }
    let stored = relationships[index]
    links.unevenOrders.formUnion([index, stored.inverse ?? index])
    links.noteMembers(index, of: row.id)
    // What the other rows said of their collections does not speak against new links.
    links.setCollections[index][row.id] = nil
    links.nextPositions[index]?[row.id] = nil
    if !stored.isToMany {
      let old = cell(index, of: row)
      links.noteMembers(stored.inverse, of: old.target)
      links.set(ForeignKeyBuffer.Cell(isLoaded: true), index, of: row.id)
      if let inverse = stored.inverse, !relationships[inverse].isToMany, old.target != 0 {
        release(inverse, old)
      }
    } else if let inverse = stored.inverse, !relationships[inverse].isToMany {
      for member in answer(orElse: [], { try members(of: index, row) }) {
        links.set(ForeignKeyBuffer.Cell(isLoaded: true), inverse, of: member.id)
      }
    } else if let table = stored.elements {
      clear(index, of: row, in: table)
    }
  }

  /// Removes the links of a row from a table of links.
  private func clear(_ index: Int, of row: RowReference, in table: Int) {
    let stored = relationships[index]
    let (isInverse, isOwnInverse) = (stored.isInverseTable, stored.inverse == index)
    if let inverse = stored.inverse, isAppending, relationships[inverse].count != nil {
      // Rows of earlier runs are counted again only if they are known to lose a member.
      for member in answer(orElse: [], { try members(of: index, row) }) {
        links.noteMembers(inverse, of: member.id)
      }
    }
    let ids = aliases.ids(of: row)
    let removed = links.joins.remove(table: table) {
      !isInverse && ids.contains($0.owner) || (isInverse || isOwnInverse) && ids.contains($0.member)
    }
    if let inverse = stored.inverse {
      for link in removed {
        links.setCollections[inverse][isInverse ? link.owner : link.member] = nil
      }
    }
    let elements = plan.layout.elementTables[table]
    let columns = isInverse ? [elements.reference] : [elements.owner]
    for column in (columns + (isOwnInverse ? [elements.reference] : [])).compactMap({ $0 }) {
      let name = SQL.quoted(elements.table.columns[column].name)
      let deletion = "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(name) = ?"
      answer(orElse: ()) { try store.change(deletion, [.integer(row.id)]) }
    }
  }
}

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
