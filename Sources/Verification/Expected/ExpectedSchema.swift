import Stores

/// The declarations that a store must have, by the layouts of the runs that made it.
///
/// A run that adds to a store adds tables, columns, indexes and views, and changes nothing else.
struct ExpectedSchema {
  private(set) var tables: [String: Table] = [:]
  private(set) var indexes: [String: Index] = [:]
  private(set) var views: [String: StoreSchema.Entry] = [:]
  /// The views of superclasses, which the tables and classes of the whole store determine.
  var superclassViews: [SuperclassViews.View] = []
  /// True if there is a table for full-text search.
  var isSearchable = false
  /// True if all runs are known: else there may be more.
  var isComplete = true
  /// The declarations of the store before the runs that are known.
  var earlier: StoreSchema? {
    didSet {
      for (name, form) in earlier?.tables ?? [:] where form.isOwnForm(name) {
        tables[name] = Table(name: name, columns: form.columns)
      }
    }
  }

  /// Adds what a run needs.
  mutating func add(_ layout: RelationalLayout, own: [Table]) {
    for table in own + layout.tables + layout.elementTables.map(\.table) {
      let table = Table(name: table.name, columns: table.declaredColumns)
      guard var known = tables[table.name] else {
        tables[table.name] = table
        continue
      }
      let names = Set(known.columns.map(\.name))
      known.columns += table.columns.filter { !names.contains($0.name) }
      tables[table.name] = known
    }
    for index in layout.indexes + RelationalLayout.bookkeepingIndexes(on: own)
    where indexes[index.name] == nil {
      indexes[index.name] = index
    }
    let creations =
      layout.views.map { ($0.name, $0.keptCreation) }
      + layout.queries.map { ($0.name, $0.keptCreation) }
    for (name, sql) in creations {
      views[name] = StoreSchema.Entry(name: name, table: name, sql: sql)
    }
  }
}
