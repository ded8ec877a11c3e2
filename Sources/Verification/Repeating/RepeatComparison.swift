import ArchiveReader
internal import CSQLite
import Importer
import Stores

/// Compares a store with one that the same runs have made again, table by table and row by row.
///
/// What differs may have been changed in the store, or be something else each time: a second
/// repetition tells. Where two repetitions differ, nothing is compared.
package final class RepeatComparison {
  private let store: VerifiedStore
  private let again: VerifiedStore
  private let third: VerifiedStore?
  private let findings: VerificationFindings
  private let places: Places
  private let origins: Origins
  /// True if anything differs.
  package private(set) var isDifferent = false

  static let reason = "it differs each time the runs are repeated"

  /// - Parameters:
  ///   - store: The store.
  ///   - again: The store that the runs have made again.
  ///   - third: The store that they have made the second time; nil to find out only whether
  ///     anything differs.
  ///   - findings: Takes what differs.
  ///   - places: The roles of tables and columns.
  package init(
    _ store: VerifiedStore, _ again: VerifiedStore, _ third: VerifiedStore?,
    _ findings: VerificationFindings, _ places: Places
  ) {
    self.store = store
    self.again = again
    self.third = third
    self.findings = findings
    self.places = places
    origins = Origins(again)
  }

  /// Compares all tables that both stores have.
  package func compare() throws(StoreError) {
    for table in places.tables {
      guard store.columns(of: table) != nil, again.columns(of: table) != nil else { continue }
      try compare(table)
      if isDifferent, third == nil { return }
    }
  }

  private func compare(_ table: String) throws(StoreError) {
    let names = (again.columns(of: table) ?? []).map(\.name).filter {
      places.isCompared($0, table) && store.has($0, in: table)
        && third?.has($0, in: table) ?? true
    }
    guard !names.isEmpty else { return }
    let form = places.form(of: table, names)
    let list = names.map(SQL.quoted).joined(separator: ", ")
    let order =
      form.keyCount == 1 && names[0] == places.key(of: table) ? SQL.quoted(names[0]) : list
    let sql = "SELECT \(list) FROM \(SQL.quoted(table)) ORDER BY \(order)"
    var rows: [Rows] = []
    for side in [store, again, third] {
      guard let side else { continue }
      rows.append(Rows(try side.cursor(sql), keyCount: form.keyCount))
    }
    while rows.contains(where: \.isAtRow) {
      if rows.dropFirst().allSatisfy({ $0.isEqual(to: rows[0]) }) {
        form.count(rows[0].cursor, findings)
        for side in rows { try side.cursor.advance() }
        continue
      }
      guard third != nil else {
        isDifferent = true
        return
      }
      let keys = rows.compactMap(\.key)
      guard let first = keys.min(by: { $0.lexicographicallyPrecedes($1) }) else { return }
      var groups: [[[Cell]]] = []
      for side in rows { groups.append(try side.take(first)) }
      try compare(groups[0], groups[1], groups[2], form)
    }
  }

  /// Compares the rows that have the same key.
  private func compare(
    _ found: [[Cell]], _ expected: [[Cell]], _ other: [[Cell]],
    _ form: Places.Form
  ) throws(StoreError) {
    for row in found { form.count(row, findings) }
    guard found != expected else { return }
    if found.count == 1, expected.count == 1, other.count == 1 {
      for place in found[0].indices where found[0][place] != expected[0][place] {
        if expected[0][place] != other[0][place] {
          findings.omit(form.entity, form.property(place, nil), reason: Self.reason)
        } else {
          try add(found[0], expected[0], place, form)
        }
      }
      return
    }
    guard expected == other else {
      return findings.omit(
        form.entity, form.property(0, nil), reason: Self.reason,
        count: max(found.count, expected.count))
    }
    var missing = expected
    var others: [[Cell]] = []
    for row in found {
      if let place = missing.firstIndex(of: row) {
        missing.remove(at: place)
      } else {
        others.append(row)
      }
    }
    for place in 0..<max(missing.count, others.count) {
      try add(
        place < others.count ? others[place] : nil, place < missing.count ? missing[place] : nil,
        nil, form)
    }
  }

  /// Lists a difference: of a cell, or of a row as a whole.
  private func add(
    _ found: [Cell]?, _ expected: [Cell]?, _ place: Int?, _ form: Places.Form
  ) throws(StoreError) {
    guard let row = found ?? expected else { return }
    var id: Int64?
    if case .integer(let first) = row[0] { id = first }
    let listed = findings.result.differences.count < VerificationResult.maxDifferences
    let origin = listed ? try origins.origin(of: row[0], form) : nil
    func words(_ row: [Cell]?) -> String {
      guard let row else { return "nothing" }
      guard let place else {
        return form.isElement
          ? row.dropFirst().map(\.words).joined(separator: " ") : "a row"
      }
      return row[place].words
    }
    findings.add(
      archive: origin?.path, uid: origin?.uid, entity: form.entity, row: id,
      property: form.property(place, row), expected: words(expected), found: words(found))
  }
}

extension RepeatComparison {
  /// The origins of the rows of a store, as far as it tells.
  struct Origins {
    private let store: VerifiedStore
    private let hasObjects: Bool

    init(_ store: VerifiedStore) {
      self.store = store
      hasObjects = store.columns(of: RelationalLayout.objectsTable) != nil
    }

    /// The archive of a row, and the object that it was.
    func origin(of key: Cell, _ form: Places.Form) throws(StoreError) -> (
      path: String, uid: Int?
    )? {
      guard case .integer(let row) = key, !form.entity.hasPrefix("_") else { return nil }
      let parameters: [StoredValue] = [.text(form.entity), .integer(row)]
      var found: [[StoredValue]] = []
      if hasObjects {
        found = try store.rows(
          """
          SELECT path, o.uid FROM \(RelationalLayout.objectsTable) AS o
            JOIN \(RelationalLayout.archiveTable) AS a ON a.id = archive_id
            WHERE o.entity = ? AND o.row = ? LIMIT 1
          """, parameters)
      }
      if found.isEmpty {
        found = try store.rows(
          """
          SELECT path, NULL FROM \(RelationalLayout.rowsTable)
            JOIN \(RelationalLayout.archiveTable) AS a ON a.id = archive_id
            WHERE entity = ? AND ? BETWEEN first AND last LIMIT 1
          """, parameters)
      }
      guard let row = found.first, case .text(let path) = row[0] else { return nil }
      guard case .integer(let uid) = row[1] else { return (path, nil) }
      return (path, Int(truncatingIfNeeded: uid))
    }
  }
}
