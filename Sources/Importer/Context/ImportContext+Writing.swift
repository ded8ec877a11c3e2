import ArchiveReader
import Stores

extension ImportContext {
  /// Writes a pending row, or what changed of one that is in the store.
  func write(_ instance: RowInstance) throws {
    if instance.isWritten {
      try writeChanges(of: instance)
    } else {
      try writeNew(instance)
      instance.isWritten = true
    }
    if !instance.changed.isEmpty { instance.changed = [] }
    guard !instance.collections.isEmpty else { return }
    for name in instance.collections.keys.sorted() {
      guard let slot = instance.collections[name] else { continue }
      try writeElements(slot, of: name, in: instance)
    }
    instance.collections = [:]
  }

  private func writeNew(_ instance: RowInstance) throws {
    let reference = instance.reference
    let entity = entities[reference.entity]
    let row = store.row
    // Values are made ready first: making them can read the store, which submits the buffer.
    var next = instance.slots.nextUnusual(from: 0, entity.usualValues)
    while let index = next {
      prepare(index, of: instance, entity)
      next = instance.slots.nextUnusual(from: index + 1, entity.usualValues)
    }
    row.clear(entity.columnCount)
    row.set(0, reference.id)
    if let column = entity.discriminator { row.set(column, entity.kind) }
    next = instance.slots.write(from: 0, entity.usualValues, to: row)
    while let index = next {
      let attribute = entity.attributes[index]
      if let column = attribute.column { set(column, attribute, instance.slots[index], row) }
      next = instance.slots.write(from: index + 1, entity.usualValues, to: row)
    }
    setLinks(of: reference, row)
    for index in entity.counted {
      if let column = relationships[index].count,
        let count = links.counts[index]?.removeValue(forKey: reference.id)
      {
        row.set(column, Int64(count))
      }
    }
    if !instance.collections.isEmpty { try setCounts(of: instance, row) }
    try store.insert(entity: reference.entity)
    links.noteWritten(reference.id, table: entity.table)
    if migrated.walkedIDs != nil { try noteMade(instance) }
    for index in entity.overflowing { try writeOverflow(index, of: instance, entity) }
  }

  /// Sets the columns that tell how many elements a row's collections have.
  private func setCounts(of instance: RowInstance, _ row: RowBuffer) throws {
    let properties = plan.layout.entities[instance.reference.entity].properties
    for (name, slot) in instance.collections {
      if let column = properties[name]?.count, let count = try count(of: slot) {
        row.set(column, Int64(count))
      }
    }
  }

  func set(
    _ column: Int, _ attribute: EntityShape.StoredAttribute, _ slot: RowSlots.Slot, _ row: RowBuffer
  ) {
    let runs = attribute.runs
    switch slot {
    case .unset:
      break
    case .value(.foundation(let value)):
      row.set(column, runs: runs, to: value)
    case .value(let value):
      row.set(column, value)
    case .archived(.foundation(let uid, _)):
      guard let value = session?.foundationValue(uid) else { return }
      row.set(column, runs: runs, to: value)
    case .archived(let value):
      guard let session else { return }
      if !row.set(column, to: value, session.graph) {
        session.noteInexact(value, attribute.attribute.key)
      }
    }
  }

  /// The value of a slot, whatever form it has.
  func importValue(of slot: RowSlots.Slot) -> ImportValue {
    switch slot {
    case .unset: .null
    case .value(let value): value
    case .archived(let value): session?.plainValue(of: value) ?? .null
    }
  }

  /// Sets the columns of a row's to-one relationships, as far as anything is known of them.
  func setLinks(of reference: RowReference, _ row: RowBuffer) {
    for index in entities[reference.entity].toOnes {
      guard let cell = links.cells[index]?.cell(of: reference.id), cell.target != 0 else {
        continue
      }
      setColumns(of: index, cell, row)
    }
  }

  private func setColumns(of relationship: Int, _ cell: ForeignKeyBuffer.Cell, _ row: RowBuffer) {
    guard let reference = relationships[relationship].reference else { return }
    let target = RowReference(entity: Int(cell.targetEntity), id: cell.target)
    guard let target = resolved(target) else { return }
    row.set(reference, target.id)
    if let type = relationships[relationship].referenceType {
      row.set(type, plan.layout.table(of: target.entity).name)
    }
    if cell.position >= 0, let inverse = relationships[relationship].inverse,
      let position = relationships[inverse].memberPosition
    {
      row.set(position, Int64(cell.position))
    }
  }

  /// Writes an attribute for which the entity's table has no room.
  func writeOverflow(
    _ index: Int, of instance: RowInstance, _ entity: EntityShape
  ) throws {
    let value =
      if case .archived(let archived) = instance.slots[index] {
        session?.exactValue(of: archived, under: entity.attributes[index].attribute.key) ?? .null
      } else {
        importValue(of: instance.slots[index])
      }
    guard !value.isNull, let table = entity.attributes[index].overflow else { return }
    let elements = plan.layout.elementTables[table]
    let row = store.elementRow
    row.clear(elements.table.columns.count)
    row.set(elements.owner, instance.reference.id)
    if let column = elements.key { row.set(column, entity.attributes[index].attribute.name) }
    if let column = elements.value { row.set(column, value) }
    try store.insert(elementTable: table)
  }
}

extension ImportContext {
  /// Gives an attribute its default, converts its value to the attribute's type and checks it.
  func prepare(_ index: Int, of instance: RowInstance, _ entity: EntityShape) {
    let stored = entity.attributes[index]
    let value: ImportValue?
    switch instance.slots[index] {
    case .unset:
      if stored.attribute.isOptional, stored.defaultValue == nil { return }
      value = nil
    case .archived(let archived):
      if stored.acceptsAllValues, stored.type.takesAsItIs(archived),
        stored.acceptsEverything || !archived.isNothing
      {
        return
      }
      value = session?.exactValue(of: archived, under: stored.attribute.key) ?? .null
    case .value(let set):
      if stored.acceptsAllValues, stored.type.isType(of: set) { return }
      value = set
    }
    let prepared = prepared(
      value, stored, of: entity, row: instance.reference.id,
      isRefused: instance.refused.contains(index), at: location)
    instance.slots[index] = prepared.map { .value($0) } ?? .unset
  }

  /// The value that an attribute holds: the value that was set, as one of its type and checked, or
  /// its default.
  ///
  /// - Parameters:
  ///   - value: The value; nil where nothing was set.
  ///   - stored: The attribute.
  ///   - entity: The entity of the row.
  ///   - row: The row.
  ///   - isRefused: True if there was a value that could not be taken, which was noted.
  ///   - location: The place that the row comes from, for errors and losses.
  /// - Returns: The value; nil for none.
  func prepared(
    _ value: ImportValue?, _ stored: EntityShape.StoredAttribute, of entity: EntityShape,
    row: Int64, isRefused: Bool, at location: @autoclosure () -> ImportFindings.Location
  ) -> ImportValue? {
    let attribute = stored.attribute
    func fail(
      _ code: ValidationError.Code, kind: String?, detail: String?, remedy: String? = nil
    ) {
      report.add(
        ValidationError(
          code, entity: entity.name, row: row, property: attribute.name, kind: kind,
          detail: detail, remedy: remedy), at: location())
    }
    guard let value = value ?? stored.defaultValue else {
      if !attribute.isOptional, !isRefused { fail(.missingValue, kind: nil, detail: nil) }
      return nil
    }
    var prepared: ImportValue
    switch ValueCoercion.coerce(value, to: stored.type) {
    case .value(let coerced):
      prepared = coerced
    case .lossy(let coerced, let reason):
      var location = location()
      location.key = attribute.name
      report.addLoss(at: location, before: value, after: coerced, reason: reason)
      prepared = coerced
    case .refused:
      fail(
        .wrongKind, kind: value.kind, detail: "its type is \(stored.type.rawValue)",
        remedy: isMapped ? value.conversion(to: stored.type).map { "add 'convert: \($0)'" } : nil)
      return nil
    }
    if stored.isReal, case .real(let number) = prepared, RealColumn.changes(number) {
      let kept = RealColumn.kept(of: number)
      if kept.value.isNull, !attribute.isOptional {
        fail(.wrongKind, kind: prepared.kind, detail: "NaN, but a value is required")
        return nil
      }
      var location = location()
      location.key = attribute.name
      report.addLoss(at: location, before: prepared, after: kept.value, reason: kept.reason)
      prepared = kept.value
    }
    if prepared.isNull, !attribute.isOptional, let defaultValue = stored.defaultValue {
      prepared = defaultValue
    }
    guard !stored.acceptsEverything || prepared.isNull,
      let error = stored.validator.error(for: prepared)
    else { return prepared }
    fail(error.code, kind: prepared.kind, detail: error.detail)
    return nil
  }

  /// True if the values of the current object are set as a mapping says, and not by a hook.
  var isMapped: Bool {
    guard let session, let name = session.location.className else { return true }
    if case .hook = session.pass.plan(ofClass: name) { return false }
    return true
  }
}
