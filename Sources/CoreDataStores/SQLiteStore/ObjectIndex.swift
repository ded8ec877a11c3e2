internal import CSQLite
import DataModel
import GraphCore
import Stores

/// The objects of a store: the rows of all tables of entities, numbered one table after the other.
struct ObjectIndex: Sendable {
  /// The rows of each table.
  private(set) var tables: [SQLiteStoreGraph.TableIndex] = []
  /// The number of objects.
  private(set) var count = 0
  /// Rows that are no objects since they cannot be read or their entity is unknown, in a store that
  /// is salvaged.
  private(set) var losses = LossList()
  /// The number of rows of tables of one entity that lack its number, by the names of the tables.
  private(set) var unnumbered: [(table: String, rows: Int)] = []

  /// More objects have no place on the lists of those that read them.
  private static let maxCount = Int(UInt32.max) - 1

  /// Reads the keys and entities of all rows.
  ///
  /// - Parameters:
  ///   - layout: The layout of the store.
  ///   - reader: A connection to the store, and how many rows a table has at most.
  ///   - salvages: True if rows that cannot be read, or are of no entity of their table, are left
  ///     out.
  ///   - maxKey: The greatest key that a table may have, as far as the store says.
  /// - Throws: `ModelError`.
  /// - Complexity: Linear in the size of the tables of entities.
  init(
    _ layout: StoreLayout, _ reader: (database: Database, maxRows: Int), salvages: Bool,
    maxKey: (StoreLayout.Table) -> Int64 = { _ in 0 }
  ) throws(ModelError) {
    for table in layout.tables {
      guard table.entities.count <= SQLiteStoreGraph.TableIndex.maxEntities else {
        throw ModelError(.tooMany, name: "entities")
      }
      let places = Dictionary(
        table.entities.enumerated().map { (layout.entities[$1].number, $0) },
        uniquingKeysWith: { first, _ in first })
      var index = SQLiteStoreGraph.TableIndex(entities: table.entities)
      index.base = count
      do throws(ModelError) {
        try read(table, places, reader.database, into: &index)
      } catch {
        guard salvages else { throw error }
        index = salvage(table, places, reader, lastKey: maxKey(table))
      }
      index.trim()
      count += index.count
      guard count <= Self.maxCount else { throw ModelError(.tooMany, name: "rows") }
      tables.append(index)
    }
  }

  private mutating func read(
    _ table: StoreLayout.Table, _ places: [Int64: Int], _ database: Database,
    into index: inout SQLiteStoreGraph.TableIndex
  ) throws(ModelError) {
    var others = 0
    var scan = KeyScan(table.name, key: table.key, entityNumber: table.entityNumber, database)
    while let row = scan.next() {
      let place = row.number.flatMap { places[$0] }
      if place == nil { others += 1 }
      guard let place = place ?? table.onlyPlace else {
        throw ModelError(.badEntityNumber, name: Self.words(row.key, row.number, table))
      }
      index.append(row.key, place: place)
    }
    if let failure = scan.failure {
      throw ModelError(.damagedTable, name: "\(table.name): \(failure)")
    }
    if others > 0 { unnumbered.append((table.name, others)) }
  }

  /// The rows of a damaged table that can be read, are of an entity, and have a key of their own.
  private mutating func salvage(
    _ table: StoreLayout.Table, _ places: [Int64: Int],
    _ reader: (database: Database, maxRows: Int),
    lastKey: Int64
  ) -> SQLiteStoreGraph.TableIndex {
    let found = SalvagedRows(
      table.name, [SQL.quoted(table.key), table.entityNumber], lastID: lastKey,
      maxRows: reader.maxRows, reader.database)
    for words in found.losses { lose(words) }
    var rows: [(key: Int64, id: Int64, place: Int)] = []
    for row in found.rows {
      guard let key = row.values[0] else {
        lose("row \(row.id) of \(table.name): it has no key")
        continue
      }
      guard let place = row.values[1].flatMap({ places[$0] }) ?? table.onlyPlace else {
        lose(Self.words(key, row.values[1], table))
        continue
      }
      rows.append((key, row.id, place))
    }
    var index = SQLiteStoreGraph.TableIndex(entities: table.entities)
    index.base = count
    // Between the rows that have numbers there may be others.
    index.hasGaps = true
    for row in rows.sorted(by: { ($0.key, $0.id) < ($1.key, $1.id) }) {
      guard index.lastKey != row.key else {
        lose("row \(row.id) of \(table.name): another row has its key \(row.key), too")
        continue
      }
      index.append(row.key, place: row.place, rowID: row.id)
    }
    return index
  }

  /// The words for a row that is of no entity of its table.
  private static func words(_ key: Int64, _ number: Int64?, _ table: StoreLayout.Table) -> String {
    "row \(key) of \(table.name) has the number \(number.map(String.init) ?? "none"), which no "
      + "entity of the table has"
  }

  private mutating func lose(_ words: String) {
    losses.append(ArchiveError(.unreadable, name: words))
  }

  // MARK: Numbers and keys

  /// The table and row of an object; nil for a number that no object has.
  @inline(__always)
  func location(of uid: Int) -> (table: Int, rank: Int)? {
    guard uid >= 0, uid < count else { return nil }
    var (low, high) = (0, tables.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if tables[middle].base <= uid { low = middle } else { high = middle }
    }
    return (low, uid - tables[low].base)
  }

  /// The memory that the index takes, in bytes.
  var byteCount: Int { tables.reduce(0) { $0 + $1.byteCount } }
}

extension ObjectIndex {
  /// The keys of a table of entities with the numbers of their entities, up to where it is damaged.
  struct KeyScan {
    /// The error in the table, once it is known.
    private(set) var failure: String?
    private var last: Int64?
    private var rows: RowScan?

    /// Begins with the first row of a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The column with the key.
    ///   - entityNumber: The number of a row's entity, in SQL.
    ///   - database: A connection to its store.
    init(
      _ table: String, key: String = CoreDataLayout.keyColumn,
      entityNumber: String = CoreDataLayout.entityColumn, _ database: Database
    ) {
      do throws(StoreError) {
        rows = RowScan(
          try database.prepare(
            """
            SELECT _rowid_, \(SQL.quoted(key)), \(entityNumber)
              FROM \(SQL.quoted(table)) NOT INDEXED ORDER BY _rowid_
            """))
      } catch {
        failure = error.reason
      }
    }

    /// The next key, and the number of its entity if it has one; nil at the end, or where the table
    /// is damaged.
    mutating func next() -> (key: Int64, number: Int64?)? {
      guard failure == nil, let rows else { return nil }
      do throws(StoreError) {
        guard let row = try rows.next() else { return nil }
        let key = row[0].integer
        // A damaged tree can lead to the same rows again and again.
        let isInOrder = last.map { key > $0 } ?? true
        guard isInOrder, row[1].kind == csq_kind_integer, row[1].integer == key else {
          failure = "its keys are not those of its rows, or a row is there twice"
          return nil
        }
        last = key
        return (key, row[2].kind == csq_kind_integer ? row[2].integer : nil)
      } catch {
        failure = error.reason
        return nil
      }
    }
  }
}

/// The rows of a database that are objects: where they are, and what is known of them.
struct StoreRows: Sendable, ObjectKeys {
  let snapshot: StoreSnapshot
  let layout: StoreLayout
  let index: ObjectIndex
  let externalData: ExternalDataFolder
  /// True if numbers and dates may be blobs of their text.
  let isTemporary: Bool

  /// Creates the rows.
  ///
  /// - Throws: `ModelError` if there are too many.
  init(
    snapshot: StoreSnapshot, layout: StoreLayout, index: ObjectIndex,
    externalData: ExternalDataFolder, isTemporary: Bool = false
  ) throws(ModelError) {
    (self.snapshot, self.layout, self.index) = (snapshot, layout, index)
    (self.externalData, self.isTemporary) = (externalData, isTemporary)
    // The numbers of collections are made of those of objects and relationships.
    guard !index.count.multipliedReportingOverflow(by: max(1, layout.maxLinkCount)).overflow else {
      throw ModelError(.tooMany, name: "rows")
    }
  }

  /// The number of objects, and of values of their attributes and relationships.
  var valueCount: Int {
    var count = index.count
    for table in index.tables {
      for (entity, rows) in table.countByEntity {
        count += rows * layout.entities[entity].keys.count
      }
    }
    return count
  }

  /// The entity of an object and its primary key; nil for a number that no object has.
  func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)? {
    guard let (table, rank) = index.location(of: uid) else { return nil }
    let rows = index.tables[table]
    return (layout.entities[rows.entity(rank)].record.name, rows.key(rank))
  }

  /// A look-up of objects by entity and primary key.
  func makeLookup() -> (_ entity: String, _ key: Int64) -> Int? {
    let entities = Dictionary(
      layout.entities.enumerated().map { ($1.record.name, $0) }, uniquingKeysWith: { one, _ in one }
    )
    return { [layout, index] name, key in
      guard let entity = entities[name] else { return nil }
      let table = index.tables[layout.entities[entity].table]
      guard let rank = table.rank(ofKey: key), table.entity(rank) == entity else { return nil }
      return table.base + rank
    }
  }
}
