internal import CSQLite
import Stores

extension ArchiveRows {
  /// Archives of a store, by their ids: those after one, up to another; without either, all.
  struct ArchiveRange {
    var after: Int64?
    var through: Int64?
  }
}

/// The rows of a table of the store's own, archive by archive.
final class ArchiveRows {
  let columns: [String]
  /// For each column, whether it is declared as one of reals.
  let isReal: [Bool]
  private let table: String
  private let store: VerifiedStore
  private var cursor: RowCursor
  private let findings: VerificationFindings

  /// Begins with the first of some archives; fails if the store lacks the table or a column, which
  /// is a difference.
  init?(
    _ table: String, _ columns: [String], of range: ArchiveRange, _ store: VerifiedStore,
    _ findings: VerificationFindings
  ) throws(StoreError) {
    let declared = store.columns(of: table) ?? []
    for column in ["archive_id"] + columns where !declared.contains(where: { $0.name == column }) {
      findings.add(
        archive: nil, entity: table, row: nil, property: column, expected: "a column",
        found: "nothing")
      return nil
    }
    self.table = table
    self.columns = columns
    self.store = store
    self.findings = findings
    isReal = columns.map { column in declared.first { $0.name == column }?.isReal ?? false }
    cursor = try Self.cursor(table, columns, range, store)
  }

  private static func cursor(
    _ table: String, _ columns: [String], _ range: ArchiveRange, _ store: VerifiedStore
  ) throws(StoreError) -> RowCursor {
    var conditions: [String] = []
    if range.after != nil { conditions.append("archive_id > ?") }
    // What is of no archive comes first.
    if range.through != nil {
      conditions.append(
        range.after == nil ? "(archive_id <= ? OR archive_id IS NULL)" : "archive_id <= ?")
    }
    let list = columns.map { SQL.quoted($0) }.joined(separator: ", ")
    let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return try store.cursor(
      "SELECT archive_id, rowid, \(list) FROM \(table) \(condition) ORDER BY archive_id, rowid",
      [range.after, range.through].compactMap { $0 }.map { .integer($0) })
  }

  /// Starts over after an archive.
  func reopen(after archive: Int64) throws(StoreError) {
    cursor = try Self.cursor(table, columns, ArchiveRange(after: archive), store)
  }

  /// Goes to the first row of an archive; rows before it are of none.
  func begin(_ archive: Int64) throws(StoreError) {
    while cursor.isAtRow, cursor.integer(0).map({ $0 < archive }) ?? true { try refuse() }
  }

  /// True if there is another row of an archive.
  func isAt(_ archive: Int64) throws(StoreError) -> Bool {
    cursor.isAtRow && cursor.integer(0) == archive
  }

  func advance() throws(StoreError) { try cursor.advance() }

  /// The number of the row in its table.
  var rowid: Int64? { cursor.integer(1) }

  subscript(place: Int) -> csq_value { unsafe cursor[place + 2] }

  /// Tells of the rows of an archive that are left.
  func end(_ archive: VerifiedArchive) throws(StoreError) {
    while try isAt(archive.id) { try refuse(archive.path) }
  }

  /// Passes over the rows of an archive.
  func skip(_ archive: Int64) throws(StoreError) {
    try begin(archive)
    while try isAt(archive) { try advance() }
  }

  /// Passes over the rows of all archives up to one.
  func skip(through archive: Int64) throws(StoreError) {
    while cursor.isAtRow, let found = cursor.integer(0), found <= archive { try advance() }
  }

  /// Tells of the rows that are left.
  func finish() throws(StoreError) {
    while cursor.isAtRow { try refuse() }
  }

  private func refuse(_ path: String? = nil) throws(StoreError) {
    let words = columns.indices.map { unsafe StoredValue(self[$0]).words }.joined(separator: " ")
    findings.add(
      archive: path, entity: table, row: rowid, property: "", expected: "nothing", found: words)
    try cursor.advance()
  }
}
