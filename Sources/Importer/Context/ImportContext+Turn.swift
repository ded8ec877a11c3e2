import ArchiveReader
import Stores

/// The end of an archive's turn.
extension ImportContext {
  /// Writes what the turn of an archive left to be written: links, and rows that changed since.
  func endTurn() throws {
    try flush()
    try flushPostponed()
    try checkAwaited()
    try writeLateCells()
    try writeLateCounts()
    replaceAliasesInJoins()
    try writeJoins()
    noteOneSidedLinks()
    for (index, count) in links.unplaced.enumerated() where count != 0 {
      if let inverse = relationships[index].inverse { links.unevenOrders.insert(inverse) }
    }
    links.forgetCollections()
    pending.dropSpares()
  }

  private func writeLateCells() throws {
    for index in relationships.indices {
      let stored = relationships[index]
      guard var rows = links.cells[index]?.takeDirty() else { continue }
      // Rows that were written straight from the archive did not ask what others say of them.
      links.cells[index]?.forEachCurrent { row, _ in
        if !links.isWritten(row, table: stored.table) { rows.append(row) }
      }
      guard let reference = stored.reference else { continue }
      for row in rows {
        guard let cell = links.cells[index]?.cell(of: row) else { continue }
        let target = RowReference(entity: Int(cell.targetEntity), id: cell.target)
        let resolved = cell.target == 0 ? nil : self.resolved(target)
        try store.update(reference, of: stored.table, row: row) { buffer in
          if let resolved { buffer.set(0, resolved.id) }
        }
        if let column = stored.referenceType {
          try store.update(column, of: stored.table, row: row) { buffer in
            if let resolved { buffer.set(0, plan.layout.table(of: resolved.entity).name) }
          }
        }
        if let inverse = stored.inverse, let column = relationships[inverse].memberPosition {
          try store.update(column, of: stored.table, row: row) { buffer in
            if cell.position >= 0, resolved != nil { buffer.set(0, Int64(cell.position)) }
          }
        }
      }
    }
  }

  /// Writes the lengths of collections that were set after their row was written.
  private func writeLateCounts() throws {
    for (index, counts) in links.counts.sorted(by: { $0.key < $1.key }) {
      let stored = relationships[index]
      guard let column = stored.count else { continue }
      for (row, count) in counts.sorted(by: { $0.key < $1.key }) {
        try store.update(column, of: stored.table, row: row) { $0.set(0, Int64(count)) }
      }
    }
    links.counts = [:]
  }

  private func writeJoins() throws {
    for (table, found) in links.joins.all {
      let elements = plan.layout.elementTables[table]
      guard let reference = elements.reference else { continue }
      let index = relationships.firstIndex { $0.elements == table && !$0.isInverseTable }
      guard let index else { continue }
      let owner = relationships[index]
      let row = store.elementRow
      let width = elements.table.columns.count
      let firstRow = session?.firstIDs[owner.table] ?? lastIDs[owner.table]
      // How often the store had each link before, less what came by of it.
      var known: [Link: Int] = [:]
      for link in found {
        let member = RowReference(entity: link.memberEntity, id: link.member)
        let from = RowReference(entity: owner.entity, id: link.owner)
        guard let from = resolved(from), let member = resolved(member) else {
          links.unevenOrders.insert(index)
          continue
        }
        if from.id <= firstRow,
          owner.inverse == nil || isOlder(member.id, table: entities[member.entity].table)
        {
          let link = Link(owner: from.id, member: member)
          let count =
            try known[link] ?? storedRows.linkCount(in: elements, of: from.id, to: member)
          known[link] = max(count - 1, 0)
          if count > 0 {
            links.unevenOrders.insert(index)
            continue
          }
        }
        row.clear(width)
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

  /// A row and a member of its collection.
  private struct Link: Hashable {
    var owner: Int64
    var member: RowReference
  }

  /// The last rows, but for those of the archive whose turn it is.
  package var lastRows: LastRows {
    get { LastRows(ids: lastIDs, collection: lastCollection) }
    set { (lastIDs, lastCollection) = (newValue.ids, newValue.collection) }
  }

  /// True if a row was there before the turn of the current archive.
  func isOlder(_ row: Int64, table: Int) -> Bool {
    row <= (session?.firstIDs[table] ?? lastIDs[table])
  }

  /// Lists the links that one side names although the other's collection was set without them.
  private func noteOneSidedLinks() {
    noteOneSidedLinks(archive: session?.location.archive)
    for (table, found) in links.joins.all {
      guard
        let owner = relationships.firstIndex(where: { $0.elements == table && !$0.isInverseTable }),
        let inverse = relationships[owner].inverse
      else { continue }
      for link in found where link.isClaimedByOwner != link.isClaimedByMember {
        if link.isClaimedByMember {
          // Where the two sides are one, the link in the other direction tells it.
          guard inverse != owner, links.setCollections[owner][link.owner] != nil else { continue }
          addOneSided(relationships[inverse], link.member, session?.location.archive)
        } else if links.setCollections[inverse][link.member] != nil {
          addOneSided(relationships[owner], link.owner, session?.location.archive)
        }
      }
    }
    links.joins.removeAll()
  }

  /// Lists the rows that name an owner although its collection was set without them.
  func noteOneSidedLinks(archive: String?) {
    for (index, stored) in relationships.enumerated() where !stored.isToMany {
      guard let inverse = stored.inverse, relationships[inverse].isToMany else { continue }
      var rows = links.unclaimedRows[index] ?? []
      if !links.setCollections[inverse].isEmpty {
        links.cells[index]?.forEachCurrent { row, cell in
          guard cell.isClaimedByRow, !cell.isClaimedByOwner,
            let target = resolved(RowReference(entity: Int(cell.targetEntity), id: cell.target)),
            links.setCollections[inverse][target.id] != nil
          else { return }
          rows.append(row)
        }
      }
      for row in rows.sorted() { addOneSided(stored, row, archive) }
    }
    links.unclaimedRows = [:]
  }

  private func addOneSided(_ stored: StoredRelationship, _ row: Int64, _ archive: String?) {
    report.add(
      ImportConflict(
        .notInCollection, at: ImportFindings.Location(archive: archive),
        entity: entities[stored.entity].name, row: row, property: stored.name))
  }
}

extension ImportContext {
  /// The row that stands for one that was handed out: see `RowAliases`.
  func resolved(_ row: RowReference) -> RowReference? {
    migrated.gone.isEmpty || !migrated.gone.contains(row) ? aliases.resolved(row) : nil
  }

  /// The row that stands for one by now, or the row itself where there is none.
  func present(_ row: RowReference) -> RowReference { resolved(row) ?? row }

  /// Notes that an object became another row than the one that was handed out for it, or none.
  func replace(_ row: RowReference, by other: RowReference?) {
    guard aliases.replace(row, by: other), let other else { return }
    // What was said of the one holds for the other.
    for index in entities[other.entity].counted {
      if let count = links.counts[index]?.removeValue(forKey: row.id) {
        links.counts[index, default: [:]][other.id] = count
      }
      links.noteMembers(index, of: other.id)
    }
    for index in entities[row.entity].toOnes {
      guard let cell = links.cells[index]?.cell(of: row.id), cell.target != 0,
        entities[other.entity].toOnes.contains(index)
      else { continue }
      let target = present(RowReference(entity: Int(cell.targetEntity), id: cell.target))
      if let inverse = relationships[index].inverse, !relationships[inverse].isToMany {
        links.set(ForeignKeyBuffer.Cell(), inverse, of: target.id)
        pair(index, other, target)
      } else {
        claim(
          index, of: other, for: target,
          position: cell.position < 0 ? nil : Int64(cell.position), byOwner: cell.isClaimedByOwner)
      }
    }
  }

  /// Lets the links that are still to be written lead to the rows that took the place of others.
  func replaceAliasesInJoins() {
    guard !aliases.isEmpty else { return }
    links.joins.change { table, link in
      let owner = relationships.first { $0.elements == table && !$0.isInverseTable }
      guard let owner, let from = resolved(RowReference(entity: owner.entity, id: link.owner)),
        let member = resolved(RowReference(entity: link.memberEntity, id: link.member))
      else { return nil }
      var link = link
      link.owner = from.id
      link.member = member.id
      link.memberEntity = member.entity
      return link
    }
  }
}
