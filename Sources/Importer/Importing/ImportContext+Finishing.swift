import ArchiveReader

extension ImportContext {
  /// The third stage: puts right what only the whole run tells, and checks what the model states of
  /// rows and relationships.
  func finish() throws {
    try endTurn()
    try replaceAliases()
    // From here on, the store knows it all.
    links.advance(to: lastIDs)
    try deleteRows()
    try appendPositions()
    try validateRelationships()
    try validateUniqueness()
  }

  // MARK: Rows that others took the place of

  /// Points what refers to handed-out rows at the rows that took their place.
  private func replaceAliases() throws {
    guard !aliases.isEmpty else { return }
    try store.query("CREATE TEMP TABLE alias (tbl INTEGER, old INTEGER, new INTEGER, newtbl TEXT)")
    for (key, other) in aliases {
      var values: [StoredValue] = [.integer(Int64(key.table)), .integer(key.id), .null, .null]
      if let other, let row = resolved(other) {
        values[2] = .integer(row.id)
        values[3] = .text(plan.layout.table(of: row.entity).name)
      }
      try store.query("INSERT INTO alias VALUES (?, ?, ?, ?)", values)
    }
    try store.query("CREATE INDEX alias_by_old ON alias (tbl, old)")
    try deleteElementsOfNothing()
    for (number, table) in plan.layout.tables.enumerated() {
      for holder in plan.layout.tables + plan.layout.elementTables.map(\.table) {
        for column in holder.columns where column.references == table.name {
          try replace(column.name, in: holder.name, number)
        }
      }
      // References to any table have the name of the table beside them.
      for (holder, column, type) in openReferences {
        try replace(column, in: holder, number, typeColumn: type, type: table.name)
      }
    }
    for (number, elements) in plan.layout.elementTables.enumerated() {
      guard let reference = elements.reference, elements.value == nil else { continue }
      let columns = elements.table.columns
      let names = [elements.owner, reference].map { SQL.quoted(columns[$0].name) }
      let name = SQL.quoted(elements.table.name)
      // A link to nothing is none, and one to the row that was found is there once.
      try store.query("DELETE FROM \(name) WHERE \(names[1]) IS NULL")
      guard relationships.contains(where: { $0.elements == number && $0.inverse != nil }) else {
        continue
      }
      try store.query(
        """
        DELETE FROM \(name) WHERE rowid NOT IN (
          SELECT min(rowid) FROM \(name) GROUP BY \(names.joined(separator: ", ")))
        """)
    }
    try store.query("DROP TABLE alias")
  }

  /// Deletes the links of rows that were handed out and never made.
  private func deleteElementsOfNothing() throws {
    for elements in plan.layout.elementTables {
      let owner = elements.table.columns[elements.owner]
      guard let table = plan.layout.tables.firstIndex(where: { $0.name == owner.references })
      else { continue }
      try store.query(
        """
        DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(SQL.quoted(owner.name)) IN (
          SELECT old FROM alias WHERE tbl = ? AND new IS NULL)
        """, [.integer(Int64(table))])
    }
  }

  private func replace(
    _ column: String, in holder: String, _ table: Int, typeColumn: String? = nil, type: String = ""
  ) throws {
    let name = SQL.quoted(column)
    var condition = "\(name) IN (SELECT old FROM alias WHERE tbl = ?1)"
    var changes = "\(name) = (SELECT new FROM alias WHERE tbl = ?1 AND old = \(name))"
    var values: [StoredValue] = [.integer(Int64(table))]
    if let typeColumn {
      condition += " AND \(SQL.quoted(typeColumn)) = ?2"
      changes +=
        ", \(SQL.quoted(typeColumn)) = (SELECT newtbl FROM alias WHERE tbl = ?1 AND old = \(name))"
      values.append(.text(type))
    }
    try store.query("UPDATE \(SQL.quoted(holder)) SET \(changes) WHERE \(condition)", values)
  }

  /// The columns that refer to rows of any table, each with the column that names the table.
  private var openReferences: [(table: String, column: String, type: String)] {
    var found: [(String, String, String)] = []
    for place in relationships {
      guard let reference = place.reference, let type = place.referenceType else { continue }
      let table = plan.layout.tables[place.table]
      found.append((table.name, table.columns[reference].name, table.columns[type].name))
    }
    for elements in plan.layout.elementTables + [RelationalLayout.collectionElements] {
      let columns = elements.table.columns
      if let reference = elements.reference, let type = elements.referenceType {
        found.append((elements.table.name, columns[reference].name, columns[type].name))
      }
      if let reference = elements.keyReference, let type = elements.keyType {
        found.append((elements.table.name, columns[reference].name, columns[type].name))
      }
    }
    found.append((RelationalLayout.topTable, "row", "entity"))
    return found
  }

  // MARK: Order

  /// Numbers the members of ordered relationships from 0: those without a position stand behind
  /// those that have one, and what left the collection leaves no gap.
  private func appendPositions() throws {
    for place in relationships where place.isOrdered && place.isToMany {
      if let column = place.memberPosition, let inverse = place.inverse,
        let reference = relationships[inverse].reference
      {
        let table = plan.layout.tables[relationships[inverse].table]
        try appendPositions(
          in: table.name, table.columns[column].name, owner: table.columns[reference].name)
      } else if let number = place.elements, place.inverse != nil {
        let elements = plan.layout.elementTables[number]
        let columns = elements.table.columns
        let column = place.isInverseTable ? elements.inversePosition : elements.position
        let owner = place.isInverseTable ? elements.reference : elements.owner
        guard let column, let owner else { continue }
        try appendPositions(
          in: elements.table.name, columns[column].name, owner: columns[owner].name)
      }
    }
  }

  private func appendPositions(in table: String, _ position: String, owner: String) throws {
    let (table, position, owner) = (SQL.quoted(table), SQL.quoted(position), SQL.quoted(owner))
    try store.query(
      """
      UPDATE \(table) SET \(position) = numbered.place FROM (
        SELECT rowid AS id, row_number() OVER (
            PARTITION BY \(owner) ORDER BY \(position) IS NULL, \(position), rowid) - 1 AS place
          FROM \(table) WHERE \(owner) IS NOT NULL
      ) AS numbered WHERE numbered.id = \(table).rowid AND \(position) IS NOT numbered.place
      """)
    try store.query(
      "UPDATE \(table) SET \(position) = NULL WHERE \(owner) IS NULL AND \(position) IS NOT NULL")
  }

  // MARK: Validation

  /// Checks that relationships lead to as many rows as they must and may.
  private func validateRelationships() throws {
    for (number, place) in relationships.enumerated() {
      let declared = plan.model.entities[place.entity].relationships.first {
        $0.name == place.name
      }
      guard let declared else { continue }
      let least = max(declared.minimumCount, declared.isOptional ? 0 : 1)
      let most = declared.isToMany ? declared.maximumCount : 1
      guard least > 0 || declared.isToMany && most > 0 else { continue }
      // An optional relationship may be empty whatever its least count is.
      let empty = declared.isOptional ? "count > 0 AND " : ""
      var conditions: [String] = []
      if least > 0 { conditions.append("(\(empty)count < \(least))") }
      if declared.isToMany, most > 0 { conditions.append("count > \(most)") }
      for row in try store.query(
        "SELECT id, count FROM (\(counting(number))) WHERE "
          + conditions.joined(separator: " OR "))
      {
        guard case .integer(let id) = row[0], case .integer(let count) = row[1] else { continue }
        let isTooFew = count < least
        report.add(
          ValidationError(
            count == 0 && !declared.isToMany
              ? .missingValue : isTooFew ? .tooFewRows : .tooManyRows,
            entity: entities[place.entity].name, row: id, property: place.name,
            detail: isTooFew ? "at least \(least)" : "at most \(most)"),
          at: origin(of: id, table: place.table))
      }
    }
  }

  /// A query of how many rows a relationship leads to, for each row of its entity.
  private func counting(_ number: Int) -> String {
    let place = relationships[number]
    let table = plan.layout.tables[place.table]
    let name = SQL.quoted(table.name)
    var rows = "SELECT id FROM \(name)"
    if let column = entities[place.entity].discriminator {
      let kinds = plan.hierarchy.withDescendants(of: place.entity).map {
        "'" + entities[$0].name.replacing("'", with: "''") + "'"
      }
      rows +=
        " WHERE \(SQL.quoted(table.columns[column].name)) IN (\(kinds.joined(separator: ", ")))"
    }
    if let reference = place.reference {
      let column = SQL.quoted(table.columns[reference].name)
      return "SELECT id, \(column) IS NOT NULL AS count FROM \(name) WHERE id IN (\(rows))"
    }
    var holder = ""
    var owner = ""
    if let elements = place.elements {
      let table = plan.layout.elementTables[elements]
      holder = table.table.name
      let column = place.isInverseTable ? table.reference ?? table.owner : table.owner
      owner = table.table.columns[column].name
    } else if let inverse = place.inverse, let reference = relationships[inverse].reference {
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
    for (number, entity) in plan.model.entities.enumerated() {
      let table = plan.layout.table(of: number)
      for names in entity.uniquenessConstraints {
        let columns = names.compactMap { name in
          plan.layout.entities[number].properties[name].flatMap { $0.value ?? $0.reference }
        }
        guard !columns.isEmpty, columns.count == names.count else { continue }
        let list = columns.map { SQL.quoted(table.columns[$0].name) }
        let filled = list.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        var kinds = ""
        if let column = entities[number].discriminator {
          let names = plan.hierarchy.withDescendants(of: number).map {
            "'" + entities[$0].name.replacing("'", with: "''") + "'"
          }
          kinds =
            " AND \(SQL.quoted(table.columns[column].name)) IN (\(names.joined(separator: ", ")))"
        }
        for row in try store.query(
          """
          SELECT max(id), count(*) FROM \(SQL.quoted(table.name)) WHERE \(filled)\(kinds)
            GROUP BY \(list.joined(separator: ", ")) HAVING count(*) > 1
          """)
        {
          guard case .integer(let id) = row[0], case .integer(let count) = row[1] else { continue }
          report.add(
            ValidationError(
              .notUnique, entity: entity.name, row: id, property: names.joined(separator: ", "),
              detail: "\(count) rows have it"),
            at: origin(of: id, table: entities[number].table))
        }
      }
    }
  }

  /// The archive that a row came from.
  func origin(of row: Int64, table: Int) -> ImportFindings.Place {
    let found = try? store.query(
      """
      SELECT path FROM \(RelationalLayout.archiveTable) JOIN \(RelationalLayout.rowsTable)
        ON archive_id = id WHERE entity = ? AND ? BETWEEN first AND last
      """, [.text(plan.layout.tables[table].name), .integer(row)])
    guard case .text(let path) = found?.first?.first else { return .init() }
    return .init(archive: path)
  }
}
