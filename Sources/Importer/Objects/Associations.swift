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
