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

extension SQLiteStoreGraph {
  /// The rows of a table of entities, numbered from 0 in the order of their keys.
  ///
  /// It takes no memory where the keys have no gaps and all rows are of one entity; else 8 bytes a
  /// row for the keys, and 2 for the entities.
  struct TableIndex: Sendable {
    /// The number of rows.
    private(set) var count = 0
    /// The number of the first object of the table among those of the source.
    var base = 0
    private var firstKey: Int64 = 0
    /// The keys, once there is a gap between them.
    private var keys: [Int64]?
    /// The IDs of the rows in the database, where they are not the keys: in a table that is salvaged.
    private var rowIDs: [Int64]?
    /// The entities of the rows, as places among those of the table, where it has several.
    private var places: [UInt16]?
    /// The entities of the table, by their indexes in the layout.
    let entities: [Int]
    /// True if the table has rows, too, that could not be read and have no number.
    var hasGaps = false

    /// Creates an index of a table without rows.
    init(entities: [Int]) {
      self.entities = entities
      if entities.count > 1 { places = [] }
    }

    /// The greatest number of entities that a table may have.
    static let maxEntities = Int(UInt16.max)

    /// Adds a row, whose key has to be greater than those before.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - place: The place of its entity among those of the table.
    ///   - rowID: Its ID in the database; nil where this is the key.
    mutating func append(_ key: Int64, place: Int, rowID: Int64? = nil) {
      if rowIDs == nil, let rowID, rowID != key { rowIDs = (0..<count).map { self.key($0) } }
      rowIDs?.append(rowID ?? key)
      if count == 0 {
        firstKey = key
      } else if keys == nil, key &- firstKey != Int64(count) {
        keys = (0..<Int64(count)).map { firstKey + $0 }
      }
      keys?.append(key)
      places?.append(UInt16(truncatingIfNeeded: place))
      count += 1
    }

    /// The key of a row.
    @inline(__always)
    func key(_ rank: Int) -> Int64 { keys.map { $0[rank] } ?? firstKey + Int64(rank) }

    /// The ID of a row in the database.
    func rowID(_ rank: Int) -> Int64 { rowIDs?[rank] ?? key(rank) }

    /// The entity of a row, by its index in the layout.
    @inline(__always)
    func entity(_ rank: Int) -> Int { entities[places.map { Int($0[rank]) } ?? 0] }

    /// The greatest key; nil for a table without rows.
    var lastKey: Int64? { count > 0 ? key(count - 1) : nil }

    /// The row with a key; nil if there is none.
    ///
    /// - Complexity: Constant where the keys have no gaps, else logarithmic.
    func rank(ofKey wanted: Int64) -> Int? {
      guard count > 0, wanted >= firstKey else { return nil }
      guard let keys else {
        let (rank, overflow) = wanted.subtractingReportingOverflow(firstKey)
        return overflow || rank >= Int64(count) ? nil : Int(rank)
      }
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if keys[middle] < wanted { low = middle + 1 } else { high = middle }
      }
      return low < count && keys[low] == wanted ? low : nil
    }

    /// The memory that the index takes, in bytes.
    var byteCount: Int {
      ((keys?.capacity ?? 0) + (rowIDs?.capacity ?? 0)) * 8 + (places?.capacity ?? 0) * 2
    }

    /// The number of rows of each entity, by its index in the layout.
    var countByEntity: [Int: Int] {
      guard let places else { return count > 0 ? [entities[0]: count] : [:] }
      var counts = Array(repeating: 0, count: entities.count)
      for place in places { counts[Int(place)] += 1 }
      return Dictionary(uniqueKeysWithValues: zip(entities, counts).filter { $0.1 > 0 })
    }

    /// Gives memory back that no row needs.
    mutating func trim() {
      if let rows = keys, rows.capacity > rows.count { keys = Array(rows[...]) }
      if let rows = places, rows.capacity > rows.count { places = Array(rows[...]) }
    }
  }
}
