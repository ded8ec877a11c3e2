/// A store that rows are added to: its tables, made fit for a layout.
struct ExistingStore {
  private let database: Database
  /// The columns of each table, with their types.
  private let tables: [String: [String: String]]

  /// Looks into a store.
  init(_ database: Database) throws(StoreError) {
    self.database = database
    var tables: [String: [String: String]] = [:]
    let found = try database.rows(
      """
      SELECT t.name, c.name, c.type FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
        WHERE t.schema = 'main' AND t.type = 'table'
      """)
    for row in found {
      guard case .text(let table) = row[0], case .text(let column) = row[1],
        case .text(let type) = row[2]
      else { continue }
      tables[table, default: [:]][column] = type
    }
    self.tables = tables
  }

  /// Makes the tables and columns that are not there yet.
  ///
  /// - Throws: `StoreError` if the store is none of ours, or keeps something in another form than
  ///   the layout does.
  func extend(
    with layout: RelationalLayout, bookkeeping: [Table]
  ) throws(StoreError) {
    for table in [RelationalLayout.archiveTable, RelationalLayout.runTable]
    where tables[table] == nil {
      throw incompatible("it has no table \(table), as stores of this version do")
    }
    try refuseOtherForms(layout)
    for table in bookkeeping + layout.tables + layout.elementTables.map(\.table) {
      guard let columns = tables[table.name] else {
        try database.execute(table.creation)
        continue
      }
      for column in table.columns {
        guard let type = columns[column.name] else {
          guard !column.isRequired, !column.isPrimaryKey else {
            throw incompatible("\(table.name) has no column \(column.name)")
          }
          try database.execute(
            "ALTER TABLE \(SQL.quoted(table.name)) ADD COLUMN \(column.declaration);")
          continue
        }
        guard type == column.type.rawValue || type == Table.ColumnType.any.rawValue else {
          throw incompatible(
            "\(table.name).\(column.name) is \(type), but \(column.type.rawValue) is needed")
        }
      }
    }
  }

  /// Refuses a layout that keeps a relationship in another place than the store does.
  private func refuseOtherForms(_ layout: RelationalLayout) throws(StoreError) {
    for entity in layout.entities {
      for (name, place) in entity.properties.sorted(by: { $0.key < $1.key }) {
        if let members = place.members {
          let own = "\(entity.name)_\(name)"
          let isNew = !layout.elementTables.contains { $0.table.name == own }
          let memberTable = layout.table(of: members.entity)
          let column = memberTable.columns[members.reference].name
          if isNew, tables[own] != nil, tables[memberTable.name]?[column] == nil {
            throw incompatible("it keeps \(entity.name).\(name) in a table of its own")
          }
        } else if let elements = place.elements {
          let table = layout.elementTables[elements].table
          if tables[table.name] == nil,
            tables.values.contains(where: { $0["\(name)_position"] != nil })
          {
            throw incompatible("it keeps \(entity.name).\(name) with the rows that it leads to")
          }
        }
      }
    }
  }

  private func incompatible(_ reason: String) -> StoreError {
    StoreError(.incompatible, path: database.path, reason: reason)
  }
}
