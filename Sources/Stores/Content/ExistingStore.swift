import DataModel
import Support

/// A store that rows are added to: its tables, made fit for a layout.
///
/// To SQLite, names that differ only in the case of ASCII letters are the same.
package struct ExistingStore {
  let database: Database
  let schema: StoreSchema
  /// The tables, by the forms of their names: see `NameAllocator`.
  private(set) var tables: [String: Known] = [:]
  /// The names of the views, as SQLite compares them.
  let views: Set<String>

  struct Known {
    var name: String
    /// The columns, by the forms of their names.
    var columns: [String: Table.Column] = [:]
  }

  /// Looks into a store.
  package init(_ database: Database) throws(StoreError) {
    self.database = database
    schema = try StoreSchema(database)
    views = Set(
      schema.views.filter { !SuperclassViews.contains($0.value) }.keys.map(\.folded))
    for (name, form) in schema.tables {
      let known = Known(
        name: name,
        columns: Dictionary(
          form.columns.flatMap { column in
            NameAllocator.forms(column.name).map { ($0, column) }
          }, uniquingKeysWith: { first, _ in first }))
      for form in NameAllocator.forms(name) { tables[form] = known }
    }
  }

  /// The table or column that a store has under a name, or under one that is like it.
  private static func find<Thing>(_ name: String, in things: [String: Thing]) -> Thing? {
    NameAllocator.forms(name).lazy.compactMap { things[$0] }.first
  }

  /// Makes the tables and columns that are not there yet.
  ///
  /// - Throws: `StoreError` if the store is none of ours, or keeps something in another form than
  ///   the layout does.
  package func extend(
    with layout: RelationalLayout, bookkeeping: [Table]
  ) throws(StoreError) {
    guard tables[RelationalLayout.runTable] != nil else {
      throw incompatible(RelationalLayout.foreignReason)
    }
    guard tables[RelationalLayout.archiveTable] != nil else {
      throw incompatible(
        "it has no table \(RelationalLayout.archiveTable), which this version requires")
    }
    if let top = tables[RelationalLayout.topTable], top.columns[Table.Column.id.name] == nil {
      throw incompatible(RelationalLayout.earlierLayoutReason)
    }
    guard tables[RelationalLayout.shardTable] == nil else {
      throw incompatible(RelationalLayout.shardReason)
    }
    try refuseForeign(bookkeeping + layout.tables + layout.elementTables.map(\.table))
    try refuseOtherForms(layout)
    try refuseOtherRuns(layout)
    // They are made again when the run ends.
    for (name, view) in schema.views where SuperclassViews.contains(view) {
      try database.execute("DROP VIEW \(SQL.quoted(name));")
    }
    if SearchTable.isDeclared(in: schema) {
      try database.execute("DROP TABLE \(SearchTable.name);")
    }
    for table in bookkeeping + layout.tables + layout.elementTables.map(\.table) {
      guard let known = Self.find(table.name, in: tables) else {
        try database.execute(table.creation)
        continue
      }
      guard known.name.hasSameBytes(as: table.name) else {
        throw incompatible("its table \(known.name) \(Self.difference(known.name, table.name))")
      }
      let ownerColumn = schema.tables[known.name]?.columns.first { column in
        column.isRequired && !column.isPrimaryKey
          && !table.columns.contains { $0.name.folded == column.name.folded }
      }
      if let ownerColumn {
        throw incompatible(
          "\(table.name) holds something else there: each of its rows has \(ownerColumn.name)")
      }
      for column in table.declaredColumns {
        guard let found = Self.find(column.name, in: known.columns) else {
          guard !column.isRequired, !column.isPrimaryKey else {
            throw incompatible("\(table.name) has no column \(column.name)")
          }
          try database.execute(
            "ALTER TABLE \(SQL.quoted(table.name)) ADD COLUMN \(column.declaration);")
          continue
        }
        guard found.name.hasSameBytes(as: column.name) else {
          throw incompatible(
            "its column \(table.name).\(found.name) \(Self.difference(found.name, column.name))")
        }
        guard found.type == column.type || found.type == .any else {
          throw incompatible(
            "\(table.name).\(column.name) is \(found.type.rawValue), but "
              + "must be \(column.type.rawValue)")
        }
        guard found.numberOf == column.numberOf else {
          throw incompatible("its column \(table.name).\(column.name) is not one of numbers")
        }
        guard found.references == column.references,
          column.references == nil || found.referencedKey.hasSameBytes(as: column.referencedKey)
        else {
          throw incompatible(
            "\(table.name).\(column.name) \(Self.words(found.references)) there, but "
              + "\(Self.words(column.references)) here; convert all archives into one new store")
        }
      }
    }
  }

  /// Refuses a store that would do something by itself with what is added, or change it.
  private func refuseForeign(_ needed: [Table]) throws(StoreError) {
    if let trigger = schema.triggers.first {
      throw incompatible(
        "its trigger \(trigger.name) on \(trigger.table) could change rows; drop it first")
    }
    for table in needed {
      guard let known = tables[table.name.folded],
        let form = schema.tables[known.name],
        !form.isOwnForm(known.name)
      else { continue }
      throw incompatible("its table \(known.name) is not declared the way run declares it")
    }
  }

  private static func words(_ target: String?) -> String {
    target.map { "refers to rows of \($0)" } ?? "refers to rows of several tables"
  }

  /// The difference between two names that the store cannot both have.
  private static func difference(_ known: String, _ wanted: String) -> String {
    known == wanted
      ? "differs from \(wanted) only in its Unicode form"
      : "differs from \(wanted) only in case"
  }

  func incompatible(_ reason: String) -> StoreError {
    StoreError(.incompatible, path: database.path, reason: reason)
  }
}

/// Other places and forms in which a store may keep what a layout has.
extension ExistingStore {
  /// Refuses a layout that keeps rows or a relationship in another place than the store does.
  func refuseOtherForms(_ layout: RelationalLayout) throws(StoreError) {
    for table in layout.tables where views.contains(table.name.folded) {
      throw incompatible(
        "\(table.name) is stored differently there (in its parent's table, not its own)")
    }
    for view in layout.views where tables[view.name.folded] != nil {
      throw incompatible(
        "\(view.name) is stored differently there (in its own table, not in \(view.table))")
    }
    for (number, entity) in layout.entities.enumerated() {
      let owner = layout.table(of: number).name
      for (name, place) in entity.properties.sorted(by: { $0.key < $1.key }) {
        let own = "\(entity.name)_\(name)"
        // The store has a join table for it, the layout has none.
        let hadOwnTable =
          tables[own.folded] != nil
          && !(layout.tables + layout.elementTables.map(\.table)).contains { $0.name == own }
        if hadOwnTable, place.inverseElements != nil {
          throw incompatible(
            "\(entity.name).\(name) is stored differently there (a join table of its own, not that "
              + "of its inverse)")
        }
        if let members = place.members {
          let memberTable = layout.table(of: members.entity)
          let column = memberTable.columns[members.reference].name
          let known = tables[memberTable.name.folded]
          if hadOwnTable, known?.columns[column.folded] == nil {
            throw incompatible(
              "\(entity.name).\(name) is stored differently there (a join table, not a column on "
                + "the members)")
          }
          try refuseOtherOrder(members, name, entity, memberTable, layout)
        } else if let elements = place.elements {
          let table = layout.elementTables[elements].table
          let column = "\(name)_position".folded
          if tables[table.name.folded] == nil,
            // Another relationship of the same name has positions under it, too.
            let holder = tables.values.first(where: { known in
              known.columns[column] != nil
                && known.columns.values.contains { $0.references == owner }
            })
          {
            let isOfMembers = layout.tables.contains { $0.name == holder.name }
            throw incompatible(
              "\(entity.name).\(name) is stored differently there ("
                + (isOfMembers ? "a column on the members" : "the join table of its inverse")
                + ", not a join table of its own)")
          }
        }
      }
    }
  }

  /// Refuses a layout by which the members of a collection have positions, and those in the store
  /// have none, or the other way round.
  ///
  /// A row without a position names an owner whose ordered collection does not hold it, but is a
  /// member of one that is not ordered. It has to be the same for all rows.
  private func refuseOtherOrder(
    _ members: RelationalLayout.MemberStorage, _ name: String,
    _ entity: RelationalLayout.EntityStorage,
    _ table: Table, _ layout: RelationalLayout
  ) throws(StoreError) {
    let reference = table.columns[members.reference].name
    guard let known = tables[table.name.folded],
      known.columns[reference.folded] != nil
    else { return }
    // The index has the positions, too. A column of their name may be that of another relationship.
    let index = schema.indexes["\(table.name)_by_\(reference)"]
    if let index, let own = layout.indexes.first(where: { $0.name == index.name }),
      index.text == StoreSchema.essence(of: own.keptCreation)
    {
      return
    }
    let position = members.position.map { table.columns[$0].name } ?? "\(name)_position"
    let hasPositions = known.columns[position.folded] != nil
    if members.position == nil, hasPositions {
      throw incompatible("\(entity.name).\(name) is ordered there, but not here")
    }
    // Only references by which members lead back have an index.
    if members.position != nil, !hasPositions, index != nil {
      throw incompatible("\(entity.name).\(name) is ordered here, but not there")
    }
  }

  /// Refuses a layout that would put the attributes of texts and other values into one column.
  ///
  /// A key of an archive can have the name that such a column has in the store, or the other way
  /// round; what the column holds tells them apart.
  func refuseOtherRuns(_ layout: RelationalLayout) throws(StoreError) {
    for (index, entity) in layout.entities.enumerated() {
      let table = layout.table(of: index)
      for (_, place) in entity.properties.sorted(by: { $0.key < $1.key }) {
        guard let value = place.value.map({ table.columns[$0].name }) else { continue }
        if let runs = place.runs.map({ table.columns[$0].name }),
          try holds(table.name, runs, areRuns: false)
        {
          throw incompatible(
            "its column \(table.name).\(runs) has values other than text attributes")
        }
        if value.folded.contains("_runs"),
          try holds(table.name, value, areRuns: true)
        {
          throw incompatible("its column \(table.name).\(value) has text attributes")
        }
        // Rows that are found by an identity would keep the attributes of their old texts.
        let runs = value + "_runs"
        if place.runs == nil,
          layout.indexes.contains(where: { $0.isUnique && $0.table == table.name }),
          !table.columns.contains(where: {
            $0.name.folded == runs.folded
          }),
          try holds(table.name, runs, areRuns: true)
        {
          throw incompatible(
            "its column \(table.name).\(runs) has text attributes, so \(value) must be of the "
              + "type attributedText")
        }
      }
    }
  }

  /// True if a column of the store holds attributes of texts, or anything else.
  private func holds(
    _ table: String, _ column: String, areRuns: Bool
  ) throws(StoreError) -> Bool {
    guard let known = tables[table.folded],
      known.columns[column.folded] != nil
    else { return false }
    let (table, column) = (SQL.quoted(table), SQL.quoted(column))
    // A whole text with attributes, as JSON, has its text as well.
    return try !database.rows(
      """
      SELECT 1 FROM \(table)
        WHERE \(column) IS NOT NULL AND \(areRuns ? 1 : 0) =
          CASE WHEN \(column) GLOB '{"class":"*","runs":[[]*' AND json_valid(\(column))
            THEN json_type(\(column), '$.text') IS NULL ELSE 0 END
        LIMIT 1
      """
    ).isEmpty
  }
}
