/// The tables and views of a store before a run adds to it: what is there keeps its place.
struct EarlierTables: Sendable {
  /// For each table, its columns by their names as SQLite compares them.
  private var columns: [String: [String: Table.Column]] = [:]
  /// For each view, the names of its columns.
  private var views: [String: Set<String>] = [:]

  /// No tables.
  init() {}

  /// The tables and views of a store.
  ///
  /// - Throws: `StoreError` if they cannot be read.
  init(_ database: Database) throws(StoreError) {
    for (name, form) in try StoreSchema(database).tables { add(form.columns, to: name) }
    for row in try database.rows(
      """
      SELECT v.name, c.name FROM pragma_table_list AS v, pragma_table_info(v.name) AS c
        WHERE v.schema = 'main' AND v.type = 'view'
      """)
    {
      guard case .text(let view) = row[0], case .text(let column) = row[1] else { continue }
      views[view, default: []].insert(column)
    }
  }

  /// Adds those of a run.
  mutating func add(_ layout: RelationalLayout) {
    for table in layout.tables + layout.elementTables.map(\.table) {
      add(table.columns, to: table.name)
    }
    for view in layout.views { views[view.name, default: []].formUnion(view.columns) }
  }

  private mutating func add(_ added: [Table.Column], to table: String) {
    for column in added {
      let name = NameAllocator.folded(column.name)
      if columns[table]?[name] == nil { columns[table, default: [:]][name] = column }
    }
  }

  /// The columns that a view has shown.
  func columns(ofView name: String) -> Set<String> { views[name] ?? [] }

  /// Whether a column of a name can be had for some use: there is none yet, or it is of that use.
  func allows(_ name: String, in table: String, for use: ColumnUse) -> Bool {
    guard let known = columns[table]?[NameAllocator.folded(name)] else { return true }
    return known.name == name && (use == .reference || known.references == nil)
  }

  /// What a column is for.
  enum ColumnUse {
    /// References to other rows.
    case reference
    /// Anything else.
    case value
  }

  /// Whether references have been to rows of several tables, so that another column names the table.
  func hasTypes(_ name: String, in table: String) -> Bool {
    guard let reference = columns[table]?[NameAllocator.folded(name + "_id")],
      let type = columns[table]?[NameAllocator.folded(name + "_type")]
    else { return false }
    return reference.type == .integer && reference.references == nil && type.type == .text
  }
}
