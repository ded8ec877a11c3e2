import Stores

extension ImportContext {
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
    if plan.migration != nil {
      let value = ImportValue.list(rows.map { .row($0) })
      guard entity.attributeIndices[name] == nil else {
        return fail(
          MigrationError(.unsuitableValue, property: name, name: "\(name) is not a relationship"))
      }
      guard takes(value, for: name, in: instance, entity) else { return }
    }
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
}
