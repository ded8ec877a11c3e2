import CoreDataStores
import DataModel
import Foundation

/// The versions of a model and the mapping models that lead between them.
struct MigrationGraph {
  /// How many mapping models there may be: the largest app known has 77.
  static let maxMappingModels = 500

  /// Among how many versions `waypoints` looks, which infers from each to each.
  private static let maxChainedVersions = 50

  /// A mapping model between two versions.
  struct Edge {
    let mapping: AvailableMappingModel
    let drifts: [MappingModelDrift]
  }

  /// From which version to which.
  struct Link: Hashable {
    let source: Int
    let target: Int
  }

  /// The versions: different ones, in the order in which they were given.
  private(set) var versions: [CandidateVersion] = []
  /// The mapping models between each two versions; drifting ones only where no other is.
  private(set) var edges: [Link: [Edge]] = [:]
  /// The mapping models.
  let mappingModels: [AvailableMappingModel]
  /// Where each mapping model leads, in words.
  private(set) var outline: [String] = []
  /// The version of the store.
  let source: Int
  /// The version that it shall get.
  let target: Int

  init(
    from source: ModelVersion, to target: ModelVersion, versions others: [ModelVersion],
    mappingModels: [AvailableMappingModel]
  ) throws(MigrationPlanError) {
    guard mappingModels.count <= Self.maxMappingModels else {
      throw .tooMany(limit: Self.maxMappingModels)
    }
    var indices: [[String: Data]: Int] = [:]
    var versions: [CandidateVersion] = []
    func index(_ version: ModelVersion) -> Int {
      let candidate = CandidateVersion(version)
      if let index = indices[candidate.computedHashes] { return index }
      indices[candidate.computedHashes] = versions.count
      versions.append(candidate)
      return versions.count - 1
    }
    self.mappingModels = mappingModels
    self.source = index(source)
    for version in others { _ = index(version) }
    self.target = index(target)
    self.versions = versions
    for mapping in mappingModels { add(mapping) }
  }

  // MARK: Order

  /// The versions that a path may lead through.
  ///
  /// Mapping models lead from older versions to newer ones. A path leaves out those that are newer
  /// than its target or older than its source: there, data could be lost on a way there and back.
  func versionsBetween() -> Set<Int> {
    let (afterSource, beforeSource) = (reachable(from: source), reachable(backFrom: source))
    let (afterTarget, beforeTarget) = (reachable(from: target), reachable(backFrom: target))
    let older = beforeSource.subtracting(afterSource)
    let newer = afterTarget.subtracting(beforeTarget)
    return Set(versions.indices).subtracting(older).subtracting(newer).union([source, target])
  }

  private func reachable(from version: Int) -> Set<Int> {
    reachable(from: version) { link, index in link.source == index ? link.target : nil }
  }

  private func reachable(backFrom version: Int) -> Set<Int> {
    reachable(from: version) { link, index in link.target == index ? link.source : nil }
  }

  private func reachable(from version: Int, _ next: (Link, Int) -> Int?) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = [version]
    while let index = waiting.popLast() {
      for link in edges.keys {
        if let other = next(link, index), found.insert(other).inserted { waiting.append(other) }
      }
    }
    return found
  }

  /// The versions that inferred steps, one after the other, lead through to the target, in words.
  ///
  /// Core Data does not take that way by itself, nor does a plan: an app that was opened in every
  /// version has taken it.
  func waypoints() -> [String] {
    guard versions.count <= Self.maxChainedVersions else { return [] }
    var search = Search(self, chainsInference: true)
    let path = search.shortestPath() ?? []
    return path.dropFirst().dropLast().map { "\(versions[$0].version)" }
  }

  // MARK: Mapping models

  private mutating func add(_ mapping: AvailableMappingModel) {
    let ends = mapping.ends(among: versions)
    for source in ends.sources {
      for target in ends.destinations where source.version != target.version {
        let link = Link(source: source.version, target: target.version)
        let edge = Edge(mapping: mapping, drifts: [source.drift, target.drift].compactMap(\.self))
        add(edge, to: link)
      }
    }
    let words = (words(ends.sources, mapping.source), words(ends.destinations, mapping.destination))
    outline.append("\(mapping.name) leads from \(words.0) to \(words.1)")
  }

  private mutating func add(_ edge: Edge, to link: Link) {
    var present = edges[link] ?? []
    let isExact = edge.drifts.isEmpty
    if present.contains(where: { $0.drifts.isEmpty != isExact }) {
      guard isExact else { return }
      present = []
    }
    present.append(edge)
    edges[link] = present
  }

  private func words(_ ends: [AvailableMappingModel.End], _ side: MappedVersion) -> String {
    guard ends.isEmpty else {
      return ends.map { "\(versions[$0.version].version)" }.joined(separator: " or ")
    }
    return side.words
  }
}
