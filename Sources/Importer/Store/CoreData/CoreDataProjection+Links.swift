extension CoreDataProjection {
  /// Fills the columns that tell the entity of the row that a reference leads to.
  func fillEntityColumns(of table: Int, _ database: Database) throws(StoreError) {
    let declared = layout.tables[table]
    for number in layout.members[table] {
      for relationship in layout.entities[number - 1].entity.references {
        guard
          case .column(let reference) =
            layout.entities[number - 1].relationships[relationship.name],
          let column = reference.entityColumn
        else { continue }
        let own = SQL.quoted(declared.columns[reference.column].name)
        let other = layout.tables[layout.entities[reference.destination - 1].table].name
        try database.execute(
          """
          UPDATE \(target(declared.name)) AS t SET \(SQL.quoted(declared.columns[column].name)) =
            (SELECT d.Z_ENT FROM \(target(other)) AS d WHERE d.Z_PK = t.\(own))
            WHERE t.\(own) IS NOT NULL;
          """)
      }
    }
  }

  /// Copies to-many relationships without an inverse: each row that one leads to has its owner.
  ///
  /// - Returns: Why it cannot be done, if a row is in the collections of several owners.
  func copyMembers(_ database: Database) throws(StoreError) -> ModelError? {
    for place in layout.entities {
      for relationship in place.entity.storedRelationships {
        guard
          case .memberColumn(let table, let column) = place.relationships[relationship.name],
          let elements = elementTable(of: relationship.name, place.number),
          let reference = elements.reference
        else { continue }
        let declared = layout.tables[table]
        let columns = elements.table.columns
        let links = "main.\(SQL.quoted(elements.table.name))"
        let owner = SQL.quoted(columns[elements.owner].name)
        let member = SQL.quoted(columns[reference].name)
        let crowded = try database.rows(
          "SELECT 1 FROM \(links) WHERE \(member) IS NOT NULL GROUP BY \(member) "
            + "HAVING count(DISTINCT \(owner)) > 1 LIMIT 1")
        guard crowded.isEmpty else {
          return ModelError(
            .unstorable, entity: place.entity.name, property: relationship.name,
            name: "a row is in the collections of several others, which takes an inverse")
        }
        try database.execute(
          """
          UPDATE \(target(declared.name)) AS t SET \(SQL.quoted(declared.columns[column].name)) =
              links.owner
            FROM (SELECT DISTINCT \(owner) AS owner, \(member) AS member FROM \(links)) AS links
            WHERE links.member = t.Z_PK;
          """)
      }
    }
    return nil
  }

  /// Copies the links of a many-to-many relationship and its inverse.
  func copyLinks(_ join: CoreDataLayout.JoinTable, _ database: Database) throws(StoreError) {
    // The relational layout has the links of both sides in the table of one of them.
    let isOwn: Bool
    let elements: RelationalLayout.ElementTable
    if let found = elementTable(of: join.second.relationship, join.second.owner) {
      (elements, isOwn) = (found, true)
    } else if let found = elementTable(of: join.first.relationship, join.first.owner) {
      (elements, isOwn) = (found, false)
    } else {
      return
    }
    guard let reference = elements.reference else { return }
    func name(_ column: Int) -> String { SQL.quoted(elements.table.columns[column].name) }
    // The members of the second side's relationship belong to the rows of the first column.
    let owner = name(isOwn ? elements.owner : reference)
    let member = name(isOwn ? reference : elements.owner)
    let positions =
      isOwn
      ? (elements.inversePosition, elements.position)
      : (elements.position, elements.inversePosition)
    var columns = [join.table.columns[join.first.column], join.table.columns[join.second.column]]
    var values = [owner, member]
    for (side, position, partition) in [
      (join.first, positions.0, member), (join.second, positions.1, owner),
    ] {
      guard let column = side.orderColumn else { continue }
      columns.append(join.table.columns[column])
      let order = position.map { "\(name($0)) IS NULL, \(name($0)), " } ?? ""
      values.append(
        "2048 + 1024 * (row_number() OVER (PARTITION BY \(partition) ORDER BY \(order)rowid) - 1)")
    }
    let list = columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
    // An array may hold a row twice; Core Data's collections do not.
    try database.execute(
      """
      INSERT OR IGNORE INTO \(target(join.table.name)) (\(list))
        SELECT \(values.joined(separator: ", "))
        FROM main.\(SQL.quoted(elements.table.name))
        WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL ORDER BY rowid;
      """)
  }

  /// The table of the elements of a relationship, if it has one of its own.
  private func elementTable(
    of relationship: String, _ owner: Int
  ) -> RelationalLayout.ElementTable? {
    plan.layout.entities[entities[owner - 1]].properties[relationship]?.elements
      .map { plan.layout.elementTables[$0] }
  }
}
