import ArchiveReader

/// Writes the rows of a new store: one prepared statement for each table, one transaction.
///
/// Rows are gathered in batches and inserted on another thread: see `InsertionQueue`.
final class StoreWriter {
  private let layout: RelationalLayout
  private let queue: InsertionQueue
  /// The numbers of the tables: those of the store itself, of the entities, and of elements.
  private let own: [Table]
  private let ownTables: [String: Int]
  private let widths: [Int]
  private let firstTable: Int
  private let firstElementTable: Int
  /// Where the batches of a writer stay that gathers them; nil for the one that hands them over to
  /// the store.
  private var gathered: [RowBatch]?
  private var gatheredBytes = 0
  /// The rows of the store's own tables, of entities, and of elements of collections.
  private let bookkeepingRow: RowBuffer
  let row: RowBuffer
  let elementRow: RowBuffer
  private let keepsCheckpoints: Bool
  /// The archive whose rows are being inserted.
  private var archive: KeyedArchive?
  /// For each column that is changed later than its row, the number of the statement.
  private var updates: [ColumnPlace: Int] = [:]

  /// The time that was written last: archives of one second have the same.
  var lastInstant: (second: Int, text: String)?

  /// How many rows of each table have something in each column.
  private var fill: ColumnFill

  private struct ColumnPlace: Hashable {
    var table: Int
    var column: Int
  }

  /// - Parameters:
  ///   - path: The file: empty, or a store that rows are added to.
  ///   - layout: The tables.
  ///   - withProvenance: Whether to record which object each row was.
  ///   - withNesting: Whether to record which archive held which.
  ///   - start: What is in the file.
  ///   - keepsCheckpoints: Whether what is done is kept now and then.
  ///   - countsValues: Whether the values of columns are to be counted: see `filled`.
  ///   - archiveBytes: How large the archives are together.
  ///   - keepsIndexes: Whether indexes of a new store are kept up from the beginning: rows come nearly
  ///     in their order then. Otherwise they are built at the end.
  /// - Throws: What SQLite says, or that the store does not fit.
  init(
    path: String, layout: RelationalLayout, withProvenance: Bool, withNesting: Bool,
    start: Start = .empty, keepsCheckpoints: Bool = false, countsValues: Bool = false,
    archiveBytes: Int = 0, keepsIndexes: Bool = false
  ) throws(StoreError) {
    self.layout = layout
    let own = RelationalLayout.bookkeepingTables(
      withProvenance: withProvenance, withNesting: withNesting)
    let tables = own + layout.tables + layout.elementTables.map(\.table)
    self.own = own
    ownTables = Dictionary(uniqueKeysWithValues: zip(own.map(\.name), own.indices))
    widths = tables.map(\.columns.count)
    firstTable = own.count
    firstElementTable = own.count + layout.tables.count
    fill = ColumnFill(tables: tables, isKnown: countsValues && start == .empty)
    let database = try Database(path: path)
    queue = try InsertionQueue(database, tables: tables)
    bookkeepingRow = RowBuffer(queue.emptyBatch())
    row = RowBuffer(queue.emptyBatch())
    elementRow = RowBuffer(queue.emptyBatch())
    // The file is private until it is published: a crash costs nothing but time. Unless something
    // is to be kept then, there is nothing to have a journal for, and the file is synced once, as a
    // whole, at the end.
    //
    // With checkpoints, SQLite's journal takes a transaction back that was not completed. For power
    // losses it syncs in this order: the journal, before a page that it holds is written over; the
    // store, with the progress in it, before the journal is emptied, which completes the
    // transaction; then the journal. Most pages are new, and such are not in the journal.
    self.keepsCheckpoints = keepsCheckpoints
    try queue.withDatabase { (database) throws(StoreError) in
      try database.execute(
        """
        PRAGMA page_size = \(Self.pageSize(for: archiveBytes));
        PRAGMA journal_mode = \(keepsCheckpoints ? "TRUNCATE" : "OFF");
        PRAGMA synchronous = \(keepsCheckpoints ? "FULL" : "OFF");
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -16384;
        PRAGMA foreign_keys = OFF;
        BEGIN;
        """)
      switch start {
      case .empty:
        for table in tables { try database.execute(table.creation) }
        for index in keepsIndexes ? layout.allIndexes : [] { try database.execute(index.creation) }
      case .store: try ExistingStore(database).extend(with: layout, bookkeeping: own)
      case .checkpoint: break
      }
    }
  }

  /// A writer that gathers rows for the store of another, on another thread.
  ///
  /// - Parameter plan: What the other tells of itself.
  init(gatheringFor plan: GatheringPlan) {
    layout = plan.layout
    queue = plan.queue
    own = plan.own
    let tables = own + layout.tables + layout.elementTables.map(\.table)
    ownTables = Dictionary(uniqueKeysWithValues: zip(own.map(\.name), own.indices))
    widths = tables.map(\.columns.count)
    firstTable = own.count
    firstElementTable = own.count + layout.tables.count
    fill = ColumnFill(tables: tables, isKnown: false)
    bookkeepingRow = RowBuffer(queue.emptyBatch())
    row = RowBuffer(queue.emptyBatch())
    elementRow = RowBuffer(queue.emptyBatch())
    keepsCheckpoints = false
    gathered = []
  }

  /// What a writer needs to know that gathers rows for this one's store.
  var gatheringPlan: GatheringPlan {
    GatheringPlan(layout: layout, own: own, queue: queue)
  }

  /// The size of a new store's pages, in bytes: with large ones a large store is written in fewer
  /// steps; a small one would be mostly empty pages.
  private static func pageSize(for archiveBytes: Int) -> Int {
    archiveBytes < 16 << 20 ? 4_096 : 16_384
  }

  /// What is in the file that a writer begins with.
  enum Start {
    /// Nothing.
    case empty
    /// A store that rows are added to.
    case store
    /// A store under construction, as a run before left it.
    case checkpoint
  }

  // MARK: Checkpoints

  /// Completes the transaction, with the rows up to now and the progress, and begins another.
  ///
  /// - Parameters:
  ///   - progress: What is done.
  ///   - beginning: What tells one request from another, for a run that is to go on with this one: it
  ///     is written with the first checkpoint, and does not change.
  ///   - body: Called when it is kept, on the queue's thread.
  /// - Throws: An error that an earlier row met.
  func checkpoint(
    _ progress: Checkpoint.Progress, beginning: Checkpoint.Beginning?,
    _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    let content = try Checkpoint.encoded(progress)
    for row in [bookkeepingRow, row, elementRow] { try submit(row) }
    try queue.submit { (database) throws(StoreError) in
      if let beginning { try Checkpoint.begin(beginning, in: database) }
      try Checkpoint.write(content, in: database)
      try database.execute("COMMIT; BEGIN;")
      body()
    }
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
  func keep(_ archive: KeyedArchive) {
    self.archive = archive
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
    let place = ColumnPlace(table: table, column: column)
    let statement: Int
    if let known = updates[place] {
      statement = known
    } else {
      let declared = layout.tables[table]
      let name = SQL.quoted(declared.columns[column].name)
      statement = queue.add(
        statement: "UPDATE \(SQL.quoted(declared.name)) SET \(name) = ? WHERE id = ?")
      updates[place] = statement
    }
    fill.forget(column: column, table: firstTable + table)
    row.clear(2)
    set(row)
    row.set(1, id)
    try end(row, statement: statement, count: 2)
  }

  /// How many rows of an entity's table have something in a column; nil where it is not known.
  func filled(_ column: Int, ofTable table: Int) -> Int? {
    fill.count(column: column, table: firstTable + table)
  }

  /// How many rows of a table of elements have something in a column; nil where it is not known.
  func filled(_ column: Int, ofElements table: Int) -> Int? {
    fill.count(column: column, table: firstElementTable + table)
  }

  private func insert(_ row: RowBuffer, table: Int) throws(StoreError) {
    fill.note(row, table: table)
    try end(row, statement: table, count: widths[table])
  }

  private func end(_ row: RowBuffer, statement: Int, count: Int) throws(StoreError) {
    if let archive { row.batch.keep(archive) }
    row.batch.end(table: statement, count: count)
    if queue.isFull(row.batch) { try submit(row) }
  }

  /// Runs a statement that changes the store, when all rows are there.
  func change(_ sql: String, _ parameters: [StoredValue] = []) throws(StoreError) {
    fill.forgetAll()
    _ = try query(sql, parameters)
  }

  /// Runs a statement that changes nothing, when all rows are in the store; returns the rows that it
  /// gives.
  func query(
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
  func withDatabase(_ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
    try settle()
    fill.forgetAll()
    try queue.withDatabase(body)
  }

  private func submit(_ row: RowBuffer) throws(StoreError) {
    guard !row.batch.isEmpty else { return }
    let batch = row.batch
    row.exchange(for: queue.emptyBatch())
    guard gathered != nil else { return try queue.submit(batch) }
    gathered?.append(batch)
    gatheredBytes += batch.residentBytes
    guard gatheredBytes <= Self.mostGatheredBytes else {
      throw StoreError(.file, path: "", reason: "there are too many rows to gather")
    }
  }

  // MARK: Gathered rows

  /// How much memory batches may take that were gathered and not handed over.
  private static let mostGatheredBytes = 4 << 20

  /// Hands over the rows that were gathered.
  ///
  /// - Returns: The batches, whose rows are to be inserted in this order.
  /// - Throws: `StoreError` if they have become too many.
  func takeBatches() throws(StoreError) -> [RowBatch] {
    for row in [bookkeepingRow, row, elementRow] { try submit(row) }
    defer { (gathered, gatheredBytes) = ([], 0) }
    return gathered ?? []
  }

  /// Gives up the rows that were gathered.
  func discardBatches() {
    for row in [bookkeepingRow, row, elementRow] {
      row.batch.empty()
      row.clear(0)
    }
    for batch in gathered ?? [] { queue.takeBack(batch) }
    (gathered, gatheredBytes) = ([], 0)
  }

  /// Inserts rows that another writer has gathered, behind those of this one.
  func insert(_ batches: [RowBatch]) throws(StoreError) {
    for row in [bookkeepingRow, row, elementRow] { try submit(row) }
    for batch in batches { try queue.submit(batch) }
  }

  /// Waits until all rows are in the store.
  private func settle() throws(StoreError) {
    for row in [bookkeepingRow, row, elementRow] { try submit(row) }
    try queue.drain()
  }

  /// Waits until what was handed over is done, with an error or without.
  func wait() { queue.wait() }

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
  func finish() throws(StoreError) {
    try beginFinishing()
    try endFinishing()
  }

  /// Begins to finish, on the queue's thread.
  func beginFinishing() throws(StoreError) {
    archive = nil
    for row in [bookkeepingRow, row, elementRow] { try submit(row) }
    try queue.submit { [layout, keepsCheckpoints] (database) throws(StoreError) in
      // Its pages are free for the indexes.
      if keepsCheckpoints { try Checkpoint.end(in: database) }
      for index in layout.allIndexes { try database.execute(index.creation) }
      for view in layout.views { try database.execute(view.creation) }
      // The read lets go of the file, so that a verification may open it.
      try database.execute(
        "COMMIT; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema;")
    }
  }

  /// Waits until the store is finished.
  func endFinishing() throws(StoreError) {
    try queue.drain()
    queue.finish()
  }
}

extension StoreWriter {
  /// What a writer needs to know that gathers rows for another one's store: see
  /// `init(gatheringFor:)`.
  struct GatheringPlan: Sendable {
    fileprivate let layout: RelationalLayout
    fileprivate let own: [Table]
    fileprivate let queue: InsertionQueue
  }
}

/// The position of a member that was written before its owner.
struct PositionUpdate {
  var entity: Int
  var column: Int
  var row: Int64
  var position: Int64
}
