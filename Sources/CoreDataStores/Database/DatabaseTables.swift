import DataModel
import Foundation
import GraphCore
import Stores
import Support

/// The tables of a database as classes of objects.
///
/// A row is an object, a column is a key, and a foreign key of one column is a reference. Views,
/// triggers and virtual tables are not run.
struct DatabaseTables {
  /// A table with rows.
  private struct Table {
    let name: String
    /// The name that its rows are read by.
    var storedName: String
    /// The columns, without generated ones.
    var columns: [String] = []
    /// The names that the columns are read by.
    var storedColumns: [String] = []
    /// The column that is the row ID; nil where none is.
    var keyColumn: String?
    var hasRowIDs: Bool

    /// The column of a place, in SQL, wherever other tables have columns of this name.
    func sql(_ column: Int) -> String {
      "\(SQL.quoted(storedName)).\(SQL.quoted(storedColumns[column]))"
    }
  }

  /// A foreign key of one column.
  private struct Link {
    /// The place of the column in its table.
    let column: Int
    let target: Int
    /// The row ID that a value leads to, in SQL; NULL where it leads to no row.
    let row: String
    /// True if all values are row IDs of rows.
    let isPlain: Bool
    /// True if some values lead to no row.
    let hasDangling: Bool
  }

  private(set) var layout = StoreLayout()
  /// The virtual tables, which are not read, and neither are the tables in which they keep their data.
  private(set) var virtualTables: [String] = []
  /// Tables that are lost, in a database that is salvaged.
  private(set) var losses: [ArchiveError] = []
  /// The columns of all tables, those that are not read included.
  private(set) var allColumns: [ColumnHints.Column] = []
  private var tables: [Table] = []
  private let hints: ColumnHints
  private let toleratesDamage: Bool

  /// The name of row IDs, which a column of a table can hide.
  private static let rowID = "_rowid_"

  /// Reads the schema of a database.
  ///
  /// - Parameters:
  ///   - snapshot: The files of the database, which are copied where a table has no row IDs.
  ///   - hints: Properties of the columns besides those of the schema.
  ///   - toleratesDamage: True if rows may be damaged.
  /// - Throws: `ModelError`.
  init(
    _ snapshot: inout StoreSnapshot, _ hints: ColumnHints, toleratesDamage: Bool
  ) throws(ModelError) {
    (self.hints, self.toleratesDamage) = (hints, toleratesDamage)
    do throws(StoreError) {
      try readTables(try snapshot.connect())
    } catch {
      throw Self.error(error)
    }
    if tables.contains(where: { !$0.hasRowIDs }) {
      let copy = try StoreSnapshot(
        snapshot.path, isCopied: true, toleratesDamage: toleratesDamage)
      do throws(StoreError) {
        try copy.change { (database) throws(StoreError) in try copyRows(database) }
        snapshot = copy
      } catch {
        guard toleratesDamage else { throw Self.error(error) }
        // A file that ends too early cannot be written to either.
        for table in tables where !table.hasRowIDs {
          losses.append(
            ArchiveError(.unreadable, name: "the rows of \(table.name): \(error.reason)"))
        }
        tables.removeAll { !$0.hasRowIDs }
      }
    }
    do throws(StoreError) {
      let database = try snapshot.connect()
      for index in tables.indices { addEntity(of: index) }
      for index in tables.indices { try addProperties(of: index, database) }
    } catch {
      throw Self.error(error)
    }
  }

  private static func error(_ error: StoreError) -> ModelError {
    ModelError(.unreadable, name: error.reason)
  }

  private static func text(_ value: StoredValue) -> String {
    if case .text(let text) = value { text } else { "" }
  }

  // MARK: The schema

  private mutating func readTables(_ database: Database) throws(StoreError) {
    let found = try database.rows(
      """
      SELECT name, type, wr FROM pragma_table_list
        WHERE schema = 'main' AND type IN ('table', 'virtual', 'shadow') ORDER BY name
      """)
    for row in found {
      guard case .text(let name) = row[0], !name.folded.hasPrefix("sqlite_") else { continue }
      guard row[1] == .text("table") else {
        if row[1] == .text("virtual") { virtualTables.append(name) }
        continue
      }
      var table = Table(name: name, storedName: name, hasRowIDs: row[2] == .integer(0))
      let columns = try database.rows(
        "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid",
        [.text(name)])
      var keys: [(name: String, type: String)] = []
      var isRead = false
      for column in columns {
        guard case .text(let name) = column[0] else { continue }
        let place = ColumnHints.Column(table: table.name, name: name)
        allColumns.append(place)
        if name.folded == Self.rowID { table.hasRowIDs = false }
        if hints.isRead(place) {
          isRead = true
        } else if column[2] == .integer(0) {
          continue
        }
        table.columns.append(name)
        if column[2] != .integer(0) { keys.append((name, Self.text(column[1]))) }
      }
      table.storedColumns = table.columns
      // The key of any other type, or in descending order, has an index.
      let indexes = try database.rows(
        "SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", [.text(name)])
      if table.hasRowIDs, keys.count == 1, indexes.isEmpty, case let key = keys[0],
        key.type.folded == "integer"
      {
        table.keyColumn = key.name
      }
      guard isRead else { continue }
      tables.append(table)
    }
  }

  /// Copies the rows of tables without row IDs into tables that have some.
  private mutating func copyRows(_ database: Database) throws(StoreError) {
    var names = Set(
      try database.rows("SELECT name FROM sqlite_schema").map { Self.text($0[0]).folded })
    for index in tables.indices where !tables[index].hasRowIDs {
      let table = tables[index]
      var copy = "rows of \(table.name)"
      while !names.insert(copy.folded).inserted { copy += "_" }
      let columns = table.columns.indices.map { "c\($0)" }
      // Without types, values keep their storage classes.
      try database.execute(
        """
        CREATE TABLE main.\(SQL.quoted(copy)) (\(columns.joined(separator: ", ")));
        INSERT INTO main.\(SQL.quoted(copy))
          SELECT \(table.columns.map(SQL.quoted).joined(separator: ", "))
            FROM main.\(SQL.quoted(table.name));
        """)
      (tables[index].storedName, tables[index].storedColumns) = (copy, columns)
    }
  }

  // MARK: The layout

  private mutating func addEntity(of index: Int) {
    let name = tables[index].name
    layout.entities.append(
      StoreLayout.Entity(
        record: ClassRecord(name: name, hierarchy: [name], hints: []), number: 0, parent: nil,
        table: index))
    var table = StoreLayout.Table(name: tables[index].storedName)
    (table.key, table.entityNumber, table.entities) = (Self.rowID, "0", [index])
    layout.tables.append(table)
  }

  private mutating func addProperties(of index: Int, _ database: Database) throws(StoreError) {
    let table = tables[index]
    let links = try links(of: index, database)
    var names = Set(table.columns.map(\.folded))
    for column in table.columns.indices {
      let name = table.columns[column]
      guard let link = links.first(where: { $0.column == column }) else {
        // The keys of a table that is missing lead to no row.
        var key = name
        if hints.targets[ColumnHints.Column(table: table.name, name: name)] != nil {
          key += "_dangling"
          while !names.insert(key.folded).inserted { key += "_" }
        }
        add(
          key, .attribute(.mixed, column: addColumn(column, to: index), isExternal: false), index)
        continue
      }
      let place = addColumn(column, to: index)
      let target = StoreLayout.Target(table: link.target, entity: link.target)
      // The column of the new table is named after it, with "_id" at the end.
      let stem = name.folded.hasSuffix("_id") ? String(name.dropLast(3)) : name
      let key = stem.isEmpty || !names.insert(stem.folded).inserted ? name : stem
      add(key, .reference(target, column: place, entityColumn: nil), index)
      if !link.isPlain { layout.tables[index].expressions[place] = link.row }
      guard link.hasDangling else { continue }
      let rest = addColumn(column, to: index)
      layout.tables[index].expressions[rest] =
        "CASE WHEN \(link.row) IS NULL THEN \(table.sql(column)) END"
      var restName = "\(name)_dangling"
      while !names.insert(restName.folded).inserted { restName += "_" }
      add(restName, .attribute(.mixed, column: rest, isExternal: false), index)
    }
  }

  private mutating func addColumn(_ column: Int, to table: Int) -> Int {
    layout.tables[table].columns.append(tables[table].storedColumns[column])
    return layout.tables[table].columns.count - 1
  }

  private mutating func add(_ key: String, _ property: StoreLayout.Property, _ entity: Int) {
    layout.entities[entity].keys.append(key)
    layout.entities[entity].properties.append(property)
  }

  /// The foreign keys of a table, but for those of several columns.
  private func links(of index: Int, _ database: Database) throws(StoreError) -> [Link] {
    let table = tables[index]
    let found = try database.rows(
      """
      SELECT "from", "table", "to" FROM pragma_foreign_key_list(?) AS k
        WHERE 1 = (SELECT count(*) FROM pragma_foreign_key_list(?) AS other WHERE other.id = k.id)
      """, [.text(table.name), .text(table.name)])
    let declared: [[StoredValue]] = table.columns.compactMap { column in
      hints.targets[ColumnHints.Column(table: table.name, name: column)].map {
        [.text(column), .text($0), .null]
      }
    }
    var links: [Link] = []
    for row in found + declared {
      guard case .text(let from) = row[0], case .text(let to) = row[1],
        let column = table.columns.firstIndex(where: { $0.folded == from.folded }),
        let target = tables.firstIndex(where: { $0.name.folded == to.folded }),
        !links.contains(where: { $0.column == column }),
        let key = try key(of: tables[target], named: row[2], database)
      else { continue }
      let (value, name) = (table.sql(column), SQL.quoted(tables[target].storedName))
      let isRowID = key == Self.rowID
      let rowID =
        isRowID
        ? """
        CASE WHEN typeof(\(value)) = 'integer' AND \(value) IN (SELECT \(key) FROM \(name)) \
        THEN \(value) END
        """
        : "(SELECT p.\(Self.rowID) FROM \(name) AS p WHERE p.\(key) = \(value) LIMIT 1)"
      let hasDangling = try hasRow(
        """
        SELECT 1 FROM \(SQL.quoted(table.storedName)) NOT INDEXED
          WHERE \(value) IS NOT NULL AND \(rowID) IS NULL LIMIT 1
        """, database)
      links.append(
        Link(
          column: column, target: target, row: rowID, isPlain: isRowID && !hasDangling,
          hasDangling: hasDangling))
    }
    return links
  }

  /// True if a statement gives a row, or fails in a database that is salvaged.
  private func hasRow(_ sql: String, _ database: Database) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try !database.rows(sql).isEmpty
    } catch {
      guard toleratesDamage else { throw error }
      return true
    }
  }

  /// The column that a foreign key leads to, in SQL: the row ID, or one by which rows are found.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - name: The name of the column; NULL for the primary key.
  ///   - database: A connection to the database.
  /// - Returns: Nil if no index tells the rows apart by the column.
  /// - Throws: `StoreError`.
  private func key(
    of table: Table, named name: StoredValue, _ database: Database
  ) throws(StoreError) -> String? {
    if let key = table.keyColumn, name == .null || Self.text(name).folded == key.folded {
      return Self.rowID
    }
    guard table.hasRowIDs else { return nil }
    let found = try database.rows(
      """
      SELECT c.name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c
        WHERE i."unique" AND NOT i.partial AND c.name IS NOT NULL
          AND iif(?, i.origin = 'pk', lower(c.name) = lower(?))
          AND 1 = (SELECT count(*) FROM pragma_index_info(i.name))
      """, [.text(table.name), .integer(name == .null ? 1 : 0), name])
    guard case .text(let column)? = found.first?.first else { return nil }
    return SQL.quoted(column)
  }
}
