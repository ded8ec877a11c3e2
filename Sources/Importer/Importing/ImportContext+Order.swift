import RelationalStores

extension ImportContext {
  /// The position after what the collection of a row holds already: an object, or archive, before
  /// may have become the same row.
  func nextPosition(_ relationship: Int, of owner: RowReference) -> Int64 {
    if let known = links.setCollections[relationship][owner.id] { return known }
    let stored = relationships[relationship]
    guard stored.isOrdered, isOlder(owner.id, table: stored.table),
      let order = positions(of: stored)
    else { return 0 }
    let query = """
      SELECT coalesce(max(\(order.position)) + 1, 0) FROM \(SQL.quoted(order.table.name))
        WHERE \(order.owner) = ?
      """
    let found = answer(orElse: []) { try store.query(query, [.integer(owner.id)]) }
    guard case .integer(let next) = found.first?.first else { return 0 }
    return next
  }

  /// Where the positions of members stand: their table, and two of its columns, as in SQL.
  private struct MemberOrder {
    var table: Table
    var position: String
    /// The column of the rows whose collections the positions are about.
    var owner: String

    init(_ table: Table, position: Int, owner: Int) {
      self.table = table
      self.position = SQL.quoted(table.columns[position].name)
      self.owner = SQL.quoted(table.columns[owner].name)
    }
  }

  /// Where the positions of a to-many relationship stand.
  private func positions(of stored: StoredRelationship) -> MemberOrder? {
    if let column = stored.memberPosition, let inverse = stored.inverse,
      let reference = relationships[inverse].reference
    {
      return MemberOrder(
        plan.layout.tables[relationships[inverse].table], position: column, owner: reference)
    }
    guard let index = stored.elements else { return nil }
    let elements = plan.layout.elementTables[index]
    let column = stored.isInverseTable ? elements.inversePosition : elements.position
    let owner = stored.isInverseTable ? elements.reference : elements.owner
    guard let column, let owner else { return nil }
    return MemberOrder(elements.table, position: column, owner: owner)
  }

  /// Numbers the members of ordered relationships from 0: what left the collection, or was there
  /// already, leaves no gap.
  ///
  /// What has no position keeps none where it is a member of a set. Where it names an owner whose
  /// collection does not hold it, the plan says whether it stands after the others.
  func numberMembers() throws {
    for (index, stored) in relationships.enumerated() where stored.isOrdered && stored.isToMany {
      guard isUneven(index), let order = positions(of: stored) else { continue }
      try numberMembers(
        order, all: plan.placesStrays(stored),
        behind: lastEarlierRow(of: plan.layout.tables[stored.table].name))
    }
  }

  /// Whether positions of a relationship's members may be missing, or leave gaps.
  ///
  /// Members that were claimed once each, one after the other, are numbered already.
  private func isUneven(_ relationship: Int) -> Bool {
    let stored = relationships[relationship]
    return stored.elements != nil && stored.inverse != nil || isAppending || !aliases.isEmpty
      || links.unevenOrders.contains(relationship)
  }

  /// Whether there may be rows that name an owner whose ordered collection does not hold them.
  ///
  /// - Parameters:
  ///   - relationship: The name of the collection's relationship.
  ///   - entity: The owner's entity, by its index in the plan.
  /// - Returns: False only if each member has its position.
  package func mayHaveStrays(_ relationship: String, of entity: Int) -> Bool {
    entities[entity].relationshipIndices[relationship].map(isUneven) ?? true
  }

  /// The last row of a table that earlier runs have made and that this one cannot have found.
  private func lastEarlierRow(of table: String) throws -> Int64 {
    guard isAppending, !plan.findsRows, plan.reasonToRepeat == nil else { return 0 }
    let query = """
      SELECT coalesce(max("last"), 0) FROM \(RelationalLayout.rowsTable) WHERE entity = ?
        AND archive_id < (SELECT max(first_archive) FROM \(RelationalLayout.runTable))
      """
    guard case .integer(let row) = try store.query(query, [.text(table)]).first?.first else {
      return 0
    }
    return row
  }

  /// Numbers the elements of collections of values from 0, after some of them were deleted.
  func numberElements() throws {
    let related = Set(relationships.compactMap(\.elements))
    for (index, elements) in plan.layout.elementTables.enumerated() {
      guard !related.contains(index), let position = elements.position else { continue }
      let order = MemberOrder(elements.table, position: position, owner: elements.owner)
      try numberMembers(order, all: false, behind: 0)
    }
  }

  private func numberMembers(_ order: MemberOrder, all: Bool, behind row: Int64) throws {
    // Rows of earlier runs may have their position in a collection of another owner.
    let earlier = try lastEarlierRow(of: order.table.name)
    let (table, key) = (SQL.quoted(order.table.name), order.table.quotedKey)
    let (position, owner) = (order.position, order.owner)
    let condition = all ? "" : " AND \(position) IS NOT NULL"
    try store.change(
      """
      UPDATE \(table) SET \(position) = numbered.place FROM (
        SELECT \(key) AS id, row_number() OVER (
            PARTITION BY \(owner) ORDER BY \(position) IS NULL, \(position), \(key)) - 1 AS place
          FROM \(table) WHERE \(owner) > \(row)\(condition)
      ) AS numbered WHERE numbered.id = \(table).\(key) AND \(position) IS NOT numbered.place
      """)
    try store.change(
      """
      UPDATE \(table) SET \(position) = NULL
        WHERE \(key) > \(earlier) AND \(owner) IS NULL AND \(position) IS NOT NULL
      """)
  }
}
