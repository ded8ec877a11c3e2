import Support

/// What the store has no place for: it is counted, and named in the report.
extension CoreDataOutput {
  /// Counts what was not copied, when all rows are there.
  func omissions(_ database: Database) throws(StoreError) -> [LayoutOmission] {
    var found: [LayoutOmission] = []
    func add(
      _ kind: LayoutOmission.Kind, _ entity: String, _ property: String, _ reason: String,
      _ count: String
    ) throws(StoreError) {
      guard case .integer(let number) = try database.rows("SELECT \(count)").first?.first,
        number > 0
      else { return }
      found.append(
        LayoutOmission(
          kind: kind, entity: entity, property: property, reason: reason,
          count: Int(clamping: number)))
    }
    for storage in layout.entities {
      guard let number = entities[storage.number - 1] else { continue }
      let entity = storage.entity
      for (name, column, reason) in lostColumns(of: storage, number) {
        try add(.value, entity.name, name, reason, column)
      }
      for relationship in entity.storedRelationships {
        try add(
          .link, entity.name, relationship.name,
          "a row is in its owner's collection only once, and has only one owner",
          lostLinks(of: relationship, storage))
      }
    }
    for (name, entity, property, count) in lostReferences() {
      try add(.link, entity, property, "the model has no relationship to \(name)", count)
    }
    try found += topLevelOmissions(database)
    return found
  }

  // MARK: Indexes

  /// The rows that an index cannot have, since the model says that they are not alike; nil if it
  /// can be made.
  func repetition(
    _ index: CoreDataTable.StoredIndex, _ database: Database
  ) throws(StoreError) -> LayoutOmission? {
    guard let constraint = index.constraint else { return nil }
    let found = try database.rows(
      "SELECT count(*) FROM \(target(index.table)) AS t WHERE \(index.repetition(in: StoreWriter.attachedSchema))"
    )
    guard case .integer(let count) = found.first?.first, count > 0 else { return nil }
    return LayoutOmission(
      repeated: constraint.properties, of: constraint.entity, rows: Int(clamping: count))
  }

  // MARK: Columns

  /// The columns of an entity's own properties that have no place: what they hold, and how much, in
  /// SQL.
  private func lostColumns(
    of storage: CoreDataLayout.EntityStorage, _ number: Int
  ) -> [(name: String, count: String, reason: String)] {
    let parts = storage.entity.attributes.compactMap(\.draftedPart)
    let own = Set(plan.model.entities[number].attributes.map(\.name))
      .union(plan.model.entities[number].relationships.map(\.name))
      .union(plan.model.entities[number].collections.map(\.name))
    let table = plan.layout.table(of: number)
    let source = SQL.quoted(table.name)
    var found: [(name: String, count: String, reason: String)] = []
    for name in own.sorted(by: { $0.precedesInBytes($1) }) {
      guard let property = plan.layout.entities[number].properties[name] else { continue }
      if let runs = property.runs, !parts.contains(.runs(of: name)) {
        let column = SQL.quoted(table.columns[runs].name)
        found.append(
          (
            name, "count(\(column)) FROM \(source)",
            "text attributes need an attribute of their own"
          ))
      }
      if let count = property.count, !parts.contains(.count(of: name)) {
        let column = SQL.quoted(table.columns[count].name)
        found.append(
          (
            name, "count(*) FROM \(source) WHERE \(column) = 0",
            "an empty collection is stored like a missing one"
          ))
      }
    }
    return found
  }

  // MARK: Links

  /// How many links of a to-many relationship are not in the store, in SQL.
  private func lostLinks(
    of relationship: Relationship, _ storage: CoreDataLayout.EntityStorage
  ) -> String {
    guard relationship.isToMany, relationship.draftedPart == nil,
      let links = links(of: relationship.name, storage.number)
    else { return "0" }
    let all =
      "SELECT \(links.owner) AS o, \(links.member) AS m FROM \(links.table) "
      + "WHERE \(links.condition)"
    func lost(_ table: Int, _ column: Int) -> String {
      let declared = layout.tables[table]
      return "(SELECT count(*) FROM (\(all)) AS links) - (SELECT count(*) "
        + "FROM (SELECT DISTINCT o, m FROM (\(all))) AS links WHERE EXISTS "
        + "(SELECT 1 FROM \(target(declared.name)) AS t WHERE "
        + "t.\(SQL.quoted(declared.columns[column].name)) = links.o AND t.Z_PK = links.m))"
    }
    switch storage.relationships[relationship.name] {
    case .members(let entity, let name):
      let members = layout.entities[entity - 1]
      // In the column of the members, links are as they were there.
      guard case .column(let reference) = members.relationships[name],
        plan.layout.entities[entities[storage.number - 1] ?? 0].properties[relationship.name]?
          .members == nil
      else { return "0" }
      return lost(members.table, reference.column)
    case .memberColumn(let table, let column): return lost(table, column)
    case .join(let tables):
      guard let table = tables.first.map({ layout.joinTables[$0] }),
        table.second.relationship == relationship.name, table.second.owner == storage.number
      else { return "0" }
      return "(SELECT count(*) FROM (\(all))) - (SELECT count(*) FROM \(target(table.table.name)))"
    case .column, nil: return "0"
    }
  }

  /// References to rows for which the model has no relationship: where they lead, whose they are,
  /// and how many, in SQL.
  private func lostReferences() -> [(name: String, entity: String, property: String, count: String)]
  {
    var found: [(name: String, entity: String, property: String, count: String)] = []
    func add(
      _ table: String, _ reference: String, _ type: String, _ known: [Int], _ entity: String,
      _ property: String
    ) {
      let names = known.compactMap(tableName).map(SQL.literal).joined(separator: ", ")
      found.append(
        (
          "all of their entities", entity, property,
          "count(*) FROM main.\(SQL.quoted(table)) WHERE \(reference) IS NOT NULL "
            + "AND \(type) NOT IN (\(names))"
        ))
    }
    for storage in layout.entities {
      let entity = storage.entity
      func destinations(_ part: DraftedPart) -> [Int] {
        entity.references.filter { $0.draftedPart == part }.compactMap { relationship in
          guard case .column(let reference) = storage.relationships[relationship.name] else {
            return nil
          }
          return reference.destination
        }
      }
      if let number = entities[storage.number - 1] {
        let columns = plan.layout.table(of: number).columns
        for relationship in plan.model.entities[number].relationships {
          guard let property = plan.layout.entities[number].properties[relationship.name],
            let reference = property.reference, let type = property.referenceType
          else { continue }
          add(
            plan.layout.table(of: number).name, SQL.quoted(columns[reference].name),
            SQL.quoted(columns[type].name), destinations(.reference(of: relationship.name)),
            entity.name, relationship.name)
        }
      } else if let parts = entity.draftedTable.flatMap(parts) {
        for part in [DraftedPart.value, .key] {
          guard let reference = parts.references[part], let column = reference.column,
            let type = reference.type
          else { continue }
          add(parts.table, column, type, destinations(part), entity.name, part.text)
        }
      }
    }
    return found
  }

  // MARK: Top-level keys

  /// What only top-level keys hold, and collections inside of others, if the model has no entity
  /// for it: key by key.
  private func topLevelOmissions(_ database: Database) throws(StoreError) -> [LayoutOmission] {
    var found: [LayoutOmission] = []
    func add(_ kind: LayoutOmission.Kind, _ sql: String) throws(StoreError) {
      for row in try database.rows(sql) {
        guard case .text(let key) = row[0], case .integer(let count) = row[1], count > 0 else {
          continue
        }
        let reason =
          kind == .order
          ? "the collection has no entity" : "only the top-level key holds it"
        found.append(
          LayoutOmission(
            kind: kind, entity: LayoutOmission.topLevel, property: key, reason: reason,
            count: Int(clamping: count)))
      }
    }
    let (top, elements) = (RelationalLayout.topTable, RelationalLayout.collectionElementTable)
    let collection = SQL.literal(RelationalLayout.collectionTable)
    if source.model.entity(of: .topLevel) == nil {
      try add(
        .value, "SELECT key, count(value) FROM main.\(top) WHERE value IS NOT NULL GROUP BY key")
    }
    guard source.model.entity(of: .collectionElements) == nil else { return found }
    // Which key leads to a collection: the first one, where several do.
    let reached = """
      WITH RECURSIVE reached(id, key) AS (
        SELECT "row", key FROM main.\(top) WHERE entity = \(collection)
        UNION SELECT CASE WHEN e.value_type = \(collection) THEN e.value_id ELSE e.key_id END,
          r.key FROM reached AS r JOIN main.\(elements) AS e ON e.collection_id = r.id
          WHERE e.value_type = \(collection) OR e.key_type = \(collection)),
      named AS (SELECT id, min(key) AS key FROM reached GROUP BY id)
      SELECT coalesce(n.key, 'nested collections'),
      """
    let from = "FROM main.\(elements) AS e LEFT JOIN named AS n ON n.id = e.collection_id"
    try add(
      .value, "\(reached) count(e.value) + count(e.key) \(from) GROUP BY 1 ORDER BY 1")
    try add(
      .order,
      "\(reached) count(*) \(from) WHERE e.value_id IS NOT NULL AND e.value_type <> \(collection)"
        + " GROUP BY 1 ORDER BY 1")
    return found
  }
}
