import ArchiveReader
import Stores

/// Writes the rows of a new store: one prepared statement for each table, one transaction.
///
/// Rows are gathered in batches and inserted on another thread: see `InsertionQueue`.
package final class StoreWriter {
  let layout: RelationalLayout
  let queue: InsertionQueue
  /// The store's own tables.
  let own: [Table]
  /// The numbers of the tables: those of the store itself, of the entities, and of elements.
  private let ownTables: [String: Int]
  private let widths: [Int]
  private let firstTable: Int
  private let firstElementTable: Int
  /// The batches of a writer that gathers them; nil for the one that hands them over to the store.
  var gathered: GatheredRows?
  /// The rows of the store's own tables, of entities, and of elements of collections.
  private let bookkeepingRow: RowBuffer
  let row: RowBuffer
  let elementRow: RowBuffer
  private let keepsCheckpoints: Bool
  private let isSearchable: Bool
  /// The archive whose rows are being inserted.
  private var archive: (any GraphSource)?
  /// The number of archives up to it.
  private var archiveCount = 0
  /// For each column that is changed later than its row, the number of the statement.
  private var updates: [ColumnID: Int] = [:]

  /// The time that archives are said to be converted at, in seconds since 1970; nil for that of the
  /// clock.
  package var convertedAt: Int?
  /// The time that was written last: archives of one second have the same.
  var lastInstant: (second: Int, text: String)?

  /// The number of rows of each table that have something in each column.
  // Not checked for exclusive access, since each row is counted. That is safe: what counts it reads
  // the row, and nothing else.
  @safe @exclusivity(unchecked) private var fill: ColumnFill
  private var growingIndexes: GrowingIndexes

  private struct ColumnID: Hashable {
    var table: Int
    var column: Int
  }

  /// - Parameters:
  ///   - layout: The tables of entities.
  ///   - own: The store's own tables.
  ///   - queue: The queue that inserts the rows.
  ///   - fill: Counts values.
  ///   - keepsCheckpoints: True if what is done is kept now and then.
  ///   - growing: The indexes that grow with the rows.
  ///   - isSearchable: Whether texts get a table by which they are found.
  ///   - gathers: Whether rows are gathered rather than handed over.
  init(
    _ layout: RelationalLayout, own: [Table], _ queue: InsertionQueue, _ fill: ColumnFill,
    keepsCheckpoints: Bool, _ growing: GrowingIndexes, isSearchable: Bool = false,
    gathers: Bool
  ) {
    self.isSearchable = isSearchable
    growingIndexes = growing
    self.layout = layout
    self.own = own
    self.queue = queue
    self.fill = fill
    self.keepsCheckpoints = keepsCheckpoints
    gathered = gathers ? GatheredRows() : nil
    ownTables = Dictionary(uniqueKeysWithValues: zip(own.map(\.name), own.indices))
    widths = layout.allTables(after: own).map(\.columns.count)
    firstTable = own.count
    firstElementTable = own.count + layout.tables.count
    bookkeepingRow = RowBuffer(queue.emptyBatch(), keepsInstants: layout.isAttached)
    row = RowBuffer(queue.emptyBatch(), keepsInstants: layout.isAttached)
    elementRow = RowBuffer(queue.emptyBatch(), keepsInstants: layout.isAttached)
  }

  /// Inserts the row of an entity that stands in `row`.
  func insert(entity: Int) throws(StoreError) {
    try insert(row, table: firstTable + layout.entities[entity].table)
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
  func keep(_ archive: any GraphSource) {
    self.archive = archive
    archiveCount += 1
    for row in [row, elementRow, bookkeepingRow] { row.copiesValues = !archive.keepsBytes }
  }

  /// Changes a column of a row that was inserted before.
  ///
  /// - Parameters:
  ///   - column: The number of the column.
  ///   - table: The number of the table among those of entities.
  ///   - id: The row.
  ///   - set: Sets column 0 of the buffer to the new value.
  /// - Throws: An error that an earlier row met.
  func update(
    _ column: Int, of table: Int, row id: Int64, _ set: (RowBuffer) -> Void
  ) throws(StoreError) {
    let place = ColumnID(table: table, column: column)
    let statement: Int
    if let known = updates[place] {
      statement = known
    } else {
      let declared = layout.tables[table]
      let name = SQL.quoted(declared.columns[column].name)
      statement = queue.add(
        statement: "UPDATE \(SQL.quoted(declared.name)) SET \(name) = ? "
          + "WHERE \(declared.quotedKey) = ?",
        changing: column, of: firstTable + table)
      updates[place] = statement
    }
    fill.forget(column: column, table: firstTable + table)
    try giveUp(growingIndexes.noteChange(column: column, table: firstTable + table))
    row.clear(2)
    set(row)
    row.set(1, id)
    try end(row, statement: statement, count: 2)
  }

  /// The number of rows of an entity's table with something in a column; nil where it is not known.
  package func filled(_ column: Int, ofTable table: Int) -> Int? {
    fill.count(column: column, table: firstTable + table)
  }

  /// The number of rows of a table of elements with something in a column; nil where it is not
  /// known.
  package func filled(_ column: Int, ofElements table: Int) -> Int? {
    fill.count(column: column, table: firstElementTable + table)
  }

  /// Gives up counting what is in columns, since others have prepared rows.
  func forgetFill() { fill.forgetAll() }

  private func insert(_ row: RowBuffer, table: Int) throws(StoreError) {
    fill.note(row, table: table)
    try giveUp(growingIndexes.note(row, table: table))
    try end(row, statement: table, count: widths[table])
  }

  /// Removes indexes, which are built when all rows are there.
  private func giveUp(_ indexes: [String]) throws(StoreError) {
    guard !indexes.isEmpty else { return }
    try queue.submit { (database) throws(StoreError) in
      for name in indexes { try database.execute("DROP INDEX \(SQL.quoted(name));") }
    }
  }

  private func end(_ row: RowBuffer, statement: Int, count: Int) throws(StoreError) {
    let batch = row.batch
    if batch.archiveCount != archiveCount, let archive {
      batch.keep(archive, number: archiveCount)
    }
    batch.end(table: statement, count: count)
    if queue.isFull(batch) { try submit(row) }
  }

  /// Runs a statement that changes the store, when all rows are there.
  func change(_ sql: String, _ parameters: [StoredValue] = []) throws(StoreError) {
    fill.forgetAll()
    _ = try query(sql, parameters)
  }

  /// Runs a statement that changes nothing, when all rows are in the store; returns the rows that
  /// it gives.
  package func query(
    _ sql: String, _ parameters: [StoredValue] = []
  ) throws(StoreError) -> [[StoredValue]] {
    try settle()
    var rows: [[StoredValue]] = []
    try queue.withDatabase { (database) throws(StoreError) in
      rows = try database.rows(sql, parameters)
    }
    return rows
  }

  /// Works on the database when all rows are in the store.
  package func withDatabase(_ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
    try settle()
    fill.forgetAll()
    try queue.withDatabase(body)
  }

  /// What was lost of values in the form of their columns, as far as these have them still, when all
  /// rows are there.
  package func formLosses() throws(StoreError) -> FormLosses {
    try settle()
    var losses = queue.losses
    var statements: [String: Statement] = [:]
    try queue.withDatabase { (database) throws(StoreError) in
      for (place, loss) in losses.listed {
        let key = "\(place.column) \(place.table)"
        if statements[key] == nil { statements[key] = try statement(for: place, database) }
        guard let statement = statements[key] else { continue }
        if try statement.rows([.integer(place.row), loss.stored]).isEmpty {
          losses.listed[place] = nil
        }
      }
    }
    return losses
  }

  /// A statement that finds a row by its key and what a column has.
  private func statement(
    for place: FormLosses.Place, _ database: Database
  ) throws(StoreError) -> Statement? {
    let tables = layout.allTables(after: own)
    guard let table = tables.first(where: { $0.name == place.table }) else { return nil }
    return try database.prepare(
      "SELECT 1 FROM \(SQL.quoted(table.name)) WHERE \(table.quotedKey) = ? "
        + "AND \(SQL.quoted(table.columns[place.column].name)) IS ?")
  }

  private func submit(_ row: RowBuffer) throws(StoreError) {
    guard !row.batch.isEmpty else { return }
    let batch = row.batch
    row.exchange(for: queue.emptyBatch())
    guard gathered != nil else { return try queue.submit(batch) }
    try gathered?.add(batch)
  }

  /// Hands over all rows.
  func submitAll() throws(StoreError) {
    for row in [bookkeepingRow, row, elementRow] { try submit(row) }
  }

  /// Gives up the rows that were not handed over.
  func clearRows() {
    for row in [bookkeepingRow, row, elementRow] {
      row.batch.empty()
      row.clear(0)
    }
  }

  /// Waits until all rows are in the store.
  private func settle() throws(StoreError) {
    try submitAll()
    try queue.drain()
  }

  /// Waits until what was handed over is done, with an error or without.
  package func wait() { queue.wait() }

  /// Sets members' positions in their owners' collections, after the members were written.
  func setPositions(_ updates: [PositionUpdate]) throws(StoreError) {
    for update in updates {
      let table = layout.entities[update.entity].table
      try self.update(update.column, of: table, row: update.row) { $0.set(0, update.position) }
    }
  }

  /// Builds the indexes and ends the transaction.
  ///
  /// The writer is of no use afterwards.
  package func finish() throws(StoreError) {
    try beginFinishing()
    try endFinishing()
  }

  /// Begins to finish, on the queue's thread.
  package func beginFinishing() throws(StoreError) {
    archive = nil
    try submitAll()
    try queue.submit {
      [layout, own, keepsCheckpoints, isSearchable] (database) throws(StoreError) in
      // Its pages are free for the indexes.
      if keepsCheckpoints {
        try database.execute("DROP TABLE IF EXISTS \(RelationalLayout.checkpointTable);")
      }
      // Of rows that go into another store, indexes and views are of no use.
      if !layout.isAttached { try Self.addIndexesAndViews(of: layout, own, to: database) }
      if isSearchable { try SearchTable.make(in: database) }
      // The read lets go of the file, so that a verification may open it.
      try database.execute(
        "COMMIT; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema;")
    }
  }

  private static func addIndexesAndViews(
    of layout: RelationalLayout, _ ownTables: [Table], to database: Database
  ) throws(StoreError) {
    // An index that is built now is sorted in memory.
    try database.execute("PRAGMA cache_size = -16384;")
    for index in layout.indexes + RelationalLayout.bookkeepingIndexes(on: ownTables) {
      try database.execute(index.creation)
    }
    for view in layout.views { try database.execute(view.creation) }
    for view in layout.queries { try database.execute(view.creation) }
    for view in try SuperclassViews(database).views { try database.execute(view.creation) }
  }

  /// Waits until the store is finished.
  package func endFinishing() throws(StoreError) {
    try queue.drain()
    queue.finish()
  }
}

extension StoreWriter {
  /// The position of a member that was written before its owner.
  struct PositionUpdate {
    var entity: Int
    var column: Int
    var row: Int64
    var position: Int64
  }
}
