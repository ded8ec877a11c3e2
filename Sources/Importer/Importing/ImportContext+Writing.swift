import ArchiveReader

extension ImportContext {
  /// Writes a row that was taken in hand, or what changed of one that is in the store.
  func write(_ instance: DestinationInstance) throws {
    if instance.isWritten {
      try writeChanges(of: instance)
    } else {
      try writeNew(instance)
      instance.isWritten = true
    }
    instance.changed = []
    for name in instance.collections.keys.sorted() {
      guard let slot = instance.collections[name] else { continue }
      try writeElements(slot, of: name, in: instance)
    }
    instance.collections = [:]
  }

  private func writeNew(_ instance: DestinationInstance) throws {
    let reference = instance.reference
    let entity = entities[reference.entity]
    let row = store.row
    // Values are made ready first: making them can read the store, which submits the buffer.
    for number in entity.attributes.indices { prepare(number, of: instance, entity) }
    var overflow: [Int] = []
    row.clear(entity.columnCount)
    row.set(0, reference.id)
    if let column = entity.discriminator { row.set(column, entity.name) }
    for (number, attribute) in entity.attributes.enumerated() {
      guard let column = attribute.column else {
        overflow.append(number)
        continue
      }
      set(column, instance.slots[number], row)
    }
    setLinks(of: reference, row)
    for number in links.counts.keys {
      if entity.relationshipNumbers.values.contains(number),
        let column = relationships[number].count,
        let count = links.counts[number]?.removeValue(forKey: reference.id)
      {
        row.set(column, Int64(count))
      }
    }
    for (name, slot) in instance.collections {
      if let column = plan.layout.entities[reference.entity].properties[name]?.count,
        let count = try count(of: slot)
      {
        row.set(column, Int64(count))
      }
    }
    try store.insert(entity: reference.entity)
    links.noteWritten(reference.id, table: entity.table)
    for number in overflow { try writeOverflow(number, of: instance, entity) }
  }

  private func writeChanges(of instance: DestinationInstance) throws {
    let entity = entities[instance.reference.entity]
    let changed = instance.changed.sorted()
    guard !changed.isEmpty else { return }
    var old: [StoredValue] = []
    let columns = changed.compactMap { entity.attributes[$0].column }
    if instance.isMerged { old = try stored(columns, of: instance.reference) }
    for (place, number) in changed.enumerated() {
      prepare(number, of: instance, entity)
      guard let column = entity.attributes[number].column else { continue }
      if place < old.count, old[place] != .null {
        let type = entity.attributes[number].attribute.type
        let new = importValue(of: instance.slots[number])
        if ImportValue(old[place], as: type) == new { continue }
        // Nothing said is no other value.
        if new.isNull { continue }
        let noticed = self.place
        report.add(
          ImportConflict(
            code: .differentValue, archive: noticed.archive, uid: noticed.uid,
            entity: entity.name, row: instance.reference.id,
            property: entity.attributes[number].attribute.name))
      }
      try store.update(column, of: entity.table, row: instance.reference.id) { row in
        set(0, instance.slots[number], row)
      }
    }
  }

  /// The values that some columns of a row have in the store.
  func stored(_ columns: [Int], of reference: RowReference) throws -> [StoredValue] {
    let table = plan.layout.table(of: reference.entity)
    let names = columns.map { SQL.quoted(table.columns[$0].name) }.joined(separator: ", ")
    guard !names.isEmpty else { return [] }
    return try store.query(
      "SELECT \(names) FROM \(SQL.quoted(table.name)) WHERE id = ?", [.integer(reference.id)]
    ).first ?? []
  }

  /// Gives an attribute its default, converts its value to the attribute's type and checks it.
  private func prepare(_ number: Int, of instance: DestinationInstance, _ entity: EntityShape) {
    let stored = entity.attributes[number]
    let attribute = stored.attribute
    func fail(_ code: ValidationError.Code, kind: String?, detail: String?) {
      report.add(
        ValidationError(
          code, entity: entity.name, row: instance.reference.id, property: attribute.name,
          kind: kind, detail: detail), at: place)
      instance.slots[number] = .unset
    }
    var value: ImportValue
    switch instance.slots[number] {
    case .unset:
      guard let defaultValue = attribute.defaultValue?.importValue else {
        if !attribute.isOptional, !instance.refused.contains(number) {
          fail(.missingValue, kind: nil, detail: nil)
        }
        return
      }
      value = defaultValue
    case .archived(let archived):
      if stored.validator.acceptsEverything, attribute.type.takesAsItIs(archived) { return }
      value = session?.plainValue(of: archived) ?? .null
    case .value(let set):
      value = set
    }
    switch ValueCoercion.coerce(value, to: attribute.type) {
    case .value(let coerced):
      value = coerced
    case .lossy(let coerced, let reason):
      report.addLoss(
        at: placeOf(attribute.name), before: value, after: coerced, reason: reason)
      value = coerced
    case .refused:
      fail(.wrongKind, kind: value.kind, detail: "its type is \(attribute.type.rawValue)")
      return
    }
    if value.isNull, let defaultValue = attribute.defaultValue?.importValue,
      !attribute.isOptional
    {
      value = defaultValue
    }
    if let error = stored.validator.error(for: value) {
      fail(error.code, kind: value.kind, detail: error.detail)
      return
    }
    instance.slots[number] = .value(value)
  }

  private func placeOf(_ property: String) -> ImportFindings.Place {
    var place = self.place
    place.key = property
    return place
  }

  private func set(_ column: Int, _ slot: DestinationInstance.Slot, _ row: RowBuffer) {
    switch slot {
    case .unset:
      break
    case .value(let value):
      row.set(column, value)
    case .archived(let value):
      guard let session else { return }
      if !row.set(column, to: value, session.importer.reader) {
        session.noteInexact(value)
      }
    }
  }

  /// The value of a slot, whatever form it has.
  func importValue(of slot: DestinationInstance.Slot) -> ImportValue {
    switch slot {
    case .unset: .null
    case .value(let value): value
    case .archived(let value): session?.plainValue(of: value) ?? .null
    }
  }

  /// Sets the columns of a row's to-one relationships, as far as anything is known of them.
  func setLinks(of reference: RowReference, _ row: RowBuffer) {
    for number in entities[reference.entity].toOnes {
      guard let cell = links.cells[number]?.cell(of: reference.id), cell.target != 0 else {
        continue
      }
      setColumns(of: number, cell, row)
    }
  }

  private func setColumns(of relationship: Int, _ cell: LinkCells.Cell, _ row: RowBuffer) {
    let place = relationships[relationship]
    guard let reference = place.reference else { return }
    let target = RowReference(entity: Int(cell.targetEntity), id: cell.target)
    guard let target = resolved(target) else { return }
    row.set(reference, target.id)
    if let type = place.referenceType {
      row.set(type, plan.layout.table(of: target.entity).name)
    }
    if cell.position >= 0, let inverse = place.inverse,
      let position = relationships[inverse].memberPosition
    {
      row.set(position, Int64(cell.position))
    }
  }

  private func writeOverflow(
    _ number: Int, of instance: DestinationInstance, _ entity: EntityShape
  ) throws {
    let value = importValue(of: instance.slots[number])
    guard !value.isNull, let table = entity.attributes[number].overflow else { return }
    let elements = plan.layout.elementTables[table]
    let row = store.elementRow
    row.clear(elements.table.columns.count)
    row.set(elements.owner, instance.reference.id)
    if let column = elements.key { row.set(column, entity.attributes[number].attribute.name) }
    if let column = elements.value { row.set(column, value) }
    try store.insert(elementTable: table)
  }

  // MARK: The end of an archive's turn

  /// Writes what the turn of an archive left to be written: links, and rows that changed since.
  func endTurn() throws {
    try flush()
    try flushLate()
    try writeLateCells()
    try writeLateCounts()
    replaceAliasesInJoins()
    try writeJoins()
    noteOneSidedLinks()
    links.forgetCollections()
  }

  private func writeLateCells() throws {
    for number in relationships.indices {
      let place = relationships[number]
      guard var rows = links.cells[number]?.takeDirty() else { continue }
      // Rows that were written straight from the archive did not ask what others say of them.
      links.cells[number]?.forEachCurrent { row, _ in
        if !links.isWritten(row, table: place.table) { rows.append(row) }
      }
      guard let reference = place.reference else { continue }
      for row in rows {
        guard let cell = links.cells[number]?.cell(of: row) else { continue }
        let target = RowReference(entity: Int(cell.targetEntity), id: cell.target)
        let resolved = cell.target == 0 ? nil : self.resolved(target)
        try store.update(reference, of: place.table, row: row) { buffer in
          if let resolved { buffer.set(0, resolved.id) }
        }
        if let column = place.referenceType {
          try store.update(column, of: place.table, row: row) { buffer in
            if let resolved { buffer.set(0, plan.layout.table(of: resolved.entity).name) }
          }
        }
        if let inverse = place.inverse, let column = relationships[inverse].memberPosition {
          try store.update(column, of: place.table, row: row) { buffer in
            if cell.position >= 0, resolved != nil { buffer.set(0, Int64(cell.position)) }
          }
        }
      }
    }
  }

  /// Writes the lengths of collections that were set after their row was written.
  private func writeLateCounts() throws {
    for (number, counts) in links.counts.sorted(by: { $0.key < $1.key }) {
      let place = relationships[number]
      guard let column = place.count else { continue }
      for (row, count) in counts.sorted(by: { $0.key < $1.key }) {
        try store.update(column, of: place.table, row: row) { $0.set(0, Int64(count)) }
      }
    }
    links.counts = [:]
  }

  private func writeJoins() throws {
    for (table, found) in links.joins.links.sorted(by: { $0.key < $1.key }) {
      let elements = plan.layout.elementTables[table]
      guard let reference = elements.reference else { continue }
      let owner = relationships.first { $0.elements == table && !$0.isInverseTable }
      guard let owner else { continue }
      let ownerTable = owner.table
      for link in found {
        let member = RowReference(entity: link.memberEntity, id: link.member)
        let from = RowReference(entity: owner.entity, id: link.owner)
        guard let from = resolved(from), let member = resolved(member) else { continue }
        if isOlder(from.id, table: ownerTable),
          owner.inverse == nil || isOlder(member.id, table: entities[member.entity].table),
          try isInStore(elements, from.id, member)
        {
          continue
        }
        let row = store.elementRow
        row.clear(elements.table.columns.count)
        row.set(elements.owner, from.id)
        row.set(reference, member.id)
        if let column = elements.referenceType {
          row.set(column, plan.layout.table(of: member.entity).name)
        }
        if let column = elements.position, let position = link.position {
          row.set(column, position)
        }
        if let column = elements.inversePosition, let position = link.inversePosition {
          row.set(column, position)
        }
        try store.insert(elementTable: table)
      }
    }
  }

  /// Whether a row was there before the turn of the current archive.
  func isOlder(_ row: Int64, table: Int) -> Bool {
    row <= (session?.firstIDs[table] ?? lastIDs[table])
  }

  private func isInStore(
    _ elements: RelationalLayout.ElementTable, _ owner: Int64, _ member: RowReference
  ) throws -> Bool {
    guard let reference = elements.reference else { return false }
    let columns = elements.table.columns
    var condition =
      "\(SQL.quoted(columns[elements.owner].name)) = ? AND "
      + "\(SQL.quoted(columns[reference].name)) = ?"
    var values: [StoredValue] = [.integer(owner), .integer(member.id)]
    if let type = elements.referenceType {
      condition += " AND \(SQL.quoted(columns[type].name)) = ?"
      values.append(.text(plan.layout.table(of: member.entity).name))
    }
    return try !store.query(
      "SELECT 1 FROM \(SQL.quoted(elements.table.name)) WHERE \(condition) LIMIT 1", values
    ).isEmpty
  }

  /// Lists the links that one side names although the other's collection was set without them.
  private func noteOneSidedLinks() {
    for (number, place) in relationships.enumerated() where !place.isToMany {
      guard let inverse = place.inverse, relationships[inverse].isToMany,
        !links.setCollections[inverse].isEmpty
      else { continue }
      links.cells[number]?.forEachCurrent { row, cell in
        guard cell.isClaimedByRow, !cell.isClaimedByOwner,
          let target = resolved(RowReference(entity: Int(cell.targetEntity), id: cell.target)),
          links.setCollections[inverse][target.id] != nil
        else { return }
        addOneSided(place, row)
      }
    }
    for (table, found) in links.joins.links {
      guard
        let owner = relationships.firstIndex(where: { $0.elements == table && !$0.isInverseTable }),
        let inverse = relationships[owner].inverse
      else { continue }
      for link in found where link.isClaimedByOwner != link.isClaimedByMember {
        if link.isClaimedByMember {
          // Where the two sides are one, the link in the other direction tells it.
          guard inverse != owner, links.setCollections[owner][link.owner] != nil else { continue }
          addOneSided(relationships[inverse], link.member)
        } else if links.setCollections[inverse][link.member] != nil {
          addOneSided(relationships[owner], link.owner)
        }
      }
    }
    links.joins.removeAll()
  }

  private func addOneSided(_ place: RelationshipPlace, _ row: Int64) {
    report.add(
      ImportConflict(
        code: .notInCollection, archive: session?.place.archive, uid: nil,
        entity: entities[place.entity].name, row: row, property: place.name))
  }
}

extension AttributeDefault {
  /// The default as a value.
  var importValue: ImportValue? {
    switch self {
    case .boolean(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .real(value)
    case .decimal(let text): .text(text).asDecimal
    case .string(let text): .text(text)
    case .date(let seconds): .date(.init(timeIntervalSinceReferenceDate: seconds))
    case .other: nil
    }
  }
}

extension AttributeType {
  /// Whether a plain archived value is one of the type and can be bound as it stands.
  func takesAsItIs(_ value: ArchivedValue) -> Bool {
    switch (self, value) {
    case (_, .null), (_, .nsNull): true
    case (.boolean, .bool), (.integer, .integer), (.double, .real), (.string, .text),
      (.date, .date), (.binary, .data), (.uuid, .uuid), (.decimal, .decimal), (.uri, .url):
      if case .real(let number) = value { number.isFinite } else { true }
    case (.mixed, .object), (.mixed, .collection): false
    case (.mixed, _): true
    default: false
    }
  }
}
