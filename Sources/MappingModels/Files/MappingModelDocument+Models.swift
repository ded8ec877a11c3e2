import DataModel
import Foundation
import GraphCore
import Support

extension MappingModelDocument {
  /// The source model as it was when the mapping model was last edited.
  ///
  /// - Parameter limits: How far its archive is followed.
  /// - Returns: The model; nil if there is none in the file.
  /// - Throws: `ModelError` if it is damaged.
  package func embeddedSourceModel(
    limits: ReadingLimits = .standard
  ) throws(ModelError) -> Model? {
    guard let sourceModelData else { return nil }
    return try ArchivedModel(sourceModelData, limits).model
  }

  /// The destination model as it was when the mapping model was last edited.
  ///
  /// - Parameter limits: How far its archive is followed.
  /// - Returns: The model; nil if there is none in the file.
  /// - Throws: `ModelError` if it is damaged.
  package func embeddedDestinationModel(
    limits: ReadingLimits = .standard
  ) throws(ModelError) -> Model? {
    guard let destinationModelData else { return nil }
    return try ArchivedModel(destinationModelData, limits).model
  }
}

/// The version of a model that a mapping model leads from or to, known by its version hashes.
package struct ExpectedModelVersion: Sendable, Hashable {
  /// The version hashes of entities, by name.
  package var hashes: [String: Data]
  /// Whether they are those of all entities; a compiled mapping model has those that it maps.
  package var isComplete: Bool

  /// The version that an embedded model is.
  package init(_ model: Model) {
    hashes = model.versionHashes()
    isComplete = true
  }

  /// The version of which a compiled mapping model tells some hashes.
  package init(mappedEntities hashes: [String: Data]) {
    self.hashes = hashes
    isComplete = false
  }

  /// How a model compares with the version.
  package struct Match: Sendable, Hashable {
    /// How many entities are the same.
    package var matchingCount: Int
    /// The entities that differ, or that only one of the two has, sorted by name.
    package var differingEntities: [String]

    /// Whether the model is of the version.
    package var isExact: Bool { differingEntities.isEmpty }
  }

  /// Compares a model with the version.
  ///
  /// - Parameter model: The model.
  /// - Returns: What is the same, and what differs.
  package func match(_ model: Model) -> Match {
    let own = model.versionHashes()
    let names = isComplete ? Set(own.keys).union(hashes.keys) : Set(hashes.keys)
    let differing = names.filter { own[$0] != hashes[$0] }
    return Match(
      matchingCount: names.count - differing.count,
      differingEntities: differing.sorted { $0.precedesInBytes($1) })
  }
}
