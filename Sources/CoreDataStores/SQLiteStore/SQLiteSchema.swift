import DataModel
import Stores

/// The tables that a store has, by the names that SQLite compares.
///
/// Only real tables are among them: a view or a virtual table in the place of one could run for
/// ever, or reach out of the file.
struct SQLiteSchema {
  /// A table of the store.
  struct Table {
    /// The name as the store spells it.
    let name: String
    /// True if rows have IDs by the name `_rowid_`, as in all tables of entities that Core Data
    /// makes.
    let hasRowIDs: Bool
  }

  /// The tables, by their names in small letters.
  let tables: [String: Table]
  private let database: Database
  private let path: String

  /// Looks for the tables of a store.
  init(_ database: Database, path: String) throws(ModelError) {
    (self.database, self.path) = (database, path)
    var tables: [String: Table] = [:]
    let found = try database.reading(path) { (database) throws(StoreError) in
      try database.rows(
        """
        SELECT name, wr OR EXISTS (
            SELECT 1 FROM pragma_table_xinfo(l.name) AS x WHERE lower(x.name) = '_rowid_')
          FROM pragma_table_list AS l WHERE schema = 'main' AND type IN ('table', 'shadow')
        """)
    }
    for row in found {
      guard case .text(let name) = row[0] else { continue }
      tables[name.folded] = Table(name: name, hasRowIDs: row[1] == .integer(0))
    }
    self.tables = tables
  }

  /// The columns of a table, by their names in small letters: ordinary ones only, none that are
  /// generated.
  func columns(of table: Table) throws(ModelError) -> [String: String] {
    let found = try database.reading(path) { (database) throws(StoreError) in
      try database.rows(
        "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", [.text(table.name)])
    }
    var columns: [String: String] = [:]
    for row in found {
      if case .text(let name) = row.first { columns[name.folded] = name }
    }
    return columns
  }

  /// An index of a table that has all rows and begins with a column; nil if there is none.
  func index(of table: Table, on column: String) throws(ModelError) -> String? {
    let found = try database.reading(path) { (database) throws(StoreError) in
      try database.rows(
        """
        SELECT l.name FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x
          WHERE l.partial = 0 AND x.seqno = 0 AND x.coll = 'BINARY' AND x."desc" = 0
            AND lower(x.name) = lower(?)
          ORDER BY l.name
        """, [.text(table.name), .text(column)])
    }
    guard case .text(let name) = found.first?.first else { return nil }
    return name
  }
}

extension Database {
  /// Reads with the connection; what SQLite says is said of a store.
  func reading<Result>(
    _ path: String, _ step: (Database) throws(StoreError) -> Result
  ) throws(ModelError) -> Result {
    do throws(StoreError) {
      return try step(self)
    } catch {
      throw ModelError(.unreadable, path: path, name: error.reason)
    }
  }
}
