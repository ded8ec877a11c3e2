import CoreDataStores
import DataModel
import Foundation
import MappingModels

/// The versions of a model and the mapping models that lead between them.
struct MigrationGraph {
  /// How many mapping models there may be: the largest app known has 77.
  static let maxMappingModels = 500

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
    var numbers: [[String: Data]: Int] = [:]
    var versions: [CandidateVersion] = []
    func number(_ version: ModelVersion) -> Int {
      let candidate = CandidateVersion(version)
      if let number = numbers[candidate.computedHashes] { return number }
      numbers[candidate.computedHashes] = versions.count
      versions.append(candidate)
      return versions.count - 1
    }
    self.source = number(source)
    for version in others { _ = number(version) }
    self.target = number(target)
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
    reachable(from: version) { link, number in link.source == number ? link.target : nil }
  }

  private func reachable(backFrom version: Int) -> Set<Int> {
    reachable(from: version) { link, number in link.target == number ? link.source : nil }
  }

  private func reachable(from version: Int, _ next: (Link, Int) -> Int?) -> Set<Int> {
    var found: Set<Int> = []
    var waiting = [version]
    while let number = waiting.popLast() {
      for link in edges.keys {
        if let other = next(link, number), found.insert(other).inserted { waiting.append(other) }
      }
    }
    return found
  }

  // MARK: Mapping models

  /// Where a mapping model leads to or from.
  private struct End {
    var version: Int
    var drift: MappingModelDrift?
  }

  private mutating func add(_ mapping: AvailableMappingModel) {
    let sources = ends(of: mapping.source, mapping)
    let targets = ends(of: mapping.destination, mapping)
    for source in sources {
      for target in targets where source.version != target.version {
        let link = Link(source: source.version, target: target.version)
        let edge = Edge(mapping: mapping, drifts: [source.drift, target.drift].compactMap(\.self))
        add(edge, to: link)
      }
    }
    let words = (words(sources, mapping.source), words(targets, mapping.destination))
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

  private func words(_ ends: [End], _ side: MappedVersion) -> String {
    guard ends.isEmpty else {
      return ends.map { "\(versions[$0.version].version)" }.joined(separator: " or ")
    }
    return side.name.map { "'\($0)', which is not at hand" } ?? "a version that is not at hand"
  }

  /// The versions that a mapping model leads to, or from.
  private func ends(of side: MappedVersion, _ mapping: AvailableMappingModel) -> [End] {
    let comparisons = versions.map { side.comparison(with: $0) }
    let exact = versions.indices.filter { comparisons[$0]?.isExact ?? false }
    // A compiled mapping model may fit versions with entities that it knows nothing of.
    if let least = exact.compactMap({ comparisons[$0]?.surplusCount }).min() {
      return exact.filter { comparisons[$0]?.surplusCount == least }.map { End(version: $0) }
    }
    let nearest: Int? =
      if let name = side.name {
        versions.firstIndex { $0.version.name == name }
      } else {
        versions.indices.max { one, other in
          let counts = [one, other].map { comparisons[$0]?.matchingCount ?? 0 }
          // Of several, the first.
          return (counts[0], other) < (counts[1], one)
        }.flatMap { (comparisons[$0]?.matchingCount ?? 0) > 0 ? $0 : nil }
      }
    return nearest.map { number in
      let drift = MappingModelDrift(
        mappingModel: mapping.name, version: "\(versions[number].version)",
        differences: side.differences(from: versions[number]))
      return [End(version: number, drift: drift)]
    } ?? []
  }
}
