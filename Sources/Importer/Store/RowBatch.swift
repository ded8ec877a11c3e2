import ArchiveReader
import Stores

/// Rows on their way from the thread that reads archives to the one that writes the store.
///
/// Unchecked: a batch belongs to one thread at a time. `InsertionQueue` hands it over.
package final class RowBatch: @unchecked Sendable {
  private struct Row {
    /// The number of the statement: that of a table, or one that changes a row.
    var table: Int
    var start: Int
    var count: Int
  }

  /// The values of all rows, one row after the other.
  private let cells: Cells
  private var used = 0
  /// The number of cells of the row that was begun last.
  private var begun = 0
  // Not checked for exclusive access, since each row is added to it. That is safe: nothing else is
  // called meanwhile.
  @safe @exclusivity(unchecked) private var rows: [Row] = []
  /// The rows of each table, while they are inserted.
  private var sorted = SortedRows()
  /// The bytes that are not in an archive's own memory.
  let bytes = Bytes()

  /// The archives in whose memory values of the rows stand.
  private var archives: [any GraphSource] = []
  /// The number of the archive that was kept last; 0 if there is none.
  private(set) var archiveCount = 0
  /// The origins that the ids of rows are counted from; nil where they are those of the store.
  var origins: IDColumns.Origins?
  /// The memory that the archives take, in bytes, but for the first: it may be as large as it is.
  private var archiveBytes = 0

  private static let usualCapacity = 8_192
  private static let maxBytes = 1 << 20
  private static let maxArchiveBytes = 4 << 20

  /// - Parameter widest: As many values as the widest row has.
  init(widest: Int) {
    cells = Cells(capacity: max(Self.usualCapacity, widest))
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The memory that the batch takes, in bytes, that of archives left out.
  var residentBytes: Int { cells.byteCount + bytes.count }

  /// True if there is no room for another row of a width, or enough has been gathered.
  func isFull(widest: Int) -> Bool {
    used + widest > cells.capacity || bytes.count > Self.maxBytes
      || archiveBytes > Self.maxArchiveBytes
  }

  /// The cells of the next row, its values set to NULL.
  func begin(_ count: Int) -> RowCells {
    begun = count
    return cells.begin(at: used, count: count)
  }

  /// Keeps an archive in memory until the batch is emptied.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - number: The number of archives up to it.
  func keep(_ archive: any GraphSource, number: Int) {
    archiveCount = number
    if !archives.isEmpty { archiveBytes += archive.residentBytes }
    archives.append(archive)
  }

  /// Ends the row that was begun last.
  ///
  /// - Parameters:
  ///   - table: The number of its statement.
  ///   - count: The number of values that the statement takes: no more than the row has.
  func end(table: Int, count: Int) {
    precondition(count <= begun)
    rows.append(Row(table: table, start: used, count: count))
    used += count
    begun = 0
  }

  /// Calls with the rows of each table, and with each row that another statement is run with.
  ///
  /// Rows of one table keep their order, and rows keep theirs to other statements. Rows of several
  /// tables that stand one after the other may be put in order: they do not depend on each other.
  ///
  /// - Parameters:
  ///   - tables: The number of statements that insert into a table of their own.
  ///   - insert: Inserts rows.
  ///   - run: Runs another statement.
  /// - Throws: Any error of these.
  func forEach(
    tables: Int, insert: (_ table: Int, RowCells.List) throws(StoreError) -> Void,
    run: (_ statement: Int, RowCells) throws(StoreError) -> Void
  ) throws(StoreError) {
    var index = 0
    while index < rows.count {
      guard rows[index].table < tables else {
        try run(rows[index].table, cells(of: rows[index]))
        index += 1
        continue
      }
      let end = rows[index...].firstIndex { $0.table >= tables } ?? rows.count
      try forEachTable(in: index..<end, insert)
      index = end
    }
  }

  /// Moves the ids in the rows after their origins, if they have some.
  ///
  /// - Parameters:
  ///   - columns: The columns that hold ids.
  ///   - tables: The number of statements that insert into a table of their own.
  ///   - changedTable: The table whose rows another statement changes.
  func moveIDs(_ columns: IDColumns, tables: Int, changedTable: (_ statement: Int) -> Int) {
    guard let origins else { return }
    for row in rows {
      if row.table < tables {
        columns.move(cells(of: row), table: row.table, behind: origins)
      } else {
        columns.move(
          updateCells: cells(of: row), table: changedTable(row.table), behind: origins)
      }
    }
  }

  private func cells(of row: Row) -> RowCells { cells.row(at: row.start, count: row.count) }

  private func forEachTable(
    in range: Range<Int>, _ insert: (_ table: Int, RowCells.List) throws(StoreError) -> Void
  ) throws(StoreError) {
    // As a local variable, it is not checked for exclusive access with each row.
    var sorted = SortedRows()
    swap(&sorted, &self.sorted)
    defer {
      sorted.removeAll()
      swap(&sorted, &self.sorted)
    }
    for row in rows[range] { sorted.add(cells(of: row), table: row.table) }
    for table in sorted.tables { try insert(table, sorted.rows[table]) }
  }

  /// Makes room for new rows.
  func empty() {
    (used, begun) = (0, 0)
    rows.removeAll(keepingCapacity: true)
    archives.removeAll(keepingCapacity: true)
    archiveBytes = 0
    archiveCount = 0
    origins = nil
    bytes.empty()
  }
}
