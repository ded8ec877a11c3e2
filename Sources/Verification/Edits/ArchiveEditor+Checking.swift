import ArchiveReader
import Importer
import Stores
import Support

extension ArchiveEditor {
  /// Compares the rows with a written archive: what it becomes is found out as in a verification.
  ///
  /// Positions need not be the same, as long as the order is.
  ///
  /// - Parameter source: The archive.
  /// - Returns: The places that differ.
  /// - Throws: `ArchiveError` if the archive cannot be read, `StoreError` if the store cannot be.
  package func differences(from source: any GraphSource) throws -> [EditError] {
    guard let again = try expectedRows(of: source) else { return [] }
    let left = StoreEdits(ofArchive: 0)
    let findings = VerificationFindings()
    let verifier = ArchiveVerifier(
      again, TableScans(plan, store), findings, path: "",
      VerificationWorkers("", jobs: 1, left))
    try verifier.compare()
    let removed = Set(edits.removed.map { Place(table: $0.table, id: $0.id) })
    var found = findings.result.differences.filter { difference in
      let table = plan.layout.tables.firstIndex { $0.name == difference.entity }
      guard let table, let row = difference.row else { return true }
      return !removed.contains(Place(table: table, id: row))
    }.map { difference in
      EditError(
        table: difference.entity, row: difference.row, column: difference.property,
        reason: "is not the same")
    }
    let state = left.all
    for (row, columns) in state.cells {
      let place = Place(table: row.table, id: row.id)
      found += self.columns(columns, of: row.table).map { error(place, $0, "is not the same") }
    }
    for row in state.removed {
      found.append(error(Place(table: row.table, id: row.id), "", "is not there"))
    }
    let known = Set(edits.elements.map { [Int64($0.table ?? -1), $0.owner, $0.isInverse ? 1 : 0] })
    for elements in state.elements
    where !known.contains([Int64(elements.table ?? -1), elements.owner, elements.isInverse ? 1 : 0])
    {
      let table = elements.table.map { plan.layout.elementTables[$0].table.name }
      found.append(
        EditError(
          table: table ?? RelationalLayout.collectionTable, row: elements.owner, column: "",
          reason: "is not the same"))
    }
    for (place, uid) in addedObjects { found += try differences(place, uid, again, verifier) }
    return found.sorted { ($0.table, $0.row ?? 0, $0.column) < ($1.table, $1.row ?? 0, $1.column) }
  }

  /// The rows that an archive must have become, with the ids of the store; nil where these are not
  /// known.
  private func expectedRows(of source: any GraphSource) throws -> ExpectedRows? {
    guard !edits.isEmpty else {
      let position = ExpectedRun.Position(
        lastIDs: rows.firstIDs, lastCollection: rows.firstCollection)
      let again = ExpectedRows(
        source, id: rows.archiveID, plan: plan, pass: rows.pass,
        run: ExpectedRun(plan, from: position))
      try again.walk(handsOutTopLevel: true, ObjectTicker(nil))
      return again
    }
    // Those that are no objects are known by their places, which are others now.
    let areObjects = rows.collections.allSatisfy { collection in
      if case .object = collection.id { true } else { false }
    }
    let count = copy.objectCount - copy.archive.objectCount
    guard areObjects, source.objectCount == rows.graph.source.objectCount + count else {
      return nil
    }
    let again = ExpectedRows(copying: rows)
    again.ledger.makeRoom(for: count, at: copy.archive.objectCount)
    for (place, uid) in addedObjects { again.ledger.adopt(place.id, of: uid, place.table) }
    for row in edits.removed { again.ledger.forget(row.id, row.table) }
    again.attach(source)
    return again
  }

  /// Columns without those of positions.
  private func columns(_ columns: [Int], of table: Int) -> [Int] {
    let positions = owners(in: table).compactMap(\.storage.position)
    return columns.filter { !positions.contains($0) }
  }

  /// Compares a row that was added.
  private func differences(
    _ place: Place, _ uid: Int, _ again: ExpectedRows, _ verifier: ArchiveVerifier
  ) throws -> [EditError] {
    guard let scan = TableScan(place.table, plan, store) else { return [] }
    let object = try again.graph.object(uid)
    guard case .plain(let entity, _) = again.use(of: object.class) else {
      return [error(place, "", "is not there")]
    }
    let keys = again.keys(of: object, entity)
    var row = ExpectedRow(entity: keys.name)
    row.begin(place.id, uid: uid, columns: scan.table.columns.count)
    try verifier.expectPlain(object, keys, &row)
    let cells = try cells(place)
    let wrong = scan.columns.filter {
      let expected = row.cells[$0.index]
      return verifier.stored(expected, isReal: $0.isReal) != cells[$0.index]
        && verifier.isEdit($0.index, of: place.table, expected) { cells[$0] }
    }.map(\.index)
    return columns(wrong, of: place.table).map { error(place, $0, "is not the same") }
  }
}
