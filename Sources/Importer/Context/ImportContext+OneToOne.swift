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
