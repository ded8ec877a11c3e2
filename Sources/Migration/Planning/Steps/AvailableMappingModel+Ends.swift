import CoreDataStores

// Between which of the versions at hand a mapping model leads.
extension AvailableMappingModel {
  /// A version that a mapping model leads to or from.
  struct End {
    /// Its index among the versions at hand.
    var version: Int
    /// How it differs from what the mapping model was made for; nil if it does not.
    var drift: MappingModelDrift?
  }

  /// The versions that it leads from and to: those with the hashes, else the nearest.
  func ends(
    among versions: [MigrationGraph.CandidateVersion]
  ) -> (sources: [End], destinations: [End]) {
    let exactSources = source.exactVersions(among: versions)
    let exactDestinations = destination.exactVersions(among: versions)
    return (
      ends(exactSources, source, versions, except: exactDestinations),
      ends(exactDestinations, destination, versions, except: exactSources)
    )
  }

  private func ends(
    _ exact: [Int], _ side: MappedVersion, _ versions: [MigrationGraph.CandidateVersion],
    except others: [Int]
  ) -> [End] {
    guard exact.isEmpty else { return exact.map { End(version: $0) } }
    guard let nearest = side.nearestVersion(among: versions, except: others) else { return [] }
    let drift = MappingModelDrift(
      mappingModel: name, version: "\(versions[nearest].version)",
      differences: side.differences(from: versions[nearest]))
    return [End(version: nearest, drift: drift)]
  }

  /// The two versions that it leads between, and how they differ from those that it was made for.
  package struct Placement: Sendable {
    package let source: ModelVersion
    package let destination: ModelVersion
    package let drifts: [MappingModelDrift]
  }

  /// Finds the two versions that it leads between.
  ///
  /// - Parameter versions: The versions at hand.
  /// - Returns: The versions, the first that fit; nil if one is not at hand.
  package func placement(among versions: [ModelVersion]) -> Placement? {
    let candidates = versions.map { MigrationGraph.CandidateVersion($0) }
    let ends = ends(among: candidates)
    guard let source = ends.sources.first, let destination = ends.destinations.first else {
      return nil
    }
    return Placement(
      source: versions[source.version], destination: versions[destination.version],
      drifts: [source.drift, destination.drift].compactMap(\.self))
  }
}

extension MappedVersion {
  /// The versions with the hashes that the mapping model was made for.
  func exactVersions(among versions: [MigrationGraph.CandidateVersion]) -> [Int] {
    let comparisons = versions.map { comparison(with: $0) }
    let exact = versions.indices.filter { comparisons[$0]?.isExact ?? false }
    // A compiled mapping model may fit versions with entities that it knows nothing of.
    let least = exact.compactMap { comparisons[$0]?.surplus.count }.min()
    return exact.filter { comparisons[$0]?.surplus.count == least }
  }

  /// The version of the same name; if it has none, the first with the most entities in common.
  ///
  /// None of the others is it, nor a version without entities in common.
  func nearestVersion(among versions: [MigrationGraph.CandidateVersion], except others: [Int])
    -> Int?
  {
    let candidates = versions.indices.filter { !others.contains($0) }
    if let name { return candidates.first { versions[$0].version.name == name } }
    var nearest: (version: Int, count: Int)?
    for index in candidates {
      let count = comparison(with: versions[index])?.matchingCount ?? 0
      if count > nearest?.count ?? 0 { nearest = (index, count) }
    }
    return nearest?.version
  }

  /// The version in words, where it is not at hand.
  package var words: String {
    name.map { "'\($0)', which is not at hand" } ?? "a version that is not at hand"
  }
}
