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
