import DataModel
import GraphCore
import Support

/// The tables and views of a store before a run adds to it: what is there keeps its place.
package struct EarlierTables: Sendable {
  /// For each table, its columns by the forms of their names: see `NameAllocator`.
  private var columns: [String: [String: Table.Column]] = [:]
  /// For each table, how many columns it has.
  private var columnCounts: [String: Int] = [:]
  /// For each table, the columns that count the elements of collections, by the names of these.
  private var counts: [String: [String: String]] = [:]
  /// For each view, the names of its columns and the entities whose rows it shows.
  var views: [String: (columns: Set<String>, entities: Set<String>)] = [:]

  /// True if the store has records of its runs.
  package internal(set) var hasRuns = false
  /// True if its texts can be searched: see `SearchTable`.
  package internal(set) var isSearchable = false
  /// The dictionaries that were records, in the runs that had some; nil if none had.
  package internal(set) var records: RecordRules?
  /// The rules for the positions of classes in typedstreams.
  package internal(set) var positions = PositionRules()
  /// The plain names of classes and keys.
  package var names = AssignedNames()

  /// No tables.
  package init() {}

  /// Adds those of a run.
  package mutating func add(_ layout: RelationalLayout) {
    for table in layout.tables + layout.elementTables.map(\.table) {
      add(table.columns, to: table.name)
    }
    for (table, columns) in layout.countColumns { add(counts: columns, to: table) }
    for view in layout.views {
      views[view.name, default: ([], [])].columns.formUnion(view.columns)
      views[view.name]?.entities.formUnion(view.entities)
    }
  }

  mutating func add(_ added: [Table.Column], to table: String) {
    for column in added {
      if columns[table]?[column.name.folded] == nil { columnCounts[table, default: 0] += 1 }
      for form in NameAllocator.forms(column.name) where columns[table]?[form] == nil {
        columns[table, default: [:]][form] = column
      }
    }
  }

  mutating func add(counts added: [String: String], to table: String) {
    for (name, column) in added where columns[table]?[column.folded] != nil {
      counts[table, default: [:]][name] = column
    }
  }

  /// The number of columns of a table; 0 if there is none.
  func columnCount(of table: String) -> Int { columnCounts[table] ?? 0 }

  /// True if a table of a name can be had for rows, or for elements, with a column for the row that
  /// holds them: there is none yet, or it is one of these.
  func allowsTable(_ name: String, owner: String? = nil) -> Bool {
    guard let columns = columns[name] else { return true }
    // Elements alone have a column that nothing goes without.
    let required = columns.values.first { $0.isRequired && !$0.isPrimaryKey }
    return required?.name == owner
  }

  /// True if a table has a column of a name.
  func hasColumn(_ name: String, in table: String) -> Bool {
    columnType(of: name, in: table) != nil
  }

  /// The type of a column; nil if there is none.
  func columnType(of name: String, in table: String) -> Table.ColumnType? {
    guard let column = columns[table]?[name.folded], column.name.hasSameBytes(as: name) else {
      return nil
    }
    return column.type
  }

  /// The column that counts the elements of a collection; nil if there is none.
  func countColumn(of name: String, in table: String) -> String? { counts[table]?[name] }

  /// The column that computes numbers from the texts of another; nil if there is none.
  private func numberColumn(of column: String, in table: String) -> String? {
    columns[table]?.values.first { $0.numberOf.map(column.hasSameBytes) ?? false }?.name
  }

  /// The primary key of a table; nil if there is no such table.
  func key(of table: String) -> String? {
    columns[table]?.values.first(where: \.isPrimaryKey)?.name
  }

  /// A view with the columns and entities that it has shown: rows of earlier runs have values in
  /// columns, and are of subentities, of which another run knows nothing.
  func completed(_ view: View) -> View {
    guard let known = views[view.name] else { return view }
    var view = view
    view.columns += known.columns.subtracting(view.columns).sorted()
    view.entities += known.entities.subtracting(view.entities).sorted()
    return view
  }

  /// The number of tables with those of a run, but for those of the store's own.
  package func count(with layout: RelationalLayout) -> Int {
    let names = (layout.tables + layout.elementTables.map(\.table)).map(\.name)
    return Set(names).union(columns.keys).subtracting(RelationalLayout.reservedTableNames).count
  }

  /// The column that has been there for some use already; nil if its name does not tell.
  func column(for use: ColumnUse, in table: String) -> String? {
    switch use {
    case .count(let collection): countColumn(of: collection, in: table)
    case .number(let source): numberColumn(of: source, in: table)
    case .reference, .value: nil
    }
  }

  /// True if a column of a name can be had for some use: there is none yet, or it is of that use.
  func allows(_ name: String, in table: String, for use: ColumnUse) -> Bool {
    if let column = column(for: use, in: table), column.hasSameBytes(as: name) { return true }
    return NameAllocator.forms(name).compactMap { columns[table]?[$0] }.allSatisfy { known in
      guard known.name.hasSameBytes(as: name) else { return false }
      let isCount = counts[table]?.values.contains { $0.hasSameBytes(as: name) } ?? false
      return switch use {
      case .reference: !isCount && known.numberOf == nil
      case .value: !isCount && known.numberOf == nil && known.references == nil
      case .count, .number: false
      }
    }
  }

  /// The use of a column.
  enum ColumnUse: Equatable {
    /// The number of elements of a collection.
    case count(of: String)
    /// The number that is computed from the texts of another column.
    case number(of: String)
    /// References to other rows.
    case reference
    /// Anything else.
    case value
  }

  /// True if references have been to rows of several tables, so that another column names the
  /// table.
  func hasTypes(_ name: String, in table: String) -> Bool {
    guard let reference = columns[table]?[(name + "_id").folded],
      let type = columns[table]?[(name + "_type").folded]
    else { return false }
    return reference.type == .integer && reference.references == nil && type.type == .text
  }
}
