import Stores

/// Numbers the members of ordered relationships from 0, after the last archive: what left a
/// collection, or was there already, leaves no gap.
struct MemberNumbering {
  let plan: ImportPlan
  let rows: StoredRows
  let isAppending: Bool

  /// Numbers the members of relationships.
  ///
  /// What has no position keeps none where it is a member of a set. Where it names an owner whose
  /// collection does not hold it, the plan says whether it stands after the others.
  ///
  /// - Parameter isUneven: True for a relationship the positions of whose members may be missing,
  ///   or leave gaps.
  /// - Throws: `StoreError` if the store cannot be read or changed.
  func numberMembers(where isUneven: (Int) -> Bool) throws(StoreError) {
    for (index, stored) in rows.relationships.enumerated() where stored.isOrdered && stored.isToMany
    {
      guard isUneven(index), let order = rows.positions(of: stored) else { continue }
      try number(
        order, all: plan.placesStrays(stored),
        behind: lastEarlierRow(of: plan.layout.tables[stored.table].name))
    }
  }

  /// Numbers the elements of collections of values from 0, after some of them were deleted.
  func numberElements() throws(StoreError) {
    let related = Set(rows.relationships.compactMap(\.elements))
    for (index, elements) in plan.layout.elementTables.enumerated() {
      guard !related.contains(index), let position = elements.position else { continue }
      let order = StoredRows.MemberOrder(
        elements.table, position: position, owner: elements.owner)
      try number(order, all: false, behind: 0)
    }
  }

  /// The last row of a table that earlier runs have made and that this one cannot have found.
  private func lastEarlierRow(of table: String) throws(StoreError) -> Int64 {
    guard isAppending, !plan.findsRows, plan.reasonToRepeat == nil else { return 0 }
    return try rows.lastEarlierRow(of: table)
  }

  private func number(_ order: StoredRows.MemberOrder, all: Bool, behind row: Int64)
    throws(StoreError)
  {
    // Rows of earlier runs may have their position in a collection of another owner.
    let earlier = try lastEarlierRow(of: order.table.name)
    let (table, key) = (SQL.quoted(order.table.name), order.table.quotedKey)
    let (position, owner) = (SQL.quoted(order.position.name), order.owner)
    let condition = all ? "" : " AND \(position) IS NOT NULL"
    let number = """
      (row_number() OVER (
        PARTITION BY \(owner) ORDER BY \(position) IS NULL, \(position), \(key)) - 1)
      """
    try rows.store.change(
      """
      UPDATE \(table) SET \(position) = numbered.place FROM (
        SELECT \(key) AS id, \(order.position.stored(position: number)) AS place
          FROM \(table) WHERE \(owner) > \(row)\(condition)
      ) AS numbered WHERE numbered.id = \(table).\(key) AND \(position) IS NOT numbered.place
      """)
    try rows.store.change(
      """
      UPDATE \(table) SET \(position) = NULL
        WHERE \(key) > \(earlier) AND \(owner) IS NULL AND \(position) IS NOT NULL
      """)
  }
}
