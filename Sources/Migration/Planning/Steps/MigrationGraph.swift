import CoreDataStores
import DataModel
import Foundation
import Support

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

// The steps along a path.
extension MigrationGraph {
  /// The steps along a path of versions.
  ///
  /// - Parameters:
  ///   - path: The numbers of the versions.
  ///   - inferred: The mapping models that were inferred.
  /// - Returns: The steps.
  /// - Throws: `MigrationPlanError.ambiguous`.
  func steps(
    along path: [Int], inferred: [Link: InferredMapping]
  ) throws(MigrationPlanError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for (source, target) in zip(path, path.dropFirst()) {
      let link = Link(source: source, target: target)
      if let edges = edges[link] {
        steps.append(try step(link, edges))
      } else if let mapping = inferred[link] {
        steps.append(
          MigrationStep(
            source: versions[source].version, destination: versions[target].version,
            method: .inferred(mapping), mappingModels: [mapping.model], drifts: [],
            passedOver: passedOver(link)))
      }
    }
    return steps
  }

  /// Why mapping models that fit two versions do not lead between them.
  private func passedOver(_ link: Link) -> [String] {
    zip(mappingModels, outline).compactMap { mapping, outline in
      let (source, target) = (versions[link.source], versions[link.target])
      guard let before = mapping.source.comparison(with: source), before.isExact,
        let after = mapping.destination.comparison(with: target), after.isExact
      else { return nil }
      let unknown = [(before.surplus, source), (after.surplus, target)].flatMap { names, version in
        names.sorted { $0.precedesInBytes($1) }.map { "\($0) of \(version.version)" }
      }
      return "\(outline): it does not map \(unknown.joined(separator: ", "))"
    }
  }

  /// A step by mapping models.
  ///
  /// Two forms of one mapping model count once. Different ones may divide the entities of the
  /// destination among them, as in a migration of several passes.
  private func step(_ link: Link, _ edges: [Edge]) throws(MigrationPlanError) -> MigrationStep {
    let (source, target) = (versions[link.source].version, versions[link.target].version)
    var chosen: [(edge: Edge, model: MappingModel)] = []
    var entities: Set<String> = []
    let sorted = edges.sorted { $0.mapping.name.precedesInBytes($1.mapping.name) }
    for edge in sorted {
      let model = edge.mapping.compiled(
        from: source.source.model, to: target.source.model)
      guard !chosen.contains(where: { $0.model == model }) else { continue }
      let mapped = Set(model.entityMappings.compactMap(\.destinationEntityName))
      guard entities.isDisjoint(with: mapped) else {
        throw .ambiguous(
          sorted.map(\.mapping.name), source: "\(source)", target: "\(target)")
      }
      entities.formUnion(mapped)
      chosen.append((edge, model))
    }
    return MigrationStep(
      source: source, destination: target, method: .mapped(chosen.map(\.edge.mapping)),
      mappingModels: chosen.map(\.model), drifts: chosen.flatMap(\.edge.drifts))
  }
}
