import Stores

extension ImportContext {
  /// What is known of a row's to-one relationship; for rows that are older, what the store says.
  ///
  /// It leads to the row that took the place of another, as soon as that is known.
  func cell(_ relationship: Int, of row: RowReference) -> ForeignKeyBuffer.Cell {
    var cell = knownCell(relationship, of: row)
    guard !aliases.isEmpty, cell.target != 0 else { return cell }
    let target = resolved(RowReference(entity: Int(cell.targetEntity), id: cell.target))
    guard let target else { return ForeignKeyBuffer.Cell(isLoaded: cell.isLoaded) }
    (cell.target, cell.targetEntity) = (target.id, Int32(truncatingIfNeeded: target.entity))
    return cell
  }

  private func knownCell(_ relationship: Int, of row: RowReference) -> ForeignKeyBuffer.Cell {
    if let known = links.cells[relationship]?.cell(of: row.id) { return known }
    // The walk over a store that is migrated has written rows straight.
    guard links.cells[relationship]?.isOlder(row.id) == true || isWalked(row),
      links.isWritten(row.id, table: relationships[relationship].table),
      let reference = relationships[relationship].reference
    else { return ForeignKeyBuffer.Cell() }
    return answer(orElse: ForeignKeyBuffer.Cell(isLoaded: true)) {
      try storedRows.cell(relationships[relationship], reference, row.id)
    }
  }
}
