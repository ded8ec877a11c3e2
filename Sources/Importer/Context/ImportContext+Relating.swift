import RelationalStores

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
      if members.count > 1 {
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

  // MARK: To-many

  /// Sets the rows that a to-many relationship of a row holds.
  ///
  /// - Parameters:
  ///   - relationship: The relationship.
  ///   - owner: The row.
  ///   - members: The others.
  ///   - keepsOrder: Whether they stand in an order: the members of a set have no place, but where
  ///     an inverse asks which of them are there.
  func relate(
    _ relationship: Int, of owner: RowReference, toMany members: [RowReference],
    keepsOrder: Bool = true
  ) {
    if relationships[relationship].count != nil {
      links.counts[relationship, default: [:]][owner.id] = members.count
      links.noteMembers(relationship, of: owner.id)
      if links.setCollections[relationship][owner.id] != nil
        || isOlder(owner.id, table: relationships[relationship].table)
      {
        links.setAgain.insert(relationship)
      }
    }
    links.setCollections[relationship][owner.id] = append(
      newMembers(members, relationship, of: owner), to: relationship, of: owner,
      from: nextPosition(relationship, of: owner), keepsOrder: keepsOrder)
  }

  /// The members that an earlier object of the archive, which is the same row by its identity, has
  /// not said as often.
  private func newMembers(
    _ members: [RowReference], _ relationship: Int, of owner: RowReference
  ) -> [RowReference] {
    guard mayMerge, session?.isInHook != true,
      relationships[relationship].inverse == nil, let table = relationships[relationship].elements,
      links.setCollections[relationship][owner.id] != nil
    else { return members }
    var said: [RowReference: Int] = [:]
    return members.filter { member in
      let member = present(member)
      said[member, default: 0] += 1
      let link = RelationshipTracker.JoinRows.Link(
        owner: owner.id, member: member.id, memberEntity: member.entity)
      return said[member, default: 0] > links.joins.count(of: link, table: table)
    }
  }

  /// The position after what the collection of a row holds already: an object, or archive, before
  /// may have become the same row.
  private func nextPosition(_ relationship: Int, of owner: RowReference) -> Int64 {
    if let known = links.setCollections[relationship][owner.id] { return known }
    let stored = relationships[relationship]
    guard isOlder(owner.id, table: stored.table) else { return 0 }
    return answer(orElse: nil) { try storedRows.nextPosition(stored, of: owner) } ?? 0
  }

  /// Adds rows after those that a to-many relationship holds.
  func add(_ rows: [RowReference], to name: String, in instance: RowInstance) {
    let entity = entities[instance.reference.entity]
    guard let relationship = entity.relationshipIndices[name],
      relationships[relationship].isToMany
    else {
      guard entity.propertyNames.contains(name) else { return noteUnknown(name, in: entity) }
      report.add(ValidationError(.notToMany, entity: entity.name, property: name), at: location)
      return
    }
    let owner = present(instance.reference)
    let known = links.nextPositions[relationship]?[owner.id] ?? 0
    let position = append(
      rows, to: relationship, of: owner, from: max(known, nextPosition(relationship, of: owner)))
    links.nextPositions[relationship, default: [:]][owner.id] = position
    if links.setCollections[relationship][owner.id] != nil {
      links.setCollections[relationship][owner.id] = position
    }
  }

  /// Links rows to their owner, each after the one before; returns the position after the last.
  private func append(
    _ members: [RowReference], to relationship: Int, of owner: RowReference, from start: Int64,
    keepsOrder: Bool = true
  ) -> Int64 {
    let stored = relationships[relationship]
    let hasPlaces = stored.hasPlaces(keepsOrder)
    var position = start
    for member in members.lazy.map(present) where fits(member, relationship) {
      let placement = hasPlaces ? position : nil
      if let inverse = stored.inverse, !relationships[inverse].isToMany, stored.elements == nil {
        claim(inverse, of: member, for: owner, position: placement, byOwner: true)
      } else {
        join(relationship, owner, member, position: placement)
      }
      position += 1
    }
    return position
  }

  private func join(
    _ relationship: Int, _ owner: RowReference, _ member: RowReference, position: Int64?
  ) {
    let stored = relationships[relationship]
    guard let table = stored.elements else { return }
    let said = RelationshipTracker.JoinRows.Link(
      owner: owner.id, member: member.id, memberEntity: member.entity, position: position,
      isClaimedByOwner: true)
    // The same, as the other side's collection would say it.
    var mirrored = RelationshipTracker.JoinRows.Link(
      owner: member.id, member: owner.id, memberEntity: owner.entity, isClaimedByMember: true)
    links.noteMembers(relationship, of: owner.id)
    guard let inverse = stored.inverse else {
      links.joins.append(said, table: table)
      return
    }
    links.noteMembers(inverse, of: member.id)
    if inverse == relationship {
      // The two sides are one: each holds the other.
      links.joins.merge(said, table: table)
      links.joins.merge(mirrored, table: table)
    } else if stored.isInverseTable {
      mirrored.inversePosition = position
      links.joins.merge(mirrored, table: table)
    } else {
      links.joins.merge(said, table: table)
    }
  }

  // MARK: To-one

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
      if !byOwner, cell.isClaimedByOwner {
        conflict(.sidesDisagree, relationship, row)
        return
      }
      if cell.isFromStore {
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

  // MARK: Notes

  func conflict(_ code: ImportConflict.Code, _ relationship: Int, _ row: RowReference) {
    report.add(
      ImportConflict(
        code, at: location, entity: entities[row.entity].name, row: row.id,
        property: relationships[relationship].name))
  }

  func noteBothSides(_ cell: ForeignKeyBuffer.Cell, _ relationship: Int) {
    guard cell.isClaimedByOwner, cell.isClaimedByRow, session?.isInHook == true,
      links.setFromBothSides.insert(relationship).inserted
    else { return }
    let stored = relationships[relationship]
    report.setFromBothSides.insert("\(entities[stored.entity].name).\(stored.name)")
  }
}
