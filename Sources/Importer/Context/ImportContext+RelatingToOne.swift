import Stores

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
