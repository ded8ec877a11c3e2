import ArchiveReader
internal import CSQLite
import Importer
import Stores
import Support

/// Compares the rows that came from one archive in one pass, cell by cell, with the archive.
///
/// Rows are read in the order of their ids, beside the objects that they were; those of a large
/// table in parts, by several threads: see `ArchiveVerifier+Parts.swift`.
final class ArchiveVerifier {
  let expectedRows: ExpectedRows
  let run: ExpectedRun
  let plan: ImportPlan
  let store: VerifiedStore
  let scans: TableScans
  let findings: VerificationFindings
  let path: String
  /// Compare the parts of large tables.
  let workers: VerificationWorkers
  private var comparer = CellComparer()
  /// Counts the rows that were compared.
  var ticker = ObjectTicker(nil)

  /// The facts that all compared rows of a table share.
  struct TableRows {
    let table: Int
    let scan: TableScan
    let columnCount: Int
    /// The position of the id in the rows that are read.
    let id: Int
    /// The row before the first.
    let base: Int64
    /// The claims of the rows' owners.
    let owners: [ExpectedRows.Owners]
  }

  init(
    _ expectedRows: ExpectedRows, _ scans: TableScans, _ findings: VerificationFindings,
    path: String,
    _ workers: VerificationWorkers
  ) {
    self.expectedRows = expectedRows
    run = expectedRows.run
    plan = expectedRows.plan
    self.scans = scans
    store = scans.store
    self.findings = findings
    self.path = path
    self.workers = workers
  }

  /// Compares the rows of all tables.
  func compare() throws {
    for table in plan.layout.tables.indices where expectedRows.ledger.count(of: table) > 0 {
      try compareTable(table)
    }
    try compareInverseSides()
    try compareCollections()
  }

  // MARK: Rows

  private func compareTable(_ index: Int) throws {
    let name = plan.layout.tables[index].name
    guard let scan = scans.table(index), let id = scan.id else {
      return difference(nil, name, nil, "", "a table", "nothing")
    }
    for (column, cell) in zip(scan.table.columns, scan.cells)
    where cell == nil && column.numberOf == nil {
      difference(nil, name, nil, column.name, "a column", "nothing")
    }
    let rows = TableRows(
      table: index, scan: scan, columnCount: scan.table.columns.count, id: id,
      base: expectedRows.firstIDs[index], owners: expectedRows.owners.filter { $0.table == index })
    try compare(rows, count: expectedRows.ledger.count(of: index))
  }

  /// Compares some rows of a table.
  ///
  /// - Parameters:
  ///   - rows: The table.
  ///   - range: The rows, by their indices among those of the archive.
  /// - Throws: `ArchiveError` if the archive cannot be read, `StoreError` if the store cannot be.
  func compare(_ rows: TableRows, _ range: Range<Int>) throws {
    let name = rows.scan.table.name
    let (first, last) = (rows.base + Int64(range.lowerBound), rows.base + Int64(range.upperBound))
    let cursor = try store.cursor(rows.scan.sql, [.integer(first), .integer(last)])
    let groups = scans.owned(by: rows.table)
    let owned = try OwnedTables(groups[0], self, behind: first, through: last)
    var row = ExpectedRow(entity: name)
    var ticker = ticker
    defer { ticker.end() }
    for index in range {
      let id = rows.base + Int64(index) + 1
      while cursor.isAtRow, let found = cursor.integer(rows.id), found < id {
        unexpected(name, found)
        try cursor.advance()
      }
      try expect(index, of: rows, &row)
      if cursor.isAtRow, cursor.integer(rows.id) == id {
        compare(row, rows, cursor)
        compareClaims(on: index + 1, row, rows, cursor)
        try cursor.advance()
      } else if let edits = workers.edits, let uid = row.uid {
        edits.note(removed: StoreEdits.Row(table: rows.table, id: id, uid: uid))
      } else {
        difference(row.uid, row.entity, id, "", "a row", "nothing")
      }
      try owned.compare(row)
      ticker.tick()
    }
    while cursor.isAtRow {
      unexpected(name, cursor.integer(rows.id))
      try cursor.advance()
    }
    try owned.finish()
    // Of many tables, the others are compared by themselves.
    for group in groups.dropFirst() {
      let owned = try OwnedTables(group, self, behind: first, through: last)
      for index in range {
        try expect(index, of: rows, &row)
        try owned.compare(row)
        ticker.tick()
      }
      try owned.finish()
    }
  }

  /// The number of comparisons of rows: rows with several groups of tables are compared once for
  /// each.
  var turnCount: Int {
    plan.layout.tables.indices.reduce(0) { sum, table in
      let count = expectedRows.ledger.count(of: table)
      return sum + (count > 0 ? count * max(1, scans.owned(by: table).count) : 0)
    }
  }

  private func unexpected(_ table: String, _ row: Int64?) {
    difference(nil, table, row, "", "nothing", "a row")
  }

  func difference(
    _ uid: Int?, _ entity: String, _ row: Int64?, _ property: String,
    _ expected: @autoclosure () -> String, _ found: @autoclosure () -> String
  ) {
    findings.add(
      archive: path, uid: uid.map { expectedRows.graph.source.reportedNumber(ofObject: $0) },
      entity: entity, row: row, property: property,
      expected: expected(), found: found())
  }

  private func compare(_ row: ExpectedRow, _ rows: TableRows, _ cursor: RowCursor) {
    let scan = rows.scan
    let (values, links) = unsafe comparer.compare(
      scan.columns, of: cursor.row, row.cells, expectedRows.graph)
    findings.count(values: values, links: links)
    for column in comparer.wrongColumns {
      guard let cell = scan.cells[column] else { continue }
      let expected = row.cells[column]
      let name = scan.table.columns[column].name
      if expected.isUnknown {
        findings.omit(row.entity, name, reason: Self.unknownReason)
      } else if let edits = workers.edits, let uid = row.uid {
        let isEdit = isEdit(column, of: rows.table, expected) { column in
          scan.cells[column].map { cursor.copy($0) } ?? .null
        }
        guard isEdit else { continue }
        edits.note(cell: column, of: StoreEdits.Row(table: rows.table, id: row.id, uid: uid))
      } else {
        difference(
          row.uid, row.entity, row.id, name, words(expected), cursor.copy(cell).words)
      }
    }
    for (name, cell) in scan.others where unsafe cursor[cell].kind != csq_kind_null {
      difference(row.uid, row.entity, row.id, name, "NULL", cursor.copy(cell).words)
    }
  }

  static let unknownReason = "it differs each time, or is an archive of its own"

  /// The expected value, in words.
  func words(_ expected: ExpectedValue) -> String {
    StoredValue(expected, expectedRows.graph).words
  }

  /// Compares a row with what the collections of its owners say: both sides must.
  private func compareClaims(
    on index: Int, _ row: ExpectedRow, _ rows: TableRows, _ cursor: RowCursor
  ) {
    // Where rows have changed, what they say is put back on both sides.
    for owners in rows.owners where workers.edits == nil && owners.hasOwner(of: index) {
      findings.count(values: 0, links: 1)
      // What the row's own key says has been compared already.
      guard let column = rows.scan.cells[owners.column], let owner = owners.owner(of: index),
        cursor.integer(column) != owner, case .integer(let own) = row.cells[owners.column],
        own != owner
      else { continue }
      difference(
        row.uid, row.entity, row.id, rows.scan.table.columns[owners.column].name, "\(owner)",
        cursor.copy(column).words)
    }
  }
}
