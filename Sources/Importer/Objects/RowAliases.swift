/// The rows in place of those that were handed out for objects whose hook returned another, or
/// none.
struct RowAliases {
  private(set) var rows: [RowKey: RowReference?] = [:]
  /// For each row, the ids of those whose place it took, as far as that was asked for.
  private var replaced: [RowKey: [Int64]] = [:]
  /// Rows that are not among these yet.
  private var unindexed: [RowKey] = []
  /// The table of each entity.
  private let tables: [Int]

  init(_ entities: [EntityShape]) { tables = entities.map(\.table) }

  var isEmpty: Bool { rows.isEmpty }

  private func key(of row: RowReference) -> RowKey {
    RowKey(table: tables[row.entity], id: row.id)
  }

  /// The row that stands for one that was handed out, where a hook returned another.
  ///
  /// It is the row itself where nothing else is known of it, and nil where the hook made none.
  func resolved(_ row: RowReference) -> RowReference? {
    guard !rows.isEmpty else { return row }
    var row = row
    for _ in 0..<8 {
      guard let alias = rows[key(of: row)] else { return row }
      guard let alias else { return nil }
      row = alias
    }
    return row
  }

  /// Notes that an object became another row than the one that was handed out for it, or none.
  ///
  /// - Returns: True if it is another row, or none.
  mutating func replace(_ row: RowReference, by other: RowReference?) -> Bool {
    let key = key(of: row)
    guard key != other.map({ self.key(of: $0) }) else { return false }
    rows[key] = .some(other)
    unindexed.append(key)
    return true
  }

  /// The ids by which others may refer to a row: its own, and those of rows whose place it took.
  mutating func ids(of row: RowReference) -> Set<Int64> {
    for key in unindexed {
      if case .some(.some(let other)) = rows[key] {
        replaced[self.key(of: other), default: []].append(key.id)
      }
    }
    unindexed = []
    var found: Set<Int64> = []
    var waiting = [key(of: row)]
    while let key = waiting.popLast() {
      guard found.insert(key.id).inserted else { continue }
      waiting += (replaced[key] ?? []).map { RowKey(table: key.table, id: $0) }
    }
    return found
  }
}

/// A row of a table.
package struct RowKey: Hashable {
  package var table: Int
  package var id: Int64

  package init(table: Int, id: Int64) { (self.table, self.id) = (table, id) }
}
