import ArchiveReader

/// The collections that no object holds under a key: those of top-level keys, and those inside of
/// other collections.
///
/// Each becomes one row, whoever refers to it.
struct LooseCollections {
  struct Entry {
    var id: CollectionID
    var kind: CollectionKind
    var row: Int64
  }

  private let base: Int64
  private var rows: [CollectionID: Int64] = [:]
  private var queue: [Entry] = []
  private var next = 0

  /// - Parameter base: The id of the last row before this archive's.
  init(base: Int64) {
    self.base = base
  }

  /// How many there are.
  var count: Int { queue.count }

  /// The first and last id of their rows.
  var range: ClosedRange<Int64>? {
    queue.isEmpty ? nil : (base + 1)...(base + Int64(queue.count))
  }

  /// The row of a collection, which is handed out if it has none yet.
  mutating func row(of id: CollectionID, _ kind: CollectionKind) -> Int64 {
    if let row = rows[id] { return row }
    let row = base + Int64(queue.count) + 1
    rows[id] = row
    queue.append(Entry(id: id, kind: kind, row: row))
    return row
  }

  /// The collection whose elements are to be written next.
  mutating func takeNext() -> Entry? {
    guard next < queue.count else { return nil }
    defer { next += 1 }
    return queue[next]
  }
}
