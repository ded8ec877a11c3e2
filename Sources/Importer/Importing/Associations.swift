/// Which rows stand for which archived objects, by entity mapping.
///
/// They are kept for all passes, where anything can look them up: a policy, a relationship that
/// names an entity mapping, or a later pass.
struct Associations {
  private var destinations: [String: [SourceKey: [RowReference]]] = [:]
  private var sources: [String: [RowReference: [SourceKey]]] = [:]
  private let isKept: Bool

  init(isKept: Bool) {
    self.isKept = isKept
  }

  mutating func add(
    _ source: SourceKey, _ destination: RowReference, _ mapping: String
  ) {
    guard isKept else { return }
    if destinations[mapping]?[source]?.contains(destination) == true { return }
    destinations[mapping, default: [:]][source, default: []].append(destination)
    sources[mapping, default: [:]][destination, default: []].append(source)
  }

  func destinations(of source: SourceKey, _ mapping: String) -> [RowReference] {
    destinations[mapping]?[source] ?? []
  }

  func sources(of destination: RowReference, _ mapping: String) -> [SourceKey] {
    sources[mapping]?[destination] ?? []
  }

  /// The rows of all entity mappings that stand for an object.
  func destinations(of source: SourceKey) -> [RowReference] {
    destinations.keys.sorted().flatMap { destinations[$0]?[source] ?? [] }
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
