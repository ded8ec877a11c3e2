import Stores

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
