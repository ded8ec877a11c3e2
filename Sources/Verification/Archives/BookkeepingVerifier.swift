import ArchiveReader
import CoreDataStores
import Foundation
import Importer
import Stores

/// Compares the tables in which a store keeps account of archives: `_archive`, `_top`, `_rows`,
/// `_metadata` and `_objects`.
///
/// Archives come in the order of their ids; the rows of each are read once.
final class BookkeepingVerifier {
  private let store: VerifiedStore
  let findings: VerificationFindings
  /// True if the paths of archives are those of the run, too: later, files may have moved.
  private let comparesPaths: Bool
  private let top: ArchiveRows?
  private let ranges: ArchiveRows?
  private let origins: ArchiveRows?
  private let metadata: ArchiveRows?
  /// The last archive that was compared or passed over; nil where there was none.
  private(set) var last: Int64?

  init(
    _ store: VerifiedStore, _ findings: VerificationFindings, comparesPaths: Bool,
    of range: ArchiveRows.ArchiveRange = ArchiveRows.ArchiveRange()
  ) throws(StoreError) {
    self.store = store
    self.findings = findings
    self.comparesPaths = comparesPaths
    last = range.after
    func rows(_ table: String, _ columns: [String]) throws(StoreError) -> ArchiveRows? {
      try ArchiveRows(table, columns, of: range, store, findings)
    }
    top = try rows(RelationalLayout.topTable, ["key", "value", "entity", "row"])
    ranges = try rows(RelationalLayout.rowsTable, ["entity", "first", "last"])
    let values = RelationalLayout.metadataTable
    metadata =
      store.columns(of: values) == nil
      ? nil : try rows(values, ["number", "parent", "key", "position", "type", "value"])
    let objects = RelationalLayout.objectsTable
    let places = RelationalLayout.placeColumns.map(\.name)
    let declared = store.columns(of: objects)
    // Stores of earlier versions do not tell the places.
    let hasPlaces = declared?.contains { $0.name == places[0] } ?? false
    origins =
      declared == nil ? nil : try rows(objects, Self.originColumns + (hasPlaces ? places : []))
  }

  /// The columns that name an object and its row.
  static let originColumns = ["uid", "class", "entity", "row"]

  /// A verifier of some of the archives, with a connection and findings of its own.
  func part(
    _ range: ArchiveRows.ArchiveRange, _ store: VerifiedStore, _ findings: VerificationFindings
  ) throws(StoreError) -> BookkeepingVerifier {
    try BookkeepingVerifier(store, findings, comparesPaths: comparesPaths, of: range)
  }

  /// Compares what the store says of an archive.
  func compare(
    _ archive: VerifiedArchive, _ file: ArchiveFile, _ allExpected: [ExpectedRows]
  ) throws {
    try compareArchive(archive, file)
    if let last = allExpected.last { try compareTop(archive, last) }
    try compareRanges(archive, allExpected)
    try compareOrigins(archive, allExpected)
    try compareMetadata(archive, file, isKept: allExpected.first?.plan.keepsMetadata ?? false)
    last = archive.id
  }

  /// Passes over what the store says of an archive that is not there.
  func skip(_ archive: Int64) throws {
    for rows in [top, ranges, origins, metadata] { try rows?.skip(archive) }
    last = archive
  }

  /// Passes over what the store says of the archives of earlier runs.
  func skip(through archive: Int64) throws(StoreError) {
    for rows in [top, ranges, origins, metadata] { try rows?.skip(through: archive) }
    last = archive
  }

  /// Goes on after archives that others have compared.
  func resume(after archive: Int64) throws(StoreError) {
    for rows in [top, ranges, origins, metadata] { try rows?.reopen(after: archive) }
    last = archive
  }

  /// Reports the rows that are left: they are of no archive.
  func finish() throws {
    for rows in [top, ranges, origins, metadata] { try rows?.finish() }
  }

  /// No table has more rows.
  private static let maxRows: Int64 = 1 << 48

  /// The last row of each table that is said to be from an archive.
  func lastRows(of archive: Int64) throws -> [(table: String, last: Int64)] {
    try lastRows("entity, last", "archive_id = ?", archive)
  }

  /// The last row of each table that is said to be from the archives up to one; nil where nothing
  /// is said of any.
  func lastRows(through archive: Int64) throws -> [(table: String, last: Int64)]? {
    guard ranges != nil else { return nil }
    return try lastRows("entity, max(last)", "archive_id <= ? GROUP BY entity", archive)
  }

  private func lastRows(
    _ columns: String, _ condition: String, _ archive: Int64
  ) throws -> [(table: String, last: Int64)] {
    guard ranges != nil else { return [] }
    let found = try store.rows(
      "SELECT \(columns) FROM \(RelationalLayout.rowsTable) WHERE \(condition)",
      [.integer(archive)])
    return found.compactMap { row in
      guard case .text(let table) = row[0], case .integer(let last) = row[1] else { return nil }
      // Rows are counted from there: a store may say anything.
      return (table, min(max(0, last), Self.maxRows))
    }
  }

  private func difference(
    _ archive: VerifiedArchive, _ table: String, _ row: Int64?, _ property: String,
    _ expected: String,
    _ found: String, uid: Int? = nil
  ) {
    findings.add(
      archive: archive.path, uid: uid, entity: table, row: row, property: property,
      expected: expected, found: found)
  }

  // MARK: Archives

  /// Compares the row of an archive.
  func compareArchive(_ archive: VerifiedArchive, _ file: ArchiveFile) throws {
    let name = RelationalLayout.archiveTable
    let source = file.source
    var expected: [(String, StoredValue)] = [
      ("sha256", .text(file.sha256)), ("bytes", .integer(Int64(source.byteCount))),
      ("format", .text(source.format.rawValue)), ("archiver", .text(source.archiver)),
      ("version", .integer(source.version)),
    ]
    if comparesPaths { expected.append(("path", .text(FileName.printable(archive.path)))) }
    if store.has(RelationalLayout.nestingColumn, in: name) {
      expected += [
        (RelationalLayout.nestingColumn, archive.parent.map { .integer($0) } ?? .null),
        ("uid", archive.place?.uid.map { .integer(Int64($0)) } ?? .null),
        ("key", (archive.place?.key).map { .text($0) } ?? .null),
      ]
    }
    expected = expected.filter { column, _ in
      if store.has(column, in: name) { return true }
      difference(archive, name, nil, column, "a column", "nothing")
      return false
    }
    let list = expected.map { SQL.quoted($0.0) }.joined(separator: ", ")
    let row = try store.cursor("SELECT \(list) FROM \(name) WHERE id = ?", [.integer(archive.id)])
    guard row.isAtRow else {
      return difference(archive, name, archive.id, "", "a row", "nothing")
    }
    for (index, (column, value)) in expected.enumerated() {
      findings.countEntry()
      let found = row.copy(index)
      if found != value { difference(archive, name, archive.id, column, value.words, found.words) }
    }
  }

  // MARK: Top-level keys

  private func compareTop(_ archive: VerifiedArchive, _ expectedRows: ExpectedRows) throws {
    guard let top else { return }
    let name = RelationalLayout.topTable
    var comparer = CellComparer()
    try top.begin(archive.id)
    for entry in expectedRows.graph.source.roots {
      let key = ArchivedKey.plain(entry.key)
      let value = try expectedRows.unwrapped(expectedRows.graph.value(of: entry), reaches: false)
      let item = try expectedRows.item(of: value, inCollection: false)
      guard try top.isAt(archive.id) else {
        difference(archive, name, nil, key, "a row", "nothing")
        continue
      }
      let expected: [ExpectedValue] = [
        .text(key), item.plain, item.table(expectedRows.plan), item.reference,
      ]
      for (column, value) in expected.enumerated() {
        if column == 1, !value.isNothing { findings.countValue() }
        if column == 3, !value.isNothing { findings.countEntry() }
        if unsafe !comparer.isEqual(
          top[column], value, isReal: top.isReal[column], expectedRows.graph)
        {
          let words = StoredValue(value, expectedRows.graph).words
          difference(
            archive, name, top.rowid, column == 0 ? "key" : "\(key).\(top.columns[column])", words,
            unsafe StoredValue(top[column]).words)
        }
      }
      try top.advance()
    }
    try top.end(archive)
  }

  // MARK: Metadata

  /// Compares what an application keeps with a Core Data store.
  private func compareMetadata(
    _ archive: VerifiedArchive, _ file: ArchiveFile, isKept: Bool
  ) throws {
    guard let metadata else { return }
    let name = RelationalLayout.metadataTable
    let source = isKept ? file.source as? any CoreDataSource : nil
    try metadata.begin(archive.id)
    for expected in (source?.metadata.applicationRows ?? []).map(\.columns) {
      guard try metadata.isAt(archive.id) else {
        difference(
          archive, name, nil, "", expected.map(\.words).joined(separator: " "), "nothing")
        continue
      }
      for (column, value) in expected.enumerated() {
        findings.countEntry()
        let found = unsafe StoredValue(metadata[column])
        guard found != value else { continue }
        difference(
          archive, name, metadata.rowid, metadata.columns[column], value.words, found.words)
      }
      try metadata.advance()
    }
    try metadata.end(archive)
  }

  // MARK: Ranges

  private func compareRanges(_ archive: VerifiedArchive, _ allExpected: [ExpectedRows]) throws {
    guard let ranges else { return }
    var expected: [[StoredValue]] = []
    for expectedRows in allExpected {
      for (index, table) in expectedRows.plan.layout.tables.enumerated() {
        let count = Int64(expectedRows.ledger.count(of: index))
        guard count > 0 else { continue }
        let first = expectedRows.firstIDs[index]
        expected.append([.text(table.name), .integer(first + 1), .integer(first + count)])
      }
      let count = Int64(expectedRows.collections.count)
      guard count > 0 else { continue }
      expected.append([
        .text(RelationalLayout.collectionTable), .integer(expectedRows.firstCollection + 1),
        .integer(expectedRows.firstCollection + count),
      ])
    }
    try ranges.begin(archive.id)
    while !expected.isEmpty {
      guard try ranges.isAt(archive.id) else {
        for row in expected {
          difference(
            archive, RelationalLayout.rowsTable, nil, "", row.map(\.words).joined(separator: " "),
            "nothing")
        }
        break
      }
      // A former version of the program may have come by the tables in another order.
      let found = (0..<3).map { unsafe StoredValue(ranges[$0]) }
      let row = expected.remove(at: expected.firstIndex(of: found) ?? 0)
      for (column, value) in row.enumerated() {
        guard found[column] != value else { continue }
        difference(
          archive, RelationalLayout.rowsTable, ranges.rowid, ranges.columns[column], value.words,
          found[column].words)
      }
      try ranges.advance()
    }
    try ranges.end(archive)
  }

  // MARK: Objects

  private func compareOrigins(_ archive: VerifiedArchive, _ allExpected: [ExpectedRows]) throws {
    guard let origins, let plan = allExpected.first?.plan else { return }
    let name = RelationalLayout.objectsTable
    guard plan.recordsProvenance else {
      // Another run has the table.
      try origins.begin(archive.id)
      return try origins.end(archive)
    }
    var expected = ExpectedOrigins(allExpected)
    try origins.begin(archive.id)
    while try origins.isAt(archive.id) {
      switch try expected.take(origins) {
      case .right: break
      case .unknown:
        difference(
          archive, name, origins.rowid, "", "nothing",
          (0..<4).map { unsafe StoredValue(origins[$0]).words }.joined(separator: " "))
      case .wrong(let uid, let column, let words):
        unsafe difference(
          archive, name, origins.rowid, origins.columns[column], words,
          StoredValue(origins[column]).words, uid: expected.reportedNumber(of: uid))
      }
      try origins.advance()
    }
    for (uid, words) in try expected.missing() {
      difference(
        archive, name, nil, "", words, "nothing", uid: expected.reportedNumber(of: uid))
    }
  }
}
