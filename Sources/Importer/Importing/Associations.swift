/// Which rows stand for which archived objects, by entity mapping.
///
/// They are kept for all passes, where anything can look them up: a policy, a relationship that
/// names an entity mapping, or a later pass.
struct Associations {
  private var destinations: [String: [SourceKey: [RowReference]]] = [:]
  private var sources: [String: [RowReference: [SourceKey]]] = [:]
  /// The entity mappings, in the order in which they made their first rows.
  private var names: [String] = []
  private let isKept: Bool

  init(isKept: Bool) {
    self.isKept = isKept
  }

  mutating func add(
    _ source: SourceKey, _ destination: RowReference, _ mapping: String
  ) {
    guard isKept else { return }
    if destinations[mapping]?[source]?.contains(destination) == true { return }
    if destinations[mapping] == nil { names.append(mapping) }
    destinations[mapping, default: [:]][source, default: []].append(destination)
    sources[mapping, default: [:]][destination, default: []].append(source)
  }

  func destinations(of source: SourceKey, _ mapping: String) -> [RowReference] {
    destinations[mapping]?[source] ?? []
  }

  func sources(of destination: RowReference, _ mapping: String) -> [SourceKey] {
    sources[mapping]?[destination] ?? []
  }

  /// The rows of all entity mappings that stand for an object, those of the first one first.
  func destinations(of source: SourceKey) -> [RowReference] {
    names.flatMap { destinations[$0]?[source] ?? [] }
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
