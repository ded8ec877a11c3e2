extension CoreDataOutput {
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

  /// Gives a place to the members of ordered collections that have none, after the others.
  ///
  /// They name an owner whose collection did not hold them.
  func fillOrder(
    of table: Int, _ context: ImportContext, _ database: Database
  ) throws(StoreError) {
    let declared = layout.tables[table]
    let name = target(declared.name)
    for number in layout.members[table] {
      for relationship in layout.entities[number - 1].entity.references {
        guard
          case .column(let reference) =
            layout.entities[number - 1].relationships[relationship.name],
          let column = reference.orderColumn
        else { continue }
        if let entity = entities[reference.destination - 1], let name = reference.inverse,
          !context.mayHaveStrays(name, of: entity)
        {
          continue
        }
        let owner = SQL.quoted(declared.columns[reference.column].name)
        let order = SQL.quoted(declared.columns[column].name)
        try database.execute(
          """
          UPDATE \(name) AS t SET \(order) = n.place FROM (
              SELECT Z_PK AS row, 1024 * row_number() OVER (PARTITION BY \(owner) ORDER BY Z_PK)
                + (SELECT coalesce(max(o.\(order)), 1024) FROM \(name) AS o
                  WHERE o.\(owner) = m.\(owner)) AS place
                FROM \(name) AS m WHERE \(owner) IS NOT NULL AND \(order) IS NULL) AS n
            WHERE n.row = t.Z_PK;
          """)
      }
    }
  }

  /// The links of a to-many relationship in the relational layout, in SQL.
  struct Links {
    var table: String
    var owner: String
    var member: String
    /// The places in the collections of the relationship, and in those of its inverse.
    var position: String?
    var inversePosition: String?
    var condition = "true"

    /// The links as seen from the other side.
    var reversed: Links {
      Links(
        table: table, owner: member, member: owner, position: inversePosition,
        inversePosition: position, condition: condition)
    }
  }

  /// The links of a relationship that an entity declares; nil if the relational layout has none.
  func links(of relationship: String, _ owner: Int) -> Links? {
    guard let number = entities[owner - 1],
      let storage = plan.layout.entities[number].properties[relationship]
    else { return nil }
    if let elements = (storage.elements ?? storage.inverseElements).map({
      plan.layout.elementTables[$0]
    }), let reference = elements.reference {
      func name(_ column: Int?) -> String? {
        column.map { SQL.quoted(elements.table.columns[$0].name) }
      }
      let (first, second) = (name(elements.owner) ?? "", name(reference) ?? "")
      let links = Links(
        table: "main.\(SQL.quoted(elements.table.name))", owner: first, member: second,
        position: name(elements.position), inversePosition: name(elements.inversePosition),
        condition: "\(first) IS NOT NULL AND \(second) IS NOT NULL")
      return storage.elements != nil ? links : links.reversed
    }
    guard let members = storage.members else { return nil }
    let table = plan.layout.table(of: members.entity)
    let reference = SQL.quoted(table.columns[members.reference].name)
    let position = members.position.map { SQL.quoted(table.columns[$0].name) }
    // A row that names an owner whose collection does not hold it has no place there.
    return Links(
      table: SQL.quoted(table.name), owner: reference, member: table.quotedKey,
      position: position,
      condition: [reference, position].compactMap { $0 }.map { "\($0) IS NOT NULL" }
        .joined(separator: " AND "))
  }

  /// Copies to-many relationships without an inverse: each row that one leads to has its owner.
  ///
  /// - Returns: Why it cannot be done, if a row is in the collections of several owners.
  func copyMembers(_ database: Database) throws(StoreError) -> ModelError? {
    for storage in layout.entities {
      for relationship in storage.entity.storedRelationships {
        guard
          case .memberColumn(let table, let column) = storage.relationships[relationship.name],
          let links = links(of: relationship.name, storage.number)
        else { continue }
        let declared = layout.tables[table]
        let crowded = try database.rows(
          "SELECT 1 FROM \(links.table) WHERE \(links.condition) GROUP BY \(links.member) "
            + "HAVING count(DISTINCT \(links.owner)) > 1 LIMIT 1")
        guard crowded.isEmpty else {
          return ModelError(
            .unstorable, entity: storage.entity.name, property: relationship.name,
            name: "a row is in the collections of several others, which requires an inverse")
        }
        try database.execute(
          """
          UPDATE \(target(declared.name)) AS t SET \(SQL.quoted(declared.columns[column].name)) =
              links.owner
            FROM (SELECT DISTINCT \(links.owner) AS owner, \(links.member) AS member
              FROM \(links.table) WHERE \(links.condition)) AS links
            WHERE links.member = t.Z_PK;
          """)
      }
    }
    return nil
  }

  /// The links of a join table, as those of its second side: its members belong to the rows of the
  /// first column.
  func links(of join: CoreDataLayout.JoinTable) -> Links? {
    links(of: join.second.relationship, join.second.owner)
      ?? links(of: join.first.relationship, join.first.owner)?.reversed
  }

  /// Copies the links of a many-to-many relationship and its inverse.
  func copyLinks(_ join: CoreDataLayout.JoinTable, _ database: Database) throws(StoreError) {
    guard let links = links(of: join) else { return }
    var columns = [join.table.columns[join.first.column], join.table.columns[join.second.column]]
    var values = [links.owner, links.member]
    for (side, position, partition) in [
      (join.first, links.inversePosition, links.member), (join.second, links.position, links.owner),
    ] {
      guard let column = side.orderColumn else { continue }
      columns.append(join.table.columns[column])
      let order = position.map { "\($0) IS NULL, \($0), " } ?? ""
      values.append(
        "2048 + 1024 * (row_number() OVER (PARTITION BY \(partition) ORDER BY \(order)rowid) - 1)")
    }
    let list = columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
    // An array may hold a row twice; Core Data's collections do not.
    try database.execute(
      """
      INSERT OR IGNORE INTO \(target(join.table.name)) (\(list))
        SELECT \(values.joined(separator: ", "))
        FROM \(links.table) WHERE \(links.condition) ORDER BY rowid;
      """)
  }
}
