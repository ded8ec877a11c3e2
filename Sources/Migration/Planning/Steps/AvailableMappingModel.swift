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
