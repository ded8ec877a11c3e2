import ArchiveReader

/// The collections that no object holds under a key: those of top-level keys, and those inside of
/// other collections.
///
/// Each becomes one row, whoever refers to it.
struct UnownedCollections {
  struct Entry {
    var id: CollectionID
    var kind: CollectionKind
    var row: Int64
  }

  private(set) var lastRow: Int64
  /// The last row before this turn of the archive.
  private var firstRow: Int64
  private var rows: [CollectionID: Int64] = [:]
  private var queue: [Entry] = []
  private var next = 0

  /// - Parameter lastRow: The id of the last row before this archive's.
  init(lastRow: Int64) {
    self.lastRow = lastRow
    firstRow = lastRow
  }

  /// The number of collections.
  var count: Int { queue.count }

  /// The first and last id of their rows that were handed out in this turn.
  var range: ClosedRange<Int64>? {
    lastRow > firstRow ? (firstRow + 1)...lastRow : nil
  }

  /// Takes another turn, after other archives have got rows.
  mutating func resume(after lastRow: Int64) {
    self.lastRow = lastRow
    firstRow = lastRow
  }

  /// The row of a collection, which is handed out if it has none yet.
  mutating func row(of id: CollectionID, _ kind: CollectionKind) -> Int64 {
    if let row = rows[id] { return row }
    lastRow += 1
    rows[id] = lastRow
    queue.append(Entry(id: id, kind: kind, row: lastRow))
    return lastRow
  }

  /// The collection whose elements are to be written next.
  mutating func takeNext() -> Entry? {
    guard next < queue.count else { return nil }
    defer { next += 1 }
    return queue[next]
  }
}
