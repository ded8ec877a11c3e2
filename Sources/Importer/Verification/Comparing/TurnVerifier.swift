import ArchiveReader
internal import CSQLite

/// Compares the rows that came from one archive in one pass, cell by cell, with the archive.
///
/// Rows are read in the order of their ids, beside the objects that they were.
final class TurnVerifier {
  let forecast: RowForecast
  let run: RunForecast
  let plan: ImportPlan
  let store: VerifiedStore
  let findings: VerificationFindings
  let path: String
  var comparer = CellComparer()
  /// What each column of the row that is compared must hold.
  var cells: [ExpectedValue] = []
  /// What each table of elements must hold for it.
  var contents: [Int: [Content]] = [:]

  /// What a row has in a table of elements.
  enum Content {
    case collection(CollectionID, CollectionKind, property: String)
    case elements([ExpectedElement], property: String)
  }

  /// A row that is compared.
  struct Row {
    var id: Int64
    var uid: Int?
    var entity: String
  }

  init(
    _ forecast: RowForecast, _ store: VerifiedStore, _ findings: VerificationFindings, path: String
  ) {
    self.forecast = forecast
    run = forecast.run
    plan = forecast.plan
    self.store = store
    self.findings = findings
    self.path = path
  }

  /// Compares the rows of all tables.
  func compare() throws {
    for table in plan.layout.tables.indices where !forecast.objects[table].isEmpty {
      try compareTable(table)
    }
    try compareInverseSides()
    try compareCollections()
  }

  // MARK: Rows

  private func compareTable(_ number: Int) throws {
    let name = plan.layout.tables[number].name
    guard let scan = TableScan(number, plan, store), let idPlace = scan.id else {
      return difference(nil, name, nil, "", "a table", "nothing")
    }
    for (column, place) in scan.places.enumerated() where place == nil {
      difference(nil, name, nil, scan.table.columns[column].name, "a column", "nothing")
    }
    let count = forecast.objects[number].count
    let first = forecast.firstIDs[number] + 1
    let last = forecast.firstIDs[number] + Int64(count)
    let cursor = try store.cursor(scan.sql, [.integer(first), .integer(last)])
    let owned = try OwnedTables(number, self, first: first, last: last)
    for place in 0..<count {
      let id = first + Int64(place)
      while cursor.isAtRow, let found = cursor.integer(idPlace), found < id {
        unexpected(name, found)
        try cursor.advance()
      }
      let row = try expect(place, number, id)
      if cursor.isAtRow, cursor.integer(idPlace) == id {
        compare(row, scan, cursor)
        try compareClaims(on: place + 1, row, number, cursor, scan)
        try cursor.advance()
      } else {
        difference(row.uid, row.entity, id, "", "a row", "nothing")
      }
      try owned.compare(row)
    }
    while cursor.isAtRow {
      unexpected(name, cursor.integer(idPlace))
      try cursor.advance()
    }
    try owned.finish()
  }

  private func unexpected(_ table: String, _ row: Int64?) {
    difference(nil, table, row, "", "nothing", "a row")
  }

  func difference(
    _ uid: Int?, _ entity: String, _ row: Int64?, _ property: String,
    _ expected: @autoclosure () -> String, _ found: @autoclosure () -> String
  ) {
    findings.add(
      archive: path, uid: uid, entity: entity, row: row, property: property,
      expected: expected(), found: found())
  }

  private func compare(_ row: Row, _ scan: TableScan, _ cursor: RowCursor) {
    for column in cells.indices.dropFirst() {
      guard let place = scan.places[column] else { continue }
      let expected = cells[column]
      let name = scan.table.columns[column].name
      if expected.isUnknown {
        findings.omit(row.entity, name, reason: Self.unknownReason)
        continue
      }
      if !expected.isNothing {
        switch scan.uses[column] {
        case .value: findings.countValue()
        case .link: findings.countLink()
        case .other: break
        }
      }
      let found = cursor[place]
      if !comparer.isEqual(found, expected, in: scan.types[column], &forecast.reader) {
        difference(
          row.uid, row.entity, row.id, name, words(expected), StoredValue(found).words)
      }
    }
    for (name, place) in scan.others where cursor[place].kind != csq_kind_null {
      difference(
        row.uid, row.entity, row.id, name, "NULL", StoredValue(cursor[place]).words)
    }
  }

  static let unknownReason = "it is another each time, or an archive of its own"

  /// What must be there, in words.
  func words(_ expected: ExpectedValue) -> String {
    StoredValue(expected, &forecast.reader).words
  }

  /// Compares a row with what the collections of its owners say: both sides must.
  private func compareClaims(
    on number: Int, _ row: Row, _ table: Int, _ cursor: RowCursor, _ scan: TableScan
  ) throws {
    for (place, claims) in forecast.claims where place.table == table {
      guard let claim = claims.claim(on: number) else { continue }
      findings.countLink()
      guard let column = scan.places[place.column] else { continue }
      let owner = ownerTable(place).map { forecast.firstIDs[$0] + claim.owner }
      // What the row's own key says has been compared already.
      guard let owner, cursor.integer(column) != owner,
        case .integer(let own) = cells[place.column],
        own != owner
      else { continue }
      difference(
        row.uid, row.entity, row.id, scan.table.columns[place.column].name, "\(owner)",
        cursor.copy(column).words)
    }
  }

  /// The table of the owners that a column of members names.
  private func ownerTable(_ place: RowForecast.MemberPlace) -> Int? {
    let name = plan.layout.tables[place.table].columns[place.column].references
    return plan.layout.tables.firstIndex { $0.name == name }
  }
}
