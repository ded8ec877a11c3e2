import ArchiveReader
import Stores
import Support
import Synchronization

/// Inserts batches of rows on a thread of its own, while the next ones are gathered.
///
/// All access to the database goes through its queue, one piece of work at a time.
///
/// Unchecked: what is not a lock is touched on the queue alone.
final class InsertionQueue: @unchecked Sendable {
  private let queue = WorkQueue()
  /// The greatest number of batches that wait, so that memory stays bounded if the disk is slow.
  private static let maxBatches = 3
  /// The same for groups of batches, which are in memory already.
  private static let maxGroups = 1
  private let failure = Mutex<StoreError?>(nil)
  private let emptyBatches = Mutex<[RowBatch]>([])
  private let widest: Int

  // Touched on the queue only.
  private let database: Database
  private let rowsInMemory: Database.RowsInMemory
  private var statements: [Statement?]
  /// The statements that rows are run with: the insertions into the tables, and further ones, each
  /// with the index of the table and, of one that changes a row, the column.
  private let sql: Mutex<[(text: String, table: Int, column: Int)]>
  private let idColumns: IDColumns
  /// For each table, the forms of its columns; none where all of all tables are plain.
  private let forms: [[Form]]
  /// What was lost by these so far: read when all batches are in the store.
  private(set) var losses: FormLosses
  private let tables: [Table]

  private let beginSync: (@Sendable () -> Void)?
  /// The number of batches that were inserted.
  private var batchCount = 0
  /// After how many of them the disk begins with what is there: some megabytes.
  private static let batchesUnsynced = 64

  /// - Parameters:
  ///   - database: The store.
  ///   - tables: Its tables.
  ///   - idColumns: Those of their columns that hold ids.
  ///   - forms: For each table, the forms of its columns; none where all of all tables are plain.
  ///   - maxLosses: How many values can be listed of which something is lost by that.
  ///   - beginSync: Has the disk begin with what is in the file, without waiting for it.
  /// - Throws: `StoreError` of SQLite's.
  init(
    _ database: Database, tables: [Table], _ idColumns: IDColumns, forms: [[Form]],
    maxLosses: Int, beginSync: (@Sendable () -> Void)?
  ) throws(StoreError) {
    self.database = database
    self.beginSync = beginSync
    self.tables = tables
    sql = Mutex(tables.enumerated().map { ($1.insertion, $0, 0) })
    (self.idColumns, self.forms) = (idColumns, forms)
    losses = FormLosses(maxListed: maxLosses)
    statements = Array(repeating: nil, count: tables.count)
    widest = tables.map(\.columns.count).max() ?? 0
    rowsInMemory = try database.addRowsInMemory(widest: widest)
  }

  /// Adds a statement that changes a column of a row, whose id is the second value; returns its
  /// index, which stands for a table's.
  func add(statement: String, changing column: Int, of table: Int) -> Int {
    sql.withLock {
      $0.append((statement, table, column))
      return $0.count - 1
    }
  }

  /// The origins for the ids of rows that come after the last ones of the store.
  func origins(
    after last: LastRows, archive: Int64, _ layout: RelationalLayout
  ) -> IDColumns.Origins {
    idColumns.origins(after: last, archive: archive, layout)
  }

  /// The columns of a table's rows in SQL: see `IDColumns.expressions(of:number:behind:)`.
  func expressions(
    of table: Table, number: Int, behind origins: IDColumns.Origins
  ) -> [(name: String, value: String)] {
    idColumns.expressions(of: table, number: number, behind: origins)
  }

  /// A batch without rows.
  func emptyBatch() -> RowBatch {
    emptyBatches.withLock { $0.popLast() } ?? RowBatch(widest: widest)
  }

  /// Takes a batch back, whose rows are inserted or are not to be.
  func takeBack(_ batch: RowBatch) {
    batch.empty()
    emptyBatches.withLock { $0.append(batch) }
  }

  /// True if a batch has to be submitted before the next row.
  func isFull(_ batch: RowBatch) -> Bool { batch.isFull(widest: widest) }

  /// Takes a batch over.
  ///
  /// Throws an error that an earlier one met.
  func submit(_ batch: RowBatch) throws(StoreError) {
    queue.submit(waitingAtMost: Self.maxBatches) { [self] in insertUnlessFailed(batch) }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Takes batches over that were gathered together.
  ///
  /// Throws an error that an earlier one met.
  func submit(_ batches: [RowBatch]) throws(StoreError) {
    queue.submit(waitingAtMost: Self.maxGroups) { [self] in
      for batch in batches { insertUnlessFailed(batch) }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private func insertUnlessFailed(_ batch: RowBatch) {
    if failure.withLock({ $0 == nil }) {
      do throws(StoreError) {
        try insert(batch)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    takeBack(batch)
  }

  /// Works on the database when all batches up to now are in the store, without waiting for it.
  ///
  /// Throws an error that an earlier one met.
  func submit(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> Void
  ) throws(StoreError) {
    queue.submit { [self] in
      guard failure.withLock({ $0 == nil }) else { return }
      do throws(StoreError) {
        try body(database)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Waits until all batches are in the store.
  ///
  /// Throws an error that one of them met.
  func drain() throws(StoreError) {
    queue.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Works on the database when all batches are in the store.
  func withDatabase(_ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
    // Whoever submits batches waits here: the thread has nothing to do meanwhile.
    try drain()
    try body(database)
  }

  /// Waits until what was handed over is done, with an error or without.
  func wait() { queue.wait() }

  /// Gives up all statements, so that the database can be closed.
  func finish() {
    queue.wait()
    statements = []
  }

  private func insert(_ batch: RowBatch) throws(StoreError) {
    batch.moveIDs(idColumns, tables: tables.count) { index in sql.withLock { $0[index].table } }
    try batch.forEach(
      tables: tables.count,
      insert: { (table, rows) throws(StoreError) in
        let lost = bind(rows, table, batch.bytes)
        try rows.run(statement(table), rowsInMemory)
        try note(lost, of: rows.count, table)
      },
      run: { (index, cells) throws(StoreError) in
        if !forms.isEmpty {
          let (_, table, column) = sql.withLock { $0[index] }
          cells.bind([forms[table][column]], batch.bytes) { _, loss in
            losses.add(
              loss,
              at: .init(table: tables[table].name, column: column, row: cells.integer(at: 1) ?? 0))
          }
        }
        try cells.run(statement(index))
      })
    batchCount += 1
    if batchCount.isMultiple(of: Self.batchesUnsynced) { beginSync?() }
  }

  /// A value of a row, by its index among those inserted with it, of which something was lost.
  private typealias LostValue = (index: Int, key: Int64?, column: Int, loss: FormLosses.Loss)

  private func bind(_ rows: RowCells.List, _ table: Int, _ bytes: RowBatch.Bytes) -> [LostValue] {
    guard !forms.isEmpty else { return [] }
    var lost: [LostValue] = []
    rows.forEach(forms[table].count) { index, cells in
      cells.bind(forms[table], bytes) { lost.append((index, cells.integer(at: 0), $0, $1)) }
    }
    return lost
  }

  /// Notes losses of rows that were inserted just now.
  private func note(_ lost: [LostValue], of count: Int, _ table: Int) throws(StoreError) {
    guard !lost.isEmpty else { return }
    var first: Int64?
    if tables[table].numbersRows,
      case .integer(let last) = try database.rows("SELECT last_insert_rowid()").first?.first
    {
      first = last - Int64(count) + 1
    }
    for value in lost {
      let row = first.map { $0 + Int64(value.index) } ?? value.key ?? 0
      losses.add(value.loss, at: .init(table: tables[table].name, column: value.column, row: row))
    }
  }

  private func statement(_ index: Int) throws(StoreError) -> Statement {
    while statements.count <= index { statements.append(nil) }
    if let known = statements[index] { return known }
    let prepared = try database.prepare(sql.withLock { $0[index].text })
    statements[index] = prepared
    return prepared
  }
}

/// The last rows that were handed out.
package struct LastRows: Sendable, Equatable {
  /// For each table, the id of its last row.
  package var ids: [Int64]
  /// The id of the last row of `_collection`.
  package var collection: Int64

  package init(ids: [Int64], collection: Int64) {
    (self.ids, self.collection) = (ids, collection)
  }

  /// The last rows, where others come after these that count from 1 on.
  package func followed(by other: LastRows) -> LastRows {
    LastRows(ids: zip(ids, other.ids).map(+), collection: collection + other.collection)
  }
}

extension RowBatch {
  /// Rows on their way into the store, sorted by their tables.
  struct SortedRows {
    /// For each table, its rows in their order.
    private(set) var rows: [RowCells.List] = []
    /// The tables that have rows, in the order of their first ones.
    private(set) var tables: [Int] = []

    mutating func add(_ row: RowCells, table: Int) {
      while rows.count <= table { rows.append(RowCells.List()) }
      if rows[table].isEmpty { tables.append(table) }
      rows[table].append(row)
    }

    mutating func removeAll() {
      for table in tables { rows[table].removeAll() }
      tables.removeAll(keepingCapacity: true)
    }
  }
}
