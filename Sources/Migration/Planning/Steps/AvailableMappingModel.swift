import CoreDataStores
import DataModel
import GraphCore
import Support

/// A mapping model that a migration may use, and the versions that it was made for.
package struct AvailableMappingModel: Sendable {
  /// The name of its file or folder, with the ending.
  package let name: String
  /// Its path.
  package let path: String
  /// The SHA-256 digest of its file.
  package let digest: [UInt8]
  /// What it holds.
  package let file: MappingModelFile
  /// The version that it leads from.
  package let source: MappedVersion
  /// The version that it leads to.
  package let destination: MappedVersion

  /// Reads a mapping model.
  ///
  /// - Parameters:
  ///   - path: An `.xcmappingmodel` folder, the `xcmapping.xml` in one, or a `.cdm`.
  ///   - limits: How far the archives in it are followed.
  /// - Throws: `ModelError` if it is no mapping model, or damaged.
  package init(contentsOf path: String, limits: ReadingLimits = .standard) throws(ModelError) {
    let (file, bytes) = try MappingModelFile.read(path, limits: limits)
    do throws(ModelError) {
      try self.init(
        file, path: path, limits: limits, digest: MessageDigest.sha256(of: bytes))
    } catch {
      throw error.placed(in: path)
    }
  }

  /// Makes one of what has been read.
  ///
  /// - Parameters:
  ///   - file: The mapping model.
  ///   - path: Its path.
  ///   - limits: How far the models in it are followed.
  ///   - digest: The SHA-256 digest of its file.
  /// - Throws: `ModelError` if a model in it is damaged.
  package init(
    _ file: MappingModelFile, path: String, limits: ReadingLimits = .standard,
    digest: [UInt8] = []
  ) throws(ModelError) {
    self.file = file
    self.digest = digest
    self.path = path
    let parts = path.split(separator: "/").map(String.init)
    let isInside = parts.last == "xcmapping.xml" && parts.count > 1
    name = (isInside ? parts.dropLast().last : parts.last) ?? path
    switch file {
    case .compiled(let model):
      source = MappedVersion(mappedEntities: model.sourceVersionHashes)
      destination = MappedVersion(mappedEntities: model.destinationVersionHashes)
    case .document(let document):
      source = MappedVersion(
        path: document.sourceModelPath,
        embedded: try document.embeddedSourceModel(limits: limits))
      destination = MappedVersion(
        path: document.destinationModelPath,
        embedded: try document.embeddedDestinationModel(limits: limits))
    }
  }

  /// The mapping model between two models.
  func compiled(from source: Model, to destination: Model) -> MappingModel {
    switch file {
    case .compiled(let model): model
    case .document(let document): document.compiled(from: source, to: destination)
    }
  }

  /// The versions that it embeds.
  package var embeddedVersions: [ModelVersion] {
    let sides = [(EmbeddedModel.Role.source, source), (.destination, destination)]
    return sides.compactMap { role, side in
      guard let model = side.model else { return nil }
      var version = ModelVersion(
        name: side.name ?? name, path: path, source: ModelSource(model))
      version.embedding = ModelVersion.Embedding(mapping: name, role: role)
      return version
    }
  }
}

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
