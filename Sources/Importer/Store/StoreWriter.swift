import ArchiveReader

/// Writes the rows of a new store: one prepared statement for each table, one transaction.
///
/// Rows are gathered in batches and inserted on another thread: see `InsertionQueue`.
final class StoreWriter {
  private let layout: RelationalLayout
  private let queue: InsertionQueue
  /// The numbers of the tables: those of the store itself, of the entities, and of elements.
  private let ownTables: [String: Int]
  private let widths: [Int]
  private let firstEntity: Int
  private let firstElementTable: Int
  /// The rows of the store's own tables, of entities, and of elements of collections.
  private let bookkeepingRow: RowBuffer
  let row: RowBuffer
  let elementRow: RowBuffer
  /// The archive whose rows are being inserted.
  private var archive: KeyedArchive?

  init(path: String, layout: RelationalLayout, withProvenance: Bool) throws(StoreError) {
    self.layout = layout
    let own = RelationalLayout.bookkeepingTables(withProvenance: withProvenance)
    let tables = own + layout.entities.map(\.table) + layout.elementTables.map(\.table)
    ownTables = Dictionary(uniqueKeysWithValues: zip(own.map(\.name), own.indices))
    widths = tables.map(\.columns.count)
    firstEntity = own.count
    firstElementTable = own.count + layout.entities.count
    let database = try Database(path: path)
    queue = InsertionQueue(database, tables: tables)
    bookkeepingRow = RowBuffer(queue.emptyBatch())
    row = RowBuffer(queue.emptyBatch())
    elementRow = RowBuffer(queue.emptyBatch())
    // The file is private until it is published: a crash costs nothing but time, so there is
    // nothing to keep a journal for. It is synced as a whole at the end.
    try queue.withDatabase { (database) throws(StoreError) in
      try database.execute(
        """
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -16384;
        PRAGMA foreign_keys = OFF;
        BEGIN;
        """)
      for table in tables { try database.execute(table.creation) }
    }
  }

  /// Inserts the row of an entity that stands in `row`.
  func insert(entity: Int) throws(StoreError) {
    try insert(row, table: firstEntity + entity)
  }

  /// Inserts the element of a collection that stands in `elementRow`.
  func insert(elementTable: Int) throws(StoreError) {
    try insert(elementRow, table: firstElementTable + elementTable)
  }

  /// Inserts the element of a collection that no object holds under a key, in `elementRow`.
  func insertCollectionElement() throws(StoreError) {
    guard let table = ownTables[RelationalLayout.collectionElementTable] else { return }
    try insert(elementRow, table: table)
  }

  /// Inserts a row of one of the store's own tables.
  func insert(into name: String, _ fill: (RowBuffer) -> Void) throws(StoreError) {
    guard let table = ownTables[name] else { return }
    bookkeepingRow.clear(widths[table])
    fill(bookkeepingRow)
    try insert(bookkeepingRow, table: table)
  }

  /// Keeps an archive in memory until the rows that are inserted from now on are in the store:
  /// their values stay where they are in it.
  func keep(_ archive: KeyedArchive) {
    self.archive = archive
  }

  private func insert(_ row: RowBuffer, table: Int) throws(StoreError) {
    if let archive { row.batch.keep(archive) }
    row.batch.end(table: table, count: widths[table])
    if queue.isFull(row.batch) { try submit(row) }
  }

  private func submit(_ row: RowBuffer) throws(StoreError) {
    guard !row.batch.isEmpty else { return }
    let batch = row.batch
    row.exchange(for: queue.emptyBatch())
    try queue.submit(batch)
  }

  /// Waits until all rows are in the store.
  private func settle() throws(StoreError) {
    for row in [bookkeepingRow, row, elementRow] { try submit(row) }
    try queue.drain()
  }

  /// Sets members' positions in their owners' collections, after the members were written.
  func setPositions(_ updates: [PositionUpdate]) throws(StoreError) {
    guard !updates.isEmpty else { return }
    try settle()
    try queue.withDatabase { [layout, bookkeepingRow] (database) throws(StoreError) in
      var statements: [Int: Statement] = [:]
      for update in updates {
        let table = layout.entities[update.entity].table
        let place = update.entity * RelationalLayout.mostColumns + update.column
        if statements[place] == nil {
          let name = SQL.quoted(table.columns[update.column].name)
          statements[place] = try database.prepare(
            "UPDATE \(SQL.quoted(table.name)) SET \(name) = ? WHERE id = ?")
        }
        bookkeepingRow.clear(2)
        bookkeepingRow.set(0, update.position)
        bookkeepingRow.set(1, update.row)
        try statements[place]?.run(bookkeepingRow.batch.begun, count: 2)
      }
    }
  }

  /// Builds the indexes and ends the transaction.
  ///
  /// The writer is of no use afterwards.
  func finish() throws(StoreError) {
    archive = nil
    try settle()
    try queue.withDatabase { [layout] (database) throws(StoreError) in
      for index in layout.indexes + RelationalLayout.bookkeepingIndexes {
        try database.execute(index.creation)
      }
      try database.execute("COMMIT;")
    }
    queue.finish()
  }
}

/// The position of a member that was written before its owner.
struct PositionUpdate {
  var entity: Int
  var column: Int
  var row: Int64
  var position: Int64
}
