/// The rows that entity mappings made of the objects of an archive that may become several rows, an
/// older one, or none.
///
/// Takes four bytes for each entry of the archive, as soon as there is such an object, and 16 for
/// each row.
struct ResolvedRows {
  /// A row that an entity mapping made of an object.
  struct Row {
    /// The place of the entity mapping in its pass.
    var plan: Int
    var reference: RowReference
    /// True if it was there already.
    var wasFound: Bool
  }

  private struct Entry {
    var id: Int64
    var entity: UInt32
    /// The place of the entity mapping, and two flags.
    var bits: UInt32

    init(_ row: Row, isLast: Bool) {
      id = row.reference.id
      entity = UInt32(truncatingIfNeeded: row.reference.entity)
      bits = UInt32(truncatingIfNeeded: row.plan) << 2 | (row.wasFound ? 2 : 0) | (isLast ? 1 : 0)
    }

    var isLast: Bool { bits & 1 != 0 }

    var row: Row {
      Row(
        plan: Int(bits >> 2), reference: RowReference(entity: Int(entity), id: id),
        wasFound: bits & 2 != 0)
    }
  }

  private let objectCount: Int
  /// For each UID, where its rows begin among `entries`, counted from 2; 1 for none, 0 as long as
  /// nothing has asked for them.
  private var starts: [UInt32] = []
  private var entries: [Entry] = []

  /// - Parameter objectCount: The number of entries of the archive.
  init(objectCount: Int) {
    self.objectCount = objectCount
  }

  /// The rows of an object; nil as long as none were set.
  subscript(uid: Int) -> [Row]? {
    guard starts.indices.contains(uid), starts[uid] != 0 else { return nil }
    guard starts[uid] > 1 else { return [] }
    var rows: [Row] = []
    for entry in entries[(Int(starts[uid]) - 2)...] {
      rows.append(entry.row)
      if entry.isLast { break }
    }
    return rows
  }

  /// The row that an entity mapping made of an object.
  func row(of uid: Int, madeBy plan: Int) -> RowReference? {
    guard starts.indices.contains(uid), starts[uid] > 1 else { return nil }
    var place = Int(starts[uid]) - 2
    while true {
      let row = entries[place].row
      if row.plan == plan { return row.reference }
      if entries[place].isLast { return nil }
      place += 1
    }
  }

  /// Sets the rows of an object, once.
  mutating func set(_ rows: [Row], of uid: Int) {
    if starts.isEmpty { starts = Array(repeating: 0, count: objectCount) }
    starts[uid] = rows.isEmpty ? 1 : UInt32(truncatingIfNeeded: entries.count + 2)
    for (place, row) in rows.enumerated() {
      entries.append(Entry(row, isLast: place == rows.count - 1))
    }
  }

  /// The object that became a row of one of some entities.
  ///
  /// - Complexity: Linear in the objects: for errors only.
  func uid(ofRow id: Int64, in entities: (Int) -> Bool) -> Int? {
    starts.indices.first { uid in
      self[uid]?.contains { $0.reference.id == id && entities($0.reference.entity) } ?? false
    }
  }
}

/// Some of the rows of the archive whose turn it is, a bit for each.
struct RowBits {
  /// The first row that can be among them.
  private(set) var firstRow: Int64
  private var bits: [UInt64] = []

  /// - Parameter lastID: The last row before the archive's.
  init(after lastID: Int64) {
    firstRow = lastID + 1
  }

  /// Begins again without any, after another row; keeps the memory.
  mutating func reset(after lastID: Int64) {
    bits.removeAll(keepingCapacity: true)
    firstRow = lastID + 1
  }

  func contains(_ row: Int64) -> Bool {
    guard row >= firstRow else { return false }
    let index = Int(row - firstRow)
    return index >> 6 < bits.count && bits[index >> 6] & 1 << UInt64(index & 63) != 0
  }

  /// Calls with each of them, in order.
  func forEach(_ body: (Int64) -> Void) {
    for (place, word) in bits.enumerated() where word != 0 {
      for bit in 0..<64 where word & 1 << UInt64(bit) != 0 {
        body(firstRow + Int64(place * 64 + bit))
      }
    }
  }

  mutating func insert(_ row: Int64) {
    guard row >= firstRow else { return }
    let index = Int(row - firstRow)
    if bits.count <= index >> 6 {
      bits.append(contentsOf: repeatElement(0, count: (index >> 6) + 1 - bits.count))
    }
    bits[index >> 6] |= 1 << UInt64(index & 63)
  }
}

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
