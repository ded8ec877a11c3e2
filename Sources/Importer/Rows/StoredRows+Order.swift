import Stores

extension StoredRows {
  /// Where the positions of members stand: their table, and two of its columns.
  struct MemberOrder {
    var table: Table
    var position: Table.Column
    /// The column of the rows whose collections the positions are about.
    var owner: String

    init(_ table: Table, position: Int, owner: Int) {
      self.table = table
      self.position = table.columns[position]
      self.owner = SQL.quoted(table.columns[owner].name)
    }
  }

  /// The place of the positions of a to-many relationship; nil if it has none.
  func positions(of stored: StoredRelationship) -> MemberOrder? {
    if let column = stored.memberPosition, let inverse = stored.inverse,
      let reference = relationships[inverse].reference
    {
      return MemberOrder(
        layout.tables[relationships[inverse].table], position: column, owner: reference)
    }
    guard let index = stored.elements else { return nil }
    let elements = layout.elementTables[index]
    let column = stored.isInverseTable ? elements.inversePosition : elements.position
    let owner = stored.isInverseTable ? elements.reference : elements.owner
    guard let column, let owner else { return nil }
    return MemberOrder(elements.table, position: column, owner: owner)
  }

  /// The last row of a table that earlier runs have made.
  func lastEarlierRow(of table: String) throws(StoreError) -> Int64 {
    let query = """
      SELECT coalesce(max("last"), 0) FROM \(RelationalLayout.rowsTable) WHERE entity = ?
        AND archive_id < (SELECT max(first_archive) FROM \(RelationalLayout.runTable))
      """
    guard case .integer(let row) = try store.query(query, [.text(table)]).first?.first else {
      return 0
    }
    return row
  }

  /// The position after what the collection of a row holds in the store; nil where none counts.
  func nextPosition(_ stored: StoredRelationship, of owner: RowReference) throws(StoreError)
    -> Int64?
  {
    guard stored.isOrdered, let order = positions(of: stored) else { return nil }
    let query = """
      SELECT coalesce(max(\(order.position.position)) + 1, 0) FROM \(SQL.quoted(order.table.name))
        WHERE \(order.owner) = ?
      """
    guard case .integer(let next) = try store.query(query, [.integer(owner.id)]).first?.first else {
      return nil
    }
    return next
  }
}
