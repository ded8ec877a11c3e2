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
