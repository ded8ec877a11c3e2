import DataModel
import Stores

extension ImportContext {
  /// The third stage: puts right what only the whole run tells, and checks what the model states of
  /// rows and relationships.
  func finish() throws {
    try endTurn()
    if !aliases.isEmpty { try AliasReplacement(aliases: aliases, rows: storedRows).replace() }
    try writeNarrowed()
    // From here on, the store knows it all.
    links.advance(to: lastIDs)
    let numbering = MemberNumbering(plan: plan, rows: storedRows, isAppending: isAppending)
    let hasDeleted = try deleteRows()
    if hasDeleted { try numbering.numberElements() }
    try numbering.numberMembers(where: isUneven)
    let usesCode = plan.reasonToRepeat != nil
    try MemberCounting(model: plan.model, rows: storedRows, isAppending: isAppending)
      .count(hasDeleted ? nil : links.earlierCounts) {
        usesCode || links.setAgain.contains($0) || isUneven($0)
      }
    try ModelRules(model: plan.model, rows: storedRows).validate { error, row, table in
      report.add(error, at: origin(of: row, table: table))
    }
  }

  /// Notes the rows that are alike in what the model of the inputs says is unique.
  ///
  /// What is in a Core Data store is kept whether or not it fits the rules of its model.
  package func noteRepetitions(against declared: Model) throws(StoreError) {
    report.omissions = try ModelRules(model: plan.model, rows: storedRows)
      .repetitions(against: declared)
  }

  /// Deletes the rows that policies and hooks deleted; returns whether there are any.
  private func deleteRows() throws -> Bool {
    try deleteGone()
    guard !deleted.isEmpty else { return !migrated.gone.isEmpty }
    links.unevenOrders.formUnion(relationships.indices)
    for denial in try RowDeletion(rows: storedRows).delete(deleted.compactMap(resolved)) {
      let entity = entities[denial.row.entity]
      report.add(
        ValidationError(
          .deleteDenied, entity: entity.name, row: denial.row.id, property: denial.relationship),
        at: origin(of: denial.row.id, table: entity.table))
    }
    deleted = []
    return true
  }

  /// The archive, and the object in it, that a row came from.
  package func origin(of row: Int64, table: Int) -> ImportFindings.Location {
    answer(orElse: .init()) { try origins.location(of: row, table: table, storedRows) }
  }

  /// The archive that a row of a table of elements, or of top-level keys, came from.
  package func origin(ofElement row: Int64, in table: String) -> ImportFindings.Location {
    answer(orElse: .init()) { try origins.location(ofElement: row, in: table, storedRows) }
  }

  /// Whether positions of a relationship's members may be missing, or leave gaps, and whether they
  /// may be more or fewer than its collections had elements.
  ///
  /// Members that were claimed once each, one after the other, are numbered and counted already.
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
}

/// Sets the columns that tell an empty collection from none to how many rows a relationship leads
/// to, after the last archive: several objects may have become the row, another collection may have
/// taken a member, and rows may have been deleted.
///
/// Rows of earlier runs keep what these have counted, unless this run has changed their members.
struct MemberCounting {
  let model: Model
  let rows: StoredRows
  /// True if the store had rows before the run.
  let isAppending: Bool

  /// Counts the members of relationships, where a collection was there.
  ///
  /// - Parameters:
  ///   - earlierRows: By relationships, the rows of earlier runs whose members may have changed; nil
  ///     where those of all rows may have.
  ///   - isUneven: True for a relationship that may lead to more or fewer rows than its collections
  ///     had elements.
  /// - Throws: `StoreError` if the store cannot be read or changed.
  func count(
    _ earlierRows: [Int: Set<Int64>]?, where isUneven: (Int) -> Bool
  ) throws(StoreError) {
    for (index, stored) in rows.relationships.enumerated() {
      guard let column = stored.count, stored.countsMembers(in: model), isUneven(index) else {
        continue
      }
      let table = rows.layout.tables[stored.table]
      let name = SQL.quoted(table.columns[column].name)
      let changed = earlierRows.map { $0[index] ?? [] }
      let last = try isAppending && changed != nil ? rows.lastEarlierRow(of: table.name) : 0
      try withTable(of: changed ?? []) { (known) throws(StoreError) in
        try rows.store.change(
          """
          UPDATE \(SQL.quoted(table.name)) SET \(name) = counted.count
            FROM (\(rows.counting(index))) AS counted
            WHERE counted.id = \(SQL.quoted(table.name)).\(table.quotedKey)
              AND \(name) <> counted.count AND (counted.id > ? OR counted.id IN (\(known)))
          """, [.integer(last)])
      }
    }
  }

  /// Keeps the ids of rows in a table for a while, of which the body gets a query.
  private func withTable(
    of ids: Set<Int64>, _ body: (String) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !ids.isEmpty else { return try body("") }
    let table = RelationalLayout.aliasTable
    try rows.store.change("CREATE TEMP TABLE \(table) (id INTEGER PRIMARY KEY)")
    for id in ids.sorted() {
      try rows.store.change("INSERT INTO \(table) VALUES (?)", [.integer(id)])
    }
    try body("SELECT id FROM temp.\(table)")
    try rows.store.change("DROP TABLE temp.\(table)")
  }
}

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
