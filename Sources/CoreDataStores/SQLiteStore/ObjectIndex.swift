import DataModel
import GraphCore
import SQLite

/// The objects of a store: the rows of all tables of entities, numbered one table after the other.
struct ObjectIndex: Sendable {
  /// The rows of each table.
  private(set) var tables: [SQLiteStoreGraph.TableIndex] = []
  /// How many objects there are.
  private(set) var count = 0
  /// Rows that are no objects since they cannot be read or their entity is unknown, in a store that
  /// is salvaged.
  private(set) var losses = LossList()

  /// More objects have no place on the lists of those that read them.
  private static let maxCount = Int(UInt32.max) - 1

  /// Reads the keys and entities of all rows.
  ///
  /// - Parameters:
  ///   - layout: Where the store keeps what.
  ///   - database: A connection to the store.
  ///   - salvages: Whether rows that cannot be read, or are of no entity of their table, are left
  ///     out.
  /// - Throws: `ModelError`.
  /// - Complexity: Linear in the size of the tables of entities.
  init(_ layout: StoreLayout, _ database: Database, salvages: Bool) throws(ModelError) {
    for table in layout.tables {
      guard table.entities.count <= SQLiteStoreGraph.TableIndex.maxEntities else {
        throw ModelError(.tooMany, name: "entities")
      }
      var index = SQLiteStoreGraph.TableIndex(entities: table.entities)
      index.base = count
      try read(table, layout, database, salvages, into: &index)
      index.trim()
      count += index.count
      guard count <= Self.maxCount else { throw ModelError(.tooMany, name: "rows") }
      tables.append(index)
    }
  }

  private mutating func read(
    _ table: StoreLayout.Table, _ layout: StoreLayout, _ database: Database, _ salvages: Bool,
    into index: inout SQLiteStoreGraph.TableIndex
  ) throws(ModelError) {
    let places = Dictionary(
      table.entities.enumerated().map { (layout.entities[$1].number, $0) },
      uniquingKeysWith: { first, _ in first })
    var scan = KeyScan(table.name, database)
    while let row = scan.next() {
      try add(row, table, places, salvages, to: &index)
    }
    guard let failure = scan.failure else { return }
    guard salvages else { throw ModelError(.damagedTable, name: "\(table.name): \(failure)") }
    lose("\(table.name): \(failure)")
    index.hasGaps = true
    // What is after the damage can be read from the other end.
    var rest = KeyScan(table.name, database, backwardsTo: scan.last ?? .min)
    var rows: [(key: Int64, number: Int64?)] = []
    while let row = rest.next() { rows.append(row) }
    for row in rows.reversed() { try add(row, table, places, salvages, to: &index) }
  }

  private mutating func add(
    _ row: (key: Int64, number: Int64?), _ table: StoreLayout.Table, _ places: [Int64: Int],
    _ salvages: Bool, to index: inout SQLiteStoreGraph.TableIndex
  ) throws(ModelError) {
    if let place = row.number.flatMap({ places[$0] }) {
      return index.append(row.key, place: place)
    }
    let number = row.number.map(String.init) ?? "none"
    let words =
      "row \(row.key) of \(table.name) has the number \(number), which no entity of the table has"
    guard salvages else { throw ModelError(.badEntityNumber, name: words) }
    index.hasGaps = true
    lose(words)
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

  /// How many bytes it takes.
  var byteCount: Int { tables.reduce(0) { $0 + $1.byteCount } }
}
