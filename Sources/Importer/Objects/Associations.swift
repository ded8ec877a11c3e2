import Mappings

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

/// The rows that stand for archived objects, by entity mapping.
///
/// They are kept for all passes, where anything can look them up: a policy, a relationship that
/// names an entity mapping, or a later pass. An entity mapping takes four bytes for each entry of
/// an archive, and more only for objects that became several rows.
struct Associations {
  private var destinations: [String: [Int64: Rows]] = [:]
  private var sources: [String: [RowReference: [SourceKey]]] = [:]
  /// The entity mappings, in the order in which they made their first rows.
  private var names: [String] = []
  /// The number of entries of each archive.
  private var objectCounts: [Int64: Int] = [:]
  let isKept: Bool
  private let keepsSources: Bool

  /// The rows of the objects of an archive.
  private struct Rows {
    /// The first row, whose entity is that of most rows.
    let first: RowReference
    /// For each object, the distance of its only row of that entity from the first, counted from 1;
    /// 0 where there is none.
    private var distances: [UInt32]
    /// The objects for which that is not all.
    private var others: [Int: [RowReference]] = [:]

    init(first: RowReference, objectCount: Int) {
      self.first = first
      distances = Array(repeating: 0, count: objectCount)
    }

    subscript(uid: Int) -> [RowReference] {
      if let others = others[uid] { return others }
      guard distances.indices.contains(uid), distances[uid] != 0 else { return [] }
      return [RowReference(entity: first.entity, id: first.id + Int64(distances[uid]) - 1)]
    }

    mutating func add(_ row: RowReference, to uid: Int) {
      let known = self[uid]
      guard known.isEmpty, row.entity == first.entity, first.id > 0, row.id >= first.id,
        distances.indices.contains(uid), let distance = UInt32(exactly: row.id - first.id + 1)
      else {
        others[uid] = known + [row]
        return
      }
      distances[uid] = distance
    }
  }

  /// - Parameters:
  ///   - isKept: True if anything is going to look rows up.
  ///   - keepsSources: True if anything is going to look objects up.
  init(isKept: Bool, keepsSources: Bool) {
    self.isKept = isKept
    self.keepsSources = keepsSources
  }

  /// Makes ready for an archive with `objectCount` entries.
  mutating func begin(archive: Int64, objectCount: Int) {
    objectCounts[archive] = objectCount
  }

  mutating func add(
    _ source: SourceKey, _ destination: RowReference, _ mapping: String
  ) {
    guard isKept else { return }
    if destinations[mapping] == nil { names.append(mapping) }
    if destinations(of: source, mapping).contains(destination) { return }
    let objectCount = objectCounts[source.archive] ?? 0
    destinations[mapping, default: [:]][
      source.archive, default: Rows(first: destination, objectCount: objectCount)
    ].add(destination, to: source.uid)
    guard keepsSources else { return }
    sources[mapping, default: [:]][destination, default: []].append(source)
  }

  func destinations(of source: SourceKey, _ mapping: String) -> [RowReference] {
    destinations[mapping]?[source.archive]?[source.uid] ?? []
  }

  func sources(of destination: RowReference, _ mapping: String) -> [SourceKey] {
    sources[mapping]?[destination] ?? []
  }

  /// The objects that a row stands for by any entity mapping, those of the first one first.
  func sources(of destination: RowReference) -> [SourceKey] {
    names.flatMap { sources(of: destination, $0) }
  }

  /// The rows of all entity mappings that stand for an object, those of the first one first.
  func destinations(of source: SourceKey) -> [RowReference] {
    names.flatMap { destinations(of: source, $0) }
  }
}

/// An archived object: its archive and its place in it.
package struct SourceKey: Hashable, Sendable {
  var archive: Int64
  var uid: Int

  package init(_ archive: Int64, _ uid: Int) {
    self.archive = archive
    self.uid = uid
  }
}

/// The rows that a migration makes of source objects, and what there is to know of them.
package struct MigratedRows {
  /// For each entity mapping, the rows that it made of objects of which others are made as well, or
  /// that its policy made.
  var associations: [AssociationList]
  /// For each entity mapping, the objects that were given to its policy.
  var sources: [[UInt32]]
  /// For each entity mapping, how many source objects it was given, as far as they are not all of a
  /// class.
  var selected: [Int]
  package var uses = PolicyUses()
  /// For each table, the last row of the walk over the store; nil as long as that lasts.
  var walkedIDs: [Int64]?
  /// Rows that policies have deleted.
  var gone: Set<RowReference> = []
  /// The number of rows that policies have made.
  var madeCount = 0
  /// The number of links replaced by others or left out, since an end leads to one object alone.
  package var replacedLinks = 0
  /// The row for which an expression is evaluated.
  var destination: RowReference?

  init(count: Int) {
    associations = Array(repeating: AssociationList(), count: count)
    sources = Array(repeating: [], count: count)
    selected = Array(repeating: 0, count: count)
  }
}
