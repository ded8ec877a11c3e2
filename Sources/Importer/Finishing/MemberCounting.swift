import DataModel
import Stores

/// Sets the columns that tell an empty collection from none to how many rows a relationship leads
/// to, after the last archive: several objects may have become the row, another collection may have
/// taken a member, and rows may have been deleted.
///
/// Rows of earlier runs keep what these have counted, unless this run has changed their members.
struct MemberCounting {
  let model: Model
  let rows: StoredRows
  /// True if the store had rows before the run.
  let isAppending: Bool

  /// Counts the members of relationships, where a collection was there.
  ///
  /// - Parameters:
  ///   - earlierRows: By relationships, the rows of earlier runs whose members may have changed; nil
  ///     where those of all rows may have.
  ///   - isUneven: True for a relationship that may lead to more or fewer rows than its collections
  ///     had elements.
  /// - Throws: `StoreError` if the store cannot be read or changed.
  func count(
    _ earlierRows: [Int: Set<Int64>]?, where isUneven: (Int) -> Bool
  ) throws(StoreError) {
    for (index, stored) in rows.relationships.enumerated() {
      guard let column = stored.count, stored.countsMembers(in: model), isUneven(index) else {
        continue
      }
      let table = rows.layout.tables[stored.table]
      let name = SQL.quoted(table.columns[column].name)
      let changed = earlierRows.map { $0[index] ?? [] }
      let last = try isAppending && changed != nil ? rows.lastEarlierRow(of: table.name) : 0
      try withTable(of: changed ?? []) { (known) throws(StoreError) in
        try rows.store.change(
          """
          UPDATE \(SQL.quoted(table.name)) SET \(name) = counted.count
            FROM (\(rows.counting(index))) AS counted
            WHERE counted.id = \(SQL.quoted(table.name)).\(table.quotedKey)
              AND \(name) <> counted.count AND (counted.id > ? OR counted.id IN (\(known)))
          """, [.integer(last)])
      }
    }
  }

  /// Keeps the ids of rows in a table for a while, of which the body gets a query.
  private func withTable(
    of ids: Set<Int64>, _ body: (String) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !ids.isEmpty else { return try body("") }
    let table = RelationalLayout.aliasTable
    try rows.store.change("CREATE TEMP TABLE \(table) (id INTEGER PRIMARY KEY)")
    for id in ids.sorted() {
      try rows.store.change("INSERT INTO \(table) VALUES (?)", [.integer(id)])
    }
    try body("SELECT id FROM temp.\(table)")
    try rows.store.change("DROP TABLE temp.\(table)")
  }
}
