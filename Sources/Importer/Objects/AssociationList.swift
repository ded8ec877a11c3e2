/// The rows that source objects have become by an entity mapping.
///
/// Takes twelve bytes for each association; twice as many where rows are not associated in the order
/// in which they were made, and somebody asks for their source objects.
struct AssociationList: Sendable {
  private struct Pair: Sendable {
    var source: UInt32
    var entity: UInt32
    var id: UInt32

    var row: RowReference { RowReference(entity: Int(entity), id: Int64(id)) }
    func isBefore(_ row: RowReference) -> Bool { (Int64(id), Int(entity)) < (row.id, row.entity) }
  }

  private var pairs: [Pair] = []
  private var isSorted = true
  /// True if rows stand in ascending order, too.
  private var hasAscendingRows = true
  /// The pairs by row, made when somebody asks where they stand in another order.
  private var byRow: [Pair] = []

  var isEmpty: Bool { pairs.isEmpty }

  /// Adds an association, unless it is there as the last one.
  mutating func add(source: Int, row: RowReference) {
    let pair = Pair(
      source: UInt32(truncatingIfNeeded: source), entity: UInt32(truncatingIfNeeded: row.entity),
      id: UInt32(truncatingIfNeeded: row.id))
    if let last = pairs.last {
      if last.source == pair.source, last.row == pair.row { return }
      if last.source > pair.source { isSorted = false }
      if pair.isBefore(last.row) { hasAscendingRows = false }
    }
    pairs.append(pair)
    byRow = []
  }

  /// Puts the associations in the order of their sources, so that they can be looked up.
  mutating func sort() {
    guard !isSorted else { return }
    // The order among those of one source is that in which they were made.
    pairs = pairs.enumerated().sorted {
      ($0.element.source, $0.offset) < ($1.element.source, $1.offset)
    }.map(\.element)
    isSorted = true
    hasAscendingRows = zip(pairs, pairs.dropFirst()).allSatisfy { !$1.isBefore($0.row) }
  }

  /// The rows of a source object.
  mutating func rows(of source: Int) -> [RowReference] {
    sort()
    var place = Self.first(pairs) { Int($0.source) >= source }
    var found: [RowReference] = []
    while place < pairs.count, Int(pairs[place].source) == source {
      found.append(pairs[place].row)
      place += 1
    }
    return found
  }

  /// The source objects of a row.
  mutating func sources(of row: RowReference) -> [Int] {
    if !hasAscendingRows, byRow.isEmpty {
      byRow = pairs.enumerated().sorted {
        $0.element.isBefore($1.element.row)
          || $0.element.row == $1.element.row && $0.offset < $1.offset
      }.map(\.element)
    }
    let pairs = hasAscendingRows ? pairs : byRow
    var place = Self.first(pairs) { !$0.isBefore(row) }
    var found: [Int] = []
    while place < pairs.count, pairs[place].row == row {
      found.append(Int(pairs[place].source))
      place += 1
    }
    return found
  }

  /// The place of the first pair of which something is true, as it is of all after it.
  private static func first(_ pairs: [Pair], _ isBehind: (Pair) -> Bool) -> Int {
    var (low, high) = (0, pairs.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(pairs[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The rows, each once, in the order in which they were associated first.
  var rows: [RowReference] {
    var found: [RowReference] = []
    found.reserveCapacity(pairs.count)
    var seen: Set<RowReference> = []
    for pair in pairs {
      let row = pair.row
      let isNew = hasAscendingRows ? found.last != row : seen.insert(row).inserted
      if isNew { found.append(row) }
    }
    return found
  }

  /// The source objects, each once, in order.
  var sources: [Int] {
    mutating get {
      sort()
      return pairs.indices.filter { $0 == 0 || pairs[$0 - 1].source != pairs[$0].source }
        .map { Int(pairs[$0].source) }
    }
  }
}
