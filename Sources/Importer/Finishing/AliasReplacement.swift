import Stores

/// Points what refers to rows that were handed out, and never made, at the rows that took their
/// place.
struct AliasReplacement {
  let aliases: RowAliases
  let rows: StoredRows

  /// Changes the store.
  func replace() throws(StoreError) {
    guard !aliases.isEmpty else { return }
    let known = RelationalLayout.aliasTable
    try rows.store.change(
      "CREATE TEMP TABLE \(known) (tbl INTEGER, old INTEGER, new INTEGER, newtbl TEXT)")
    for (key, other) in aliases.rows {
      var values: [StoredValue] = [.integer(Int64(key.table)), .integer(key.id), .null, .null]
      if let other, let row = aliases.resolved(other) {
        values[2] = .integer(row.id)
        values[3] = .text(rows.layout.table(of: row.entity).name)
      }
      try rows.store.change("INSERT INTO \(known) VALUES (?, ?, ?, ?)", values)
    }
    try rows.store.change("CREATE INDEX \(known)_by_old ON \(known) (tbl, old)")
    try deleteElementsOfNothing()
    for (index, table) in rows.layout.tables.enumerated() {
      for holder in rows.layout.tables + rows.layout.elementTables.map(\.table) {
        for column in holder.columns where column.references == table.name {
          try replace(column.name, in: holder.name, index)
        }
      }
      // References to any table have the name of the table beside them.
      for (holder, column, type) in openReferences {
        try replace(column, in: holder, index, typeColumn: type, type: table.name)
      }
    }
    for (index, elements) in rows.layout.elementTables.enumerated() {
      guard let reference = elements.reference, elements.value == nil else { continue }
      let columns = elements.table.columns
      let names = [elements.owner, reference].map { SQL.quoted(columns[$0].name) }
      let name = SQL.quoted(elements.table.name)
      // A link to nothing is none, and one to the row that was found is there once.
      try rows.store.change("DELETE FROM \(name) WHERE \(names[1]) IS NULL")
      guard rows.relationships.contains(where: { $0.elements == index && $0.inverse != nil }) else {
        continue
      }
      try rows.store.change(
        """
        DELETE FROM \(name) WHERE rowid NOT IN (
          SELECT min(rowid) FROM \(name) GROUP BY \(names.joined(separator: ", ")))
        """)
    }
    try rows.store.change("DROP TABLE \(known)")
  }

  /// Deletes the links of rows that were handed out and never made.
  private func deleteElementsOfNothing() throws(StoreError) {
    for elements in rows.layout.elementTables {
      let owner = elements.table.columns[elements.owner]
      guard let table = rows.layout.tables.firstIndex(where: { $0.name == owner.references })
      else { continue }
      try rows.store.change(
        """
        DELETE FROM \(SQL.quoted(elements.table.name)) WHERE \(SQL.quoted(owner.name)) IN (
          SELECT old FROM \(RelationalLayout.aliasTable) WHERE tbl = ? AND new IS NULL)
        """, [.integer(Int64(table))])
    }
  }

  private func replace(
    _ column: String, in holder: String, _ table: Int, typeColumn: String? = nil, type: String = ""
  ) throws(StoreError) {
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
    try rows.store.change("UPDATE \(SQL.quoted(holder)) SET \(changes) WHERE \(condition)", values)
  }

  /// The columns that refer to rows of any table, each with the column that names the table.
  private var openReferences: [(table: String, column: String, type: String)] {
    var found: [(String, String, String)] = []
    for stored in rows.relationships {
      guard let reference = stored.reference, let type = stored.referenceType else { continue }
      let table = rows.layout.tables[stored.table]
      found.append((table.name, table.columns[reference].name, table.columns[type].name))
    }
    for elements in rows.layout.elementTables + [RelationalLayout.collectionElements] {
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
