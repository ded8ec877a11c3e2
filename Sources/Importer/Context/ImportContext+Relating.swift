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

extension ImportContext {
  /// Sets the row that a to-one relationship of a row holds.
  func relate(_ relationship: Int, of row: RowReference, toOne member: RowReference) {
    let stored = relationships[relationship]
    let member = present(member)
    guard fits(member, relationship) else { return }
    if let inverse = stored.inverse, !relationships[inverse].isToMany {
      pair(relationship, row, member)
    } else {
      claim(relationship, of: row, for: member, position: nil, byOwner: false)
    }
  }

  /// Sets a to-one relationship that has no inverse, or a to-many one.
  ///
  /// It is the inverse's side that says so, or the row's own.
  func claim(
    _ relationship: Int, of row: RowReference, for target: RowReference, position: Int64?,
    byOwner: Bool
  ) {
    var cell = cell(relationship, of: row)
    let isSame = cell.target == target.id && isInTable(of: target, cell.targetEntity)
    let wasUnplaced = cell.isUnplaced
    if cell.target != 0, !isSame || cell.isLoaded || position != nil && cell.position >= 0 {
      // What leaves a collection, or stands in it twice, leaves a gap.
      if let inverse = relationships[relationship].inverse { links.unevenOrders.insert(inverse) }
    }
    if cell.target != 0, !isSame {
      if plan.migration != nil {
        migrated.replacedLinks += 1
        (cell.isClaimedByOwner, cell.isClaimedByRow) = (false, false)
      } else if !byOwner, cell.isClaimedByOwner {
        conflict(.sidesDisagree, relationship, row)
        return
      } else if cell.isFromStore {
        conflict(.differentValue, relationship, row)
      } else if byOwner, !leadsToCurrentObject(cell) {
        conflict(cell.isClaimedByOwner ? .claimedTwice : .sidesDisagree, relationship, row)
      }
      cell.position = -1
      links.noteMembers(relationships[relationship].inverse, of: cell.target)
    }
    if !isSame { links.noteMembers(relationships[relationship].inverse, of: target.id) }
    let isUnchanged = isSame && (position == nil || cell.position >= 0)
    cell.target = target.id
    cell.targetEntity = Int32(truncatingIfNeeded: target.entity)
    if let position, cell.position < 0 { cell.position = Int32(truncatingIfNeeded: position) }
    cell.noteClaim(byOwner: byOwner)
    noteBothSides(cell, relationship)
    if cell.isUnplaced != wasUnplaced { links.unplaced[relationship] += wasUnplaced ? -1 : 1 }
    if isUnchanged {
      links.cells[relationship]?.set(cell, of: row.id, isWritten: false)
    } else {
      links.set(cell, relationship, of: row.id)
    }
  }

  /// Whether the rows of an entity, if one is known, are in the table of a row.
  private func isInTable(of row: RowReference, _ entity: Int32) -> Bool {
    entity >= 0 && entities[Int(entity)].table == entities[row.entity].table
  }

  /// Whether a cell leads to the object whose hook is running: it is going to lead to the row that
  /// the hook returns, which may be another than was handed out.
  func leadsToCurrentObject(_ cell: ForeignKeyBuffer.Cell) -> Bool {
    guard let handedOut, cell.target == handedOut.id, cell.targetEntity >= 0 else { return false }
    return entities[Int(cell.targetEntity)].table == entities[handedOut.entity].table
  }

  func noteBothSides(_ cell: ForeignKeyBuffer.Cell, _ relationship: Int) {
    guard cell.isClaimedByOwner, cell.isClaimedByRow, session?.isInHook == true,
      links.setFromBothSides.insert(relationship).inserted
    else { return }
    let stored = relationships[relationship]
    report.setFromBothSides.insert("\(entities[stored.entity].name).\(stored.name)")
  }
}

extension ImportContext {
  /// Sets both sides of a one-to-one relationship.
  func pair(_ relationship: Int, _ first: RowReference, _ second: RowReference) {
    let stored = relationships[relationship]
    guard let inverse = stored.inverse else { return }
    var own = cell(relationship, of: first)
    var other = cell(inverse, of: second)
    // On both cells, "the owner" is the owning side of the pair.
    let isOwning = stored.isOwning
    if own.target == second.id, other.target == first.id {
      own.noteClaim(byOwner: isOwning)
      other.noteClaim(byOwner: isOwning)
      noteBothSides(own, relationship)
      links.cells[relationship]?.set(own, of: first.id, isWritten: false)
      links.cells[inverse]?.set(other, of: second.id, isWritten: false)
      return
    }
    if plan.migration != nil {
      migrated.replacedLinks += [own, other].count { $0.target != 0 }
    } else if !isOwning,
      own.target != 0 && own.isClaimedByOwner || other.target != 0 && other.isClaimedByOwner
    {
      conflict(.sidesDisagree, relationship, first)
      return
    }
    if own.target != 0 {
      if own.isFromStore, plan.migration == nil {
        conflict(.differentValue, relationship, first)
      } else if plan.migration == nil, own.isClaimedByOwner != isOwning || relationship == inverse {
        let other = RowReference(entity: Int(own.targetEntity), id: own.target)
        conflict(.sidesDisagree, inverse, other)
      }
      release(inverse, own)
    }
    if other.target != 0 {
      let isSameSide = other.isFromStore || other.isClaimedByOwner == isOwning
      if plan.migration == nil, !leadsToCurrentObject(other) {
        conflict(isSameSide ? .claimedTwice : .sidesDisagree, inverse, second)
      }
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
  func release(_ relationship: Int, _ pointing: ForeignKeyBuffer.Cell) {
    links.set(ForeignKeyBuffer.Cell(isLoaded: true), relationship, of: pointing.target)
  }
}
