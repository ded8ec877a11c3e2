import ArchiveReader
import RelationalStores

extension ImportContext {
  /// The third stage: puts right what only the whole run tells, and checks what the model states of
  /// rows and relationships.
  func finish() throws {
    try endTurn()
    try replaceAliases()
    try writeNarrowed()
    // From here on, the store knows it all.
    links.advance(to: lastIDs)
    try deleteRows()
    try numberMembers()
    try validateRelationships()
    try validateUniqueness()
  }

  // MARK: Validation

  /// Checks that relationships lead to as many rows as they must and may.
  private func validateRelationships() throws {
    for (index, stored) in relationships.enumerated() {
      guard let declared = stored.declaration(in: plan.model) else { continue }
      let least = max(declared.minimumCount, declared.isOptional ? 0 : 1)
      let most = declared.isToMany ? declared.maximumCount : 1
      guard least > 0 || declared.isToMany && most > 0 else { continue }
      if !declared.isToMany, isFilled(stored) { continue }
      // An optional relationship may be empty whatever its least count is.
      let empty = declared.isOptional ? "count > 0 AND " : ""
      var conditions: [String] = []
      if least > 0 { conditions.append("(\(empty)count < \(least))") }
      if declared.isToMany, most > 0 { conditions.append("count > \(most)") }
      for row in try store.query(
        "SELECT id, count FROM (\(counting(index))) WHERE "
          + conditions.joined(separator: " OR "))
      {
        guard case .integer(let id) = row[0], case .integer(let count) = row[1] else { continue }
        let isTooFew = count < least
        report.add(
          ValidationError(
            count == 0 && !declared.isToMany
              ? .missingValue : isTooFew ? .tooFewRows : .tooManyRows,
            entity: entities[stored.entity].name, row: id, property: stored.name,
            detail: isTooFew ? "at least \(least)" : "at most \(most)"),
          at: origin(of: id, table: stored.table))
      }
    }
  }

  /// Whether every row of an entity is known to lead somewhere by a to-one relationship.
  private func isFilled(_ stored: StoredRelationship) -> Bool {
    guard entities[stored.entity].discriminator == nil, let reference = stored.reference,
      let rows = store.filled(0, ofTable: stored.table)
    else { return false }
    return store.filled(reference, ofTable: stored.table) == rows
  }

  /// A query of how many rows a relationship leads to, for each row of its entity.
  private func counting(_ index: Int) -> String {
    let stored = relationships[index]
    let table = plan.layout.tables[stored.table]
    let name = SQL.quoted(table.name)
    let key = table.quotedKey
    var rows = "SELECT \(key) AS id FROM \(name)"
    if let column = entities[stored.entity].discriminator {
      let kinds = plan.hierarchy.withDescendants(of: stored.entity).map {
        "'" + entities[$0].name.replacing("'", with: "''") + "'"
      }
      rows +=
        " WHERE \(SQL.quoted(table.columns[column].name)) IN (\(kinds.joined(separator: ", ")))"
    }
    if let reference = stored.reference {
      let column = SQL.quoted(table.columns[reference].name)
      return "SELECT \(key) AS id, \(column) IS NOT NULL AS count FROM \(name) "
        + "WHERE \(key) IN (\(rows))"
    }
    var holder = ""
    var owner = ""
    if let elements = stored.elements {
      let table = plan.layout.elementTables[elements]
      holder = table.table.name
      let column = stored.isInverseTable ? table.reference ?? table.owner : table.owner
      owner = table.table.columns[column].name
    } else if let inverse = stored.inverse, let reference = relationships[inverse].reference {
      let table = plan.layout.tables[relationships[inverse].table]
      holder = table.name
      owner = table.columns[reference].name
    }
    return """
      SELECT mine.id AS id, count(other.\(SQL.quoted(owner))) AS count FROM (\(rows)) AS mine
        LEFT JOIN \(SQL.quoted(holder)) AS other ON other.\(SQL.quoted(owner)) = mine.id
        GROUP BY mine.id
      """
  }

  /// Checks what the model says is unique.
  private func validateUniqueness() throws {
    for (index, entity) in plan.model.entities.enumerated() {
      let table = plan.layout.table(of: index)
      for names in entity.uniquenessConstraints {
        let columns = names.compactMap { name in
          plan.layout.entities[index].properties[name].flatMap { $0.value ?? $0.reference }
        }
        guard !columns.isEmpty, columns.count == names.count else { continue }
        let list = columns.map { SQL.quoted(table.columns[$0].name) }
        let filled = list.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        var kinds = ""
        if let column = entities[index].discriminator {
          let names = plan.hierarchy.withDescendants(of: index).map {
            "'" + entities[$0].name.replacing("'", with: "''") + "'"
          }
          kinds =
            " AND \(SQL.quoted(table.columns[column].name)) IN (\(names.joined(separator: ", ")))"
        }
        for row in try store.query(
          """
          SELECT max(\(table.quotedKey)), count(*) FROM \(SQL.quoted(table.name)) WHERE \(filled)\(kinds)
            GROUP BY \(list.joined(separator: ", ")) HAVING count(*) > 1
          """)
        {
          guard case .integer(let id) = row[0], case .integer(let count) = row[1] else { continue }
          report.add(
            ValidationError(
              .notUnique, entity: entity.name, row: id, property: names.joined(separator: ", "),
              detail: "\(count) rows have it"),
            at: origin(of: id, table: entities[index].table))
        }
      }
    }
  }

  /// The archive that a row came from.
  package func origin(of row: Int64, table: Int) -> ImportFindings.Location {
    let query = """
      SELECT path FROM \(RelationalLayout.archiveTable) JOIN \(RelationalLayout.rowsTable)
        ON \(RelationalLayout.archiveTable).id = archive_id
        WHERE entity = ? AND ? BETWEEN first AND last
      """
    let found = answer(orElse: []) {
      try store.query(query, [.text(plan.layout.tables[table].name), .integer(row)])
    }
    guard case .text(let path) = found.first?.first else { return .init() }
    for origin in origins[path] ?? [] {
      let index = origin.index(ofRow: row, table: table) { entities[$0].table == table }
      if let index { return .init(archive: path, uid: index) }
    }
    return .init(archive: path)
  }
}

/// Which objects of an archive the rows of one pass were.
struct RowOrigins {
  var rows: RowReferences
  var resolved: ResolvedRows?
  /// The source, where its objects have numbers of their own: archives are not kept open.
  var store: (any GraphSource)?

  /// The index of the object that became a row of a table, whose entities are told.
  func index(ofRow id: Int64, table: Int, isInTable: (Int) -> Bool) -> Int? {
    let uid = rows.uid(ofRow: id, table: table) ?? resolved?.uid(ofRow: id, in: isInTable)
    return uid.map { store?.reportedNumber(ofObject: $0) ?? $0 }
  }
}
