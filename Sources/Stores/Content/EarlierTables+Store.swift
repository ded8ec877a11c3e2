import DataModel
import Foundation
import GraphCore

extension EarlierTables {
  /// The tables and views of a store.
  ///
  /// - Throws: `StoreError` if they cannot be read.
  package init(_ database: Database) throws(StoreError) {
    self.init()
    let schema = try StoreSchema(database)
    isSearchable = SearchTable.isDeclared(in: schema)
    for (name, form) in schema.tables { add(form.columns, to: name) }
    try addCounts(database, schema)
    for row in try database.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'view'") {
      guard case .text(let view) = row[0], case .text(let creation) = row[1] else { continue }
      // Any other view may call what SQLite does not trust.
      guard creation.contains("WHERE \(RelationalLayout.entityColumn) IN (") else { continue }
      var columns: Set<String> = []
      for column in try database.rows("SELECT name FROM pragma_table_info(?)", [.text(view)]) {
        if case .text(let name) = column[0] { columns.insert(name) }
      }
      views[view] = (columns, Set(View.entities(in: creation)))
    }
  }

  /// The options of a run in the store that are about its columns.
  private struct RunOptions: Decodable {
    var countColumns: [String: [String: String]]?
    var records: [String: String]?
    var pairs: [String]?
    var names: AssignedNames?
    var positions: [String: PositionRules.Class]?
  }

  /// Adds the columns for counts that the runs of a store have recorded.
  private mutating func addCounts(
    _ database: Database, _ schema: StoreSchema
  ) throws(StoreError) {
    let run = RelationalLayout.runTable
    guard schema.tables[run]?.columns.contains(where: { $0.name == "options" }) == true else {
      return
    }
    for row in try database.rows("SELECT options FROM \(run) ORDER BY id") {
      guard case .text(let text) = row[0],
        let options = try? JSONDecoder().decode(RunOptions.self, from: Data(text.utf8))
      else { continue }
      for (table, columns) in options.countColumns ?? [:] { add(counts: columns, to: table) }
      hasRuns = true
      if let names = options.names { self.names.add(names) }
      positions = PositionRules(
        positions.classes.merging(options.positions ?? [:]) { first, _ in first })
      guard let names = options.records else { continue }
      records = RecordRules(
        classNames: (records?.classNames ?? [:]).merging(names) { first, _ in first },
        pairs: (records?.pairs ?? []).union(options.pairs ?? []))
    }
  }
}
