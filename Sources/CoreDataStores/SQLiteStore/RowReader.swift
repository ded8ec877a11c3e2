internal import CSQLite
import Foundation
import GraphCore
import Stores

extension SQLiteStoreGraph {
  /// Reads the rows of one table of entities for a graph: in blocks where they are asked for one
  /// after the other, else one by one.
  final class RowReader {
    private let table: StoreLayout.Table
    private let index: TableIndex
    private let database: Database
    private let pool: RowBlock.Pool
    /// No row has more bytes than the files of the store, whatever a damaged one says.
    private let maxRowSize: Int
    private var statement: Statement?
    /// The rows that were read last.
    private(set) var block: RowBlock?
    /// The row that was asked for last.
    private var lastRank = -2
    /// The row that the statement comes to next, if it is known.
    private var nextRank: Int?
    private var isWaiting = false
    /// The number of rows that are read at once.
    private var batch = 1

    /// The most rows that are read at once.
    private static let maxBatch = 256
    /// Values beyond this are read in parts, so that SQLite does not hold them in memory.
    static let largestValue = 1 << 20
    /// The columns before those of the properties: the key, and the number of the entity.
    static let headCount = 2

    /// Prepares to read a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - index: The rows of it that are read.
    ///   - database: A connection to the store.
    ///   - pool: The pool of memory for rows.
    ///   - maxRowSize: The greatest size of a row, in bytes: that of the files of the store.
    init(
      _ table: StoreLayout.Table, _ index: TableIndex, _ database: Database, _ pool: RowBlock.Pool,
      maxRowSize: Int
    ) {
      (self.table, self.index, self.database, self.pool) = (table, index, database, pool)
      self.maxRowSize = maxRowSize
    }

    deinit { if let block { pool.retire(block) } }

    /// The cells of a row, those of the properties after the head; `block` has them.
    ///
    /// - Throws: `ArchiveError` if the row cannot be read.
    func row(_ rank: Int) throws(ArchiveError) -> StoredRow {
      if rank != lastRank { pool.tick() }
      if let block, let cells = block.row(rank) {
        lastRank = rank
        block.lastUse = pool.time
        return cells
      }
      // Between the rows that have numbers there may be others.
      let isNext = rank == nextRank && rank == lastRank + 1 && !index.hasGaps
      batch = isNext ? min(batch * 4, Self.maxBatch) : 1
      lastRank = rank
      if let block { pool.retire(block) }
      block = nil
      let loaded: RowBlock
      do throws(StoreError) {
        loaded = try load(rank, continues: isNext)
      } catch {
        nextRank = nil
        throw ArchiveError(.unreadable, name: error.reason)
      }
      block = loaded
      guard let cells = loaded.row(rank), cells[0].integer == index.key(rank) else {
        nextRank = nil
        throw ArchiveError(.unreadable, name: "the row is not where it was")
      }
      loaded.lastUse = pool.time
      return cells
    }

    // MARK: Blocks

    private func load(_ rank: Int, continues: Bool) throws(StoreError) -> RowBlock {
      let statement = try prepared()
      if !continues {
        try statement.begin([.integer(index.rowID(rank))])
        isWaiting = false
      }
      nextRank = nil
      let columnCount = table.columns.count + Self.headCount
      let block: RowBlock
      if batch > 1 {
        block = RowBlock(
          firstRank: rank, columnCount: columnCount, rows: batch, in: pool.takeMemory())
      } else {
        block = try emptyBlock(rank, columnCount, 0)
      }
      let filled = Result { () throws(StoreError) in try fill(block, statement) }
      if block.row(rank) != nil {
        // Damage in a row further on, or one that is too large, is met when that row is asked for.
        let result = try? filled.get().result
        if keepExpectedRows(block), let result, result != csq_fill_end {
          nextRank = rank + block.rowCount
        }
        return block
      }
      pool.free(block)
      let (result, needed) = try filled.get()
      guard result != nil else { return try largeRow(rank) }
      let single = try emptyBlock(rank, columnCount, isWaiting ? needed : 0)
      guard let result = try fill(single, statement).result else { return try largeRow(rank) }
      if result != csq_fill_end { nextRank = rank + 1 }
      return single
    }

    private func fill(
      _ block: RowBlock, _ statement: Statement
    ) throws(StoreError) -> (result: csq_fill_result?, needed: Int) {
      let filled = try block.fill(from: statement, isWaiting: isWaiting)
      isWaiting = filled.result == csq_fill_waiting
      return filled
    }

    /// Keeps those rows of a block that are expected.
    ///
    /// - Returns: True if these are all.
    private func keepExpectedRows(_ block: RowBlock) -> Bool {
      var count = 0
      while let cells = block.row(block.firstRank + count) {
        let rank = block.firstRank + count
        guard rank < index.count, cells[0].integer == index.key(rank) else { break }
        count += 1
      }
      let isWhole = block.row(block.firstRank + count) == nil
      block.keep(count)
      return isWhole
    }

    private func emptyBlock(
      _ rank: Int, _ columnCount: Int, _ byteCount: Int
    ) throws(StoreError) -> RowBlock {
      do throws(ArchiveError) {
        return try RowBlock(rank: rank, columnCount: columnCount, byteCount: byteCount)
      } catch {
        throw StoreError(
          .unreadable, path: database.path, reason: "no room for a large row: \(error)")
      }
    }

    /// The columns of a row, in SQL.
    private var columns: [String] {
      [SQL.quoted(table.key), table.entityNumber]
        + table.columns.indices.map { table.expressions[$0] ?? SQL.quoted(table.columns[$0]) }
    }

    private func prepared() throws(StoreError) -> Statement {
      if let statement { return statement }
      let made = try database.prepare(
        """
        SELECT \(columns.joined(separator: ", ")) FROM \(SQL.quoted(table.name))
          NOT INDEXED WHERE _rowid_ >= ? ORDER BY _rowid_
        """)
      statement = made
      return made
    }

    // MARK: Large rows

    /// Reads a row that has a very large value: the sizes first, then value by value.
    private func largeRow(_ rank: Int) throws(StoreError) -> RowBlock {
      let key = index.rowID(rank)
      let names = [table.key, CoreDataLayout.entityColumn] + table.columns
      var parts: [RowBlock.Part] = []
      var total = 0
      for (name, column) in zip(names, columns) {
        let found = try database.rows(
          """
          SELECT typeof(\(column)),
              CASE WHEN typeof(\(column)) IN ('text', 'blob') THEN NULL ELSE \(column) END
            FROM \(SQL.quoted(table.name)) NOT INDEXED WHERE _rowid_ = ?
          """, [.integer(key)])
        guard let row = found.first else {
          throw StoreError(.unreadable, path: database.path, reason: "the row is not where it was")
        }
        let isText = row[0] == .text("text")
        guard isText || row[0] == .text("blob") else {
          parts.append(.value(row[1]))
          continue
        }
        let size = try database.sizeOfLargeValue(name, table.name, row: key)
        parts.append(.bytes(isText ? csq_kind_text : csq_kind_blob, count: size))
        // Each is less than 2 GiB, and there are 2,000 columns at most.
        total += size
      }
      guard total <= maxRowSize else {
        throw StoreError(.unreadable, path: database.path, reason: "the row is damaged")
      }
      let block = try emptyBlock(rank, names.count, total)
      try unsafe block.setRow(parts) { (column, room) throws(StoreError) in
        try unsafe database.readLargeValue(names[column], table.name, row: key, into: room)
      }
      return block
    }
  }
}
