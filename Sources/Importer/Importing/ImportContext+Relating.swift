extension ImportContext {
  /// Sets a relationship of a row to a value: a row, several, or nothing.
  func relate(_ value: ImportValue, _ relationship: Int, of owner: RowReference) {
    let place = relationships[relationship]
    var members: [RowReference] = []
    switch value {
    case .null:
      // Nothing said by one side is no contradiction to what the other says.
      return
    case .row(let member):
      members = [member]
    case .list(let values), .set(let values):
      for value in values {
        guard case .row(let member) = value else {
          // Holes are no rows.
          if !value.isNull { wrongKind(value, place) }
          continue
        }
        members.append(member)
      }
    default:
      wrongKind(value, place)
      return
    }
    guard place.isToMany else {
      if members.count > 1 {
        report.add(
          ValidationError(
            .tooManyRows, entity: entities[place.entity].name, property: place.name,
            detail: "at most 1"), at: self.place)
      }
      if let member = members.first { relate(relationship, of: owner, toOne: member) }
      return
    }
    relate(relationship, of: owner, toMany: members)
  }

  private func wrongKind(_ value: ImportValue, _ place: RelationshipPlace) {
    report.add(
      ValidationError(
        .wrongKind, entity: entities[place.entity].name, property: place.name, kind: value.kind),
      at: self.place)
  }

  /// Whether a relationship may lead to a row.
  func fits(_ member: RowReference, _ place: RelationshipPlace) -> Bool {
    if place.destinations.contains(where: { plan.hierarchy.isKind(member.entity, of: $0) }) {
      return true
    }
    // What a hook is going to insert may be of a subentity.
    if isPending(member),
      place.destinations.contains(where: { plan.hierarchy.isKind($0, of: member.entity) })
    {
      return true
    }
    report.add(
      ValidationError(
        .wrongEntity, entity: entities[place.entity].name, property: place.name,
        detail: entities[member.entity].name), at: self.place)
    return false
  }

  private func isPending(_ row: RowReference) -> Bool {
    !links.isWritten(row.id, table: entities[row.entity].table)
  }

  // MARK: To-many

  /// Sets the rows that a to-many relationship of a row holds.
  func relate(_ relationship: Int, of owner: RowReference, toMany members: [RowReference]) {
    let place = relationships[relationship]
    links.setCollections[relationship].insert(owner.id)
    if place.count != nil { links.counts[relationship, default: [:]][owner.id] = members.count }
    var position: Int64 = 0
    for member in members where fits(member, place) {
      let member = resolved(member) ?? member
      if let inverse = place.inverse, !relationships[inverse].isToMany, place.elements == nil {
        claim(
          inverse, of: member, for: owner, position: place.isOrdered ? position : nil,
          byOwner: true)
      } else {
        join(
          relationship, owner, member, position: place.isOrdered ? position : nil)
      }
      position += 1
    }
  }

  /// Adds rows behind those that a to-many relationship holds.
  func add(_ rows: [RowReference], to name: String, in instance: DestinationInstance) {
    guard let relationship = entities[instance.reference.entity].relationshipNumbers[name],
      relationships[relationship].isToMany
    else {
      set(.list([]), for: name, in: instance)
      return
    }
    let place = relationships[relationship]
    for member in rows where fits(member, place) {
      if let inverse = place.inverse, !relationships[inverse].isToMany, place.elements == nil {
        claim(inverse, of: member, for: instance.reference, position: nil, byOwner: true)
      } else {
        join(relationship, instance.reference, member, position: nil)
      }
    }
  }

  private func join(
    _ relationship: Int, _ owner: RowReference, _ member: RowReference, position: Int64?
  ) {
    let place = relationships[relationship]
    guard let table = place.elements else { return }
    guard let inverse = place.inverse else {
      links.joins.append(
        JoinBook.Link(
          owner: owner.id, member: member.id, memberEntity: member.entity, position: position,
          isClaimedByOwner: true), table: table)
      return
    }
    if inverse == relationship {
      // The two sides are one: each holds the other.
      links.joins.merge(
        .init(
          owner: owner.id, member: member.id, memberEntity: member.entity, position: position,
          isClaimedByOwner: true), table: table)
      links.joins.merge(
        .init(
          owner: member.id, member: owner.id, memberEntity: owner.entity,
          isClaimedByMember: true), table: table)
    } else if place.isInverseTable {
      links.joins.merge(
        .init(
          owner: member.id, member: owner.id, memberEntity: owner.entity,
          inversePosition: position, isClaimedByMember: true), table: table)
    } else {
      links.joins.merge(
        .init(
          owner: owner.id, member: member.id, memberEntity: member.entity, position: position,
          isClaimedByOwner: true), table: table)
    }
  }

  // MARK: To-one

  /// Sets the row that a to-one relationship of a row holds.
  func relate(_ relationship: Int, of row: RowReference, toOne member: RowReference) {
    let place = relationships[relationship]
    guard fits(member, place) else { return }
    let member = resolved(member) ?? member
    if let inverse = place.inverse, !relationships[inverse].isToMany {
      pair(relationship, row, member)
    } else {
      claim(relationship, of: row, for: member, position: nil, byOwner: false)
    }
  }

  /// Sets a to-one relationship that has no inverse, or a to-many one.
  ///
  /// - Parameter byOwner: Whether it is the inverse's side that says so.
  private func claim(
    _ relationship: Int, of row: RowReference, for target: RowReference, position: Int64?,
    byOwner: Bool
  ) {
    var cell = cell(relationship, of: row)
    let isSame = cell.target == target.id && cell.targetEntity >= 0
    if cell.target != 0, !isSame {
      if !byOwner, cell.isClaimedByOwner {
        conflict(.sidesDisagree, relationship, row)
        return
      }
      if cell.isFromStore {
        conflict(.differentValue, relationship, row)
      } else if byOwner {
        conflict(cell.isClaimedByOwner ? .claimedTwice : .sidesDisagree, relationship, row)
      }
      cell.position = -1
    }
    let isUnchanged = isSame && (position == nil || cell.position >= 0)
    cell.target = target.id
    cell.targetEntity = Int32(truncatingIfNeeded: target.entity)
    if let position, cell.position < 0 { cell.position = Int32(truncatingIfNeeded: position) }
    cell.noteClaim(byOwner: byOwner)
    noteBothSides(cell, relationship)
    if isUnchanged {
      links.cells[relationship]?.set(cell, of: row.id, isWritten: false)
    } else {
      links.set(cell, relationship, of: row.id)
    }
  }

  /// Sets both sides of a one-to-one relationship.
  private func pair(_ relationship: Int, _ first: RowReference, _ second: RowReference) {
    let place = relationships[relationship]
    guard let inverse = place.inverse else { return }
    var own = cell(relationship, of: first)
    var other = cell(inverse, of: second)
    // On both cells, "the owner" is the owning side of the pair.
    let isOwning = place.isOwning
    if own.target == second.id, other.target == first.id {
      own.noteClaim(byOwner: isOwning)
      other.noteClaim(byOwner: isOwning)
      noteBothSides(own, relationship)
      links.cells[relationship]?.set(own, of: first.id, isWritten: false)
      links.cells[inverse]?.set(other, of: second.id, isWritten: false)
      return
    }
    if !isOwning,
      own.target != 0 && own.isClaimedByOwner || other.target != 0 && other.isClaimedByOwner
    {
      conflict(.sidesDisagree, relationship, first)
      return
    }
    if own.target != 0 {
      if own.isFromStore {
        conflict(.differentValue, relationship, first)
      } else if own.isClaimedByOwner != isOwning || relationship == inverse {
        let other = RowReference(entity: Int(own.targetEntity), id: own.target)
        conflict(.sidesDisagree, inverse, other)
      }
      release(inverse, own)
    }
    if other.target != 0 {
      let isSameSide = other.isFromStore || other.isClaimedByOwner == isOwning
      conflict(isSameSide ? .claimedTwice : .sidesDisagree, inverse, second)
      release(relationship, other)
    }
    own = .init(target: second.id, targetEntity: Int32(truncatingIfNeeded: second.entity))
    other = .init(target: first.id, targetEntity: Int32(truncatingIfNeeded: first.entity))
    own.noteClaim(byOwner: isOwning)
    other.noteClaim(byOwner: isOwning)
    links.set(own, relationship, of: first.id)
    links.set(other, inverse, of: second.id)
  }

  /// Empties the cell of the row that another cell points at.
  private func release(_ relationship: Int, _ pointing: LinkCells.Cell) {
    links.set(LinkCells.Cell(isLoaded: true), relationship, of: pointing.target)
  }

  /// What is known of a row's to-one relationship; for rows that are older, what the store says.
  func cell(_ relationship: Int, of row: RowReference) -> LinkCells.Cell {
    if let known = links.cells[relationship]?.cell(of: row.id) { return known }
    let place = relationships[relationship]
    guard links.cells[relationship]?.isOlder(row.id) == true,
      links.isWritten(row.id, table: place.table), let reference = place.reference
    else { return LinkCells.Cell() }
    return storedCell(place, reference, row.id)
  }

  private func storedCell(
    _ place: RelationshipPlace, _ reference: Int, _ row: Int64
  ) -> LinkCells.Cell {
    let table = plan.layout.tables[place.table]
    let columns = [reference, place.referenceType].compactMap { $0 }.map {
      SQL.quoted(table.columns[$0].name)
    }
    var cell = LinkCells.Cell(isLoaded: true)
    let found = try? store.query(
      "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.quoted(table.name)) WHERE id = ?",
      [.integer(row)])
    guard let values = found?.first, case .integer(let target) = values[0] else { return cell }
    cell.target = target
    var entity = place.destinations.first
    if values.count > 1, case .text(let name) = values[1] {
      entity = plan.hierarchy.number(of: name)
    }
    cell.targetEntity = Int32(truncatingIfNeeded: entity ?? 0)
    return cell
  }

  // MARK: Clearing

  /// Empties a relationship of a row, whichever side has filled it.
  func clear(_ name: String, in instance: DestinationInstance) {
    guard let number = entities[instance.reference.entity].relationshipNumbers[name] else {
      set(.null, for: name, in: instance)
      return
    }
    let place = relationships[number]
    let row = instance.reference
    if !place.isToMany {
      let old = cell(number, of: row)
      links.set(LinkCells.Cell(isLoaded: true), number, of: row.id)
      if let inverse = place.inverse, !relationships[inverse].isToMany, old.target != 0 {
        release(inverse, old)
      }
    } else if let inverse = place.inverse, !relationships[inverse].isToMany {
      for member in (try? self.members(of: number, row)) ?? [] {
        links.set(LinkCells.Cell(isLoaded: true), inverse, of: member.id)
      }
    } else if let table = place.elements {
      let (isInverse, isOwnInverse) = (place.isInverseTable, place.inverse == number)
      links.joins.remove(table: table) {
        !isInverse && $0.owner == row.id || (isInverse || isOwnInverse) && $0.member == row.id
      }
      let elements = plan.layout.elementTables[table]
      let columns = isInverse ? [elements.reference] : [elements.owner]
      for column in (columns + (isOwnInverse ? [elements.reference] : [])).compactMap({ $0 }) {
        let name = SQL.quoted(elements.table.columns[column].name)
        _ = try? store.query(
          "DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(name) = ?", [.integer(row.id)])
      }
    }
  }

  // MARK: Notes

  private func conflict(_ code: ImportConflict.Code, _ relationship: Int, _ row: RowReference) {
    let place = self.place
    report.add(
      ImportConflict(
        code: code, archive: place.archive, uid: place.uid,
        entity: entities[row.entity].name, row: row.id,
        property: relationships[relationship].name))
  }

  private func noteBothSides(_ cell: LinkCells.Cell, _ relationship: Int) {
    guard cell.isClaimedByOwner, cell.isClaimedByRow, session?.isInHook == true else { return }
    let place = relationships[relationship]
    report.setFromBothSides.insert("\(entities[place.entity].name).\(place.name)")
  }

  /// The row that stands for one that was handed out, where a hook returned another; the row itself
  /// where nothing is known of it yet. Nil where the hook made none.
  func resolved(_ row: RowReference) -> RowReference? {
    guard !aliases.isEmpty else { return row }
    var row = row
    for _ in 0..<8 {
      let key = RowKey(table: entities[row.entity].table, id: row.id)
      guard let alias = aliases[key] else { return row }
      guard let alias else { return nil }
      row = alias
    }
    return row
  }

  /// Notes that an object became another row than the one that was handed out for it, or none.
  func replace(_ row: RowReference, by other: RowReference?) {
    guard row.id != other?.id || entities[row.entity].table != other.map({ entities[$0.entity].table })
    else { return }
    aliases[RowKey(table: entities[row.entity].table, id: row.id)] = .some(other)
    guard let other else { return }
    // What was said of the one holds for the other.
    for number in entities[row.entity].toOnes {
      guard let cell = links.cells[number]?.cell(of: row.id), cell.target != 0,
        entities[other.entity].toOnes.contains(number)
      else { continue }
      let target = RowReference(entity: Int(cell.targetEntity), id: cell.target)
      if let inverse = relationships[number].inverse, !relationships[inverse].isToMany {
        links.set(LinkCells.Cell(), inverse, of: target.id)
        pair(number, other, target)
      } else {
        claim(
          number, of: other, for: target,
          position: cell.position < 0 ? nil : Int64(cell.position), byOwner: cell.isClaimedByOwner)
      }
    }
  }
}
