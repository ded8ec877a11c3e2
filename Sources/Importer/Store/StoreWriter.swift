/// Writes the rows of a new store: one prepared statement for each table, one transaction.
final class StoreWriter {
  private let database: Database
  private let layout: RelationalLayout
  /// One statement for each entity, and one for each table of elements: prepared when needed.
  private var entityStatements: [Statement?]
  private var elementStatements: [Statement?]
  private var bookkeeping: [String: (statement: Statement, width: Int)] = [:]
  private var positionStatements: [Int: Statement] = [:]
  private let bookkeepingRow = RowBuffer(capacity: 8)

  init(path: String, layout: RelationalLayout, withProvenance: Bool) throws(StoreError) {
    database = try Database(path: path)
    self.layout = layout
    entityStatements = Array(repeating: nil, count: layout.entities.count)
    elementStatements = Array(repeating: nil, count: layout.elementTables.count)
    // The file is private until it is published: a crash costs nothing but time, so there is
    // nothing to keep a journal for. It is synced as a whole at the end.
    try database.execute(
      """
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -16384;
      PRAGMA foreign_keys = OFF;
      BEGIN;
      """)
    let own = RelationalLayout.bookkeepingTables(withProvenance: withProvenance)
    for table in own + layout.entities.map(\.table) + layout.elementTables.map(\.table) {
      try database.execute(table.creation)
    }
    for table in own {
      bookkeeping[table.name] = (try database.prepare(table.insertion), table.columns.count)
    }
  }

  /// Inserts a row of an entity.
  func insert(_ row: RowBuffer, entity: Int) throws(StoreError) {
    let table = layout.entities[entity].table
    if entityStatements[entity] == nil {
      entityStatements[entity] = try database.prepare(table.insertion)
    }
    try entityStatements[entity]?.run(row, count: table.columns.count)
  }

  /// Inserts an element of a collection.
  func insert(_ row: RowBuffer, elementTable: Int) throws(StoreError) {
    let table = layout.elementTables[elementTable].table
    if elementStatements[elementTable] == nil {
      elementStatements[elementTable] = try database.prepare(table.insertion)
    }
    try elementStatements[elementTable]?.run(row, count: table.columns.count)
  }

  /// Inserts an element of a collection that no object holds under a key.
  func insertCollectionElement(_ row: RowBuffer) throws(StoreError) {
    let table = RelationalLayout.collectionElements.table
    guard let entry = bookkeeping[table.name] else { return }
    try entry.statement.run(row, count: entry.width)
  }

  /// Inserts a row of one of the store's own tables.
  func insert(
    into table: String, _ fill: (RowBuffer) -> Void
  ) throws(StoreError) {
    guard let entry = bookkeeping[table] else { return }
    bookkeepingRow.clear(entry.width)
    fill(bookkeepingRow)
    try entry.statement.run(bookkeepingRow, count: entry.width)
  }

  /// Sets a member's position in its owner's collection, after the member was written.
  func setPosition(
    entity: Int, column: Int, row: Int64, position: Int64
  ) throws(StoreError) {
    let statement: Statement
    if let known = positionStatements[entity << 16 | column] {
      statement = known
    } else {
      let table = layout.entities[entity].table
      let name = SQL.quoted(table.columns[column].name)
      statement = try database.prepare(
        "UPDATE \(SQL.quoted(table.name)) SET \(name) = ? WHERE id = ?")
      positionStatements[entity << 16 | column] = statement
    }
    bookkeepingRow.clear(2)
    bookkeepingRow.set(0, position)
    bookkeepingRow.set(1, row)
    try statement.run(bookkeepingRow, count: 2)
  }

  /// Builds the indexes and ends the transaction.
  ///
  /// The writer is of no use afterwards.
  func finish() throws(StoreError) {
    for index in layout.indexes + RelationalLayout.bookkeepingIndexes {
      try database.execute(index.creation)
    }
    try database.execute("COMMIT;")
    entityStatements = []
    elementStatements = []
    bookkeeping = [:]
    positionStatements = [:]
  }
}
