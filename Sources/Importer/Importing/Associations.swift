/// Which rows stand for which archived objects, by entity mapping.
///
/// They are kept for all passes, where anything can look them up: a policy, a relationship that
/// names an entity mapping, or a later pass. An object that became one row takes eight bytes.
struct Associations {
  private var destinations: [String: [Int64: Rows]] = [:]
  private var sources: [String: [RowReference: [SourceKey]]] = [:]
  /// The entity mappings, in the order in which they made their first rows.
  private var names: [String] = []
  private let isKept: Bool
  private let keepsSources: Bool

  /// The rows of the objects of an archive.
  private struct Rows {
    /// The entity of most rows.
    var entity: Int
    /// For each object, its only row of that entity; 0 where there is none.
    var ids: [Int64] = []
    /// The objects for which that is not all.
    var others: [Int: [RowReference]] = [:]

    subscript(uid: Int) -> [RowReference] {
      if let others = others[uid] { return others }
      guard ids.indices.contains(uid), ids[uid] != 0 else { return [] }
      return [RowReference(entity: entity, id: ids[uid])]
    }

    mutating func add(_ row: RowReference, to uid: Int) {
      let known = self[uid]
      guard known.isEmpty, row.entity == entity else {
        others[uid] = known + [row]
        return
      }
      while ids.count <= uid { ids.append(0) }
      ids[uid] = row.id
    }
  }

  /// - Parameters:
  ///   - isKept: Whether anything is going to look rows up.
  ///   - keepsSources: Whether anything is going to look objects up.
  init(isKept: Bool, keepsSources: Bool) {
    self.isKept = isKept
    self.keepsSources = keepsSources
  }

  mutating func add(
    _ source: SourceKey, _ destination: RowReference, _ mapping: String
  ) {
    guard isKept else { return }
    if destinations[mapping] == nil { names.append(mapping) }
    if destinations(of: source, mapping).contains(destination) { return }
    destinations[mapping, default: [:]][source.archive, default: Rows(entity: destination.entity)]
      .add(destination, to: source.uid)
    guard keepsSources else { return }
    sources[mapping, default: [:]][destination, default: []].append(source)
  }

  func destinations(of source: SourceKey, _ mapping: String) -> [RowReference] {
    destinations[mapping]?[source.archive]?[source.uid] ?? []
  }

  func sources(of destination: RowReference, _ mapping: String) -> [SourceKey] {
    sources[mapping]?[destination] ?? []
  }

  /// The rows of all entity mappings that stand for an object, those of the first one first.
  func destinations(of source: SourceKey) -> [RowReference] {
    names.flatMap { destinations(of: source, $0) }
  }
}

/// An archived object: its archive and its place in it.
struct SourceKey: Hashable, Sendable {
  var archive: Int64
  var uid: Int

  init(_ archive: Int64, _ uid: Int) {
    self.archive = archive
    self.uid = uid
  }
}
