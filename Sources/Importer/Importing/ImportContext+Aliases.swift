import RelationalStores

extension ImportContext {
  /// The row that stands for one that was handed out, where a hook returned another.
  ///
  /// It is the row itself where nothing else is known of it, and nil where the hook made none.
  func resolved(_ row: RowReference) -> RowReference? {
    guard !aliases.isEmpty else { return row }
    var row = row
    for _ in 0..<8 {
      let key = RowKey(table: entities[row.entity].table, id: row.id)
      guard let alias = aliases[key] else { return row }
      guard let alias else { return nil }
      row = alias
    }
    return row
  }

  /// Notes that an object became another row than the one that was handed out for it, or none.
  func replace(_ row: RowReference, by other: RowReference?) {
    guard
      row.id != other?.id || entities[row.entity].table != other.map({ entities[$0.entity].table })
    else { return }
    aliases[RowKey(table: entities[row.entity].table, id: row.id)] = .some(other)
    guard let other else { return }
    // What was said of the one holds for the other.
    for index in entities[row.entity].toOnes {
      guard let cell = links.cells[index]?.cell(of: row.id), cell.target != 0,
        entities[other.entity].toOnes.contains(index)
      else { continue }
      let target = RowReference(entity: Int(cell.targetEntity), id: cell.target)
      if let inverse = relationships[index].inverse, !relationships[inverse].isToMany {
        links.set(ForeignKeyBuffer.Cell(), inverse, of: target.id)
        pair(index, other, target)
      } else {
        claim(
          index, of: other, for: target,
          position: cell.position < 0 ? nil : Int64(cell.position), byOwner: cell.isClaimedByOwner)
      }
    }
  }

  /// Lets the links that are still to be written lead to the rows that took the place of others.
  func replaceAliasesInJoins() {
    guard !aliases.isEmpty else { return }
    links.joins.change { table, link in
      let owner = relationships.first { $0.elements == table && !$0.isInverseTable }
      guard let owner, let from = resolved(RowReference(entity: owner.entity, id: link.owner)),
        let member = resolved(RowReference(entity: link.memberEntity, id: link.member))
      else { return nil }
      var link = link
      link.owner = from.id
      link.member = member.id
      link.memberEntity = member.entity
      return link
    }
  }

  // MARK: In the store

  /// Points what refers to handed-out rows at the rows that took their place.
  func replaceAliases() throws {
    guard !aliases.isEmpty else { return }
    let known = RelationalLayout.aliasTable
    try store.change(
      "CREATE TEMP TABLE \(known) (tbl INTEGER, old INTEGER, new INTEGER, newtbl TEXT)")
    for (key, other) in aliases {
      var values: [StoredValue] = [.integer(Int64(key.table)), .integer(key.id), .null, .null]
      if let other, let row = resolved(other) {
        values[2] = .integer(row.id)
        values[3] = .text(plan.layout.table(of: row.entity).name)
      }
      try store.change("INSERT INTO \(known) VALUES (?, ?, ?, ?)", values)
    }
    try store.change("CREATE INDEX \(known)_by_old ON \(known) (tbl, old)")
    try deleteElementsOfNothing()
    for (index, table) in plan.layout.tables.enumerated() {
      for holder in plan.layout.tables + plan.layout.elementTables.map(\.table) {
        for column in holder.columns where column.references == table.name {
          try replace(column.name, in: holder.name, index)
        }
      }
      // References to any table have the name of the table beside them.
      for (holder, column, type) in openReferences {
        try replace(column, in: holder, index, typeColumn: type, type: table.name)
      }
    }
    for (index, elements) in plan.layout.elementTables.enumerated() {
      guard let reference = elements.reference, elements.value == nil else { continue }
      let columns = elements.table.columns
      let names = [elements.owner, reference].map { SQL.quoted(columns[$0].name) }
      let name = SQL.quoted(elements.table.name)
      // A link to nothing is none, and one to the row that was found is there once.
      try store.change("DELETE FROM \(name) WHERE \(names[1]) IS NULL")
      guard relationships.contains(where: { $0.elements == index && $0.inverse != nil }) else {
        continue
      }
      try store.change(
        """
        DELETE FROM \(name) WHERE rowid NOT IN (
          SELECT min(rowid) FROM \(name) GROUP BY \(names.joined(separator: ", ")))
        """)
    }
    try store.change("DROP TABLE \(known)")
  }

  /// Deletes the links of rows that were handed out and never made.
  private func deleteElementsOfNothing() throws {
    for elements in plan.layout.elementTables {
      let owner = elements.table.columns[elements.owner]
      guard let table = plan.layout.tables.firstIndex(where: { $0.name == owner.references })
      else { continue }
      try store.change(
        """
        DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(SQL.quoted(owner.name)) IN (
          SELECT old FROM \(RelationalLayout.aliasTable) WHERE tbl = ? AND new IS NULL)
        """, [.integer(Int64(table))])
    }
  }

  private func replace(
    _ column: String, in holder: String, _ table: Int, typeColumn: String? = nil, type: String = ""
  ) throws {
    let name = SQL.quoted(column)
    let known = "\(RelationalLayout.aliasTable) WHERE tbl = ?1"
    var condition = "\(name) IN (SELECT old FROM \(known))"
    var changes = "\(name) = (SELECT new FROM \(known) AND old = \(name))"
    var values: [StoredValue] = [.integer(Int64(table))]
    if let typeColumn {
      condition += " AND \(SQL.quoted(typeColumn)) = ?2"
      changes +=
        ", \(SQL.quoted(typeColumn)) = (SELECT newtbl FROM \(known) AND old = \(name))"
      values.append(.text(type))
    }
    try store.change("UPDATE \(SQL.quoted(holder)) SET \(changes) WHERE \(condition)", values)
  }

  /// The columns that refer to rows of any table, each with the column that names the table.
  private var openReferences: [(table: String, column: String, type: String)] {
    var found: [(String, String, String)] = []
    for stored in relationships {
      guard let reference = stored.reference, let type = stored.referenceType else { continue }
      let table = plan.layout.tables[stored.table]
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
}
