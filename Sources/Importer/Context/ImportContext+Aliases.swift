import Stores

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
