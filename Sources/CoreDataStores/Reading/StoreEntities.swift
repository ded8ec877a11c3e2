import DataModel
import Foundation

/// The entities of the model of a store, as far as the store tells.
public enum StoreEntities: Sendable, Equatable {
  /// The version hash of each entity: stores since Mac OS X 10.5.
  case hashes([String: Data])
  /// The names alone, without regard to case: older stores, and those with hashes of rules that are
  /// not known.
  ///
  /// An XML store without hashes names only the entities that it has objects of.
  case names(Set<String>, isComplete: Bool)
  /// For each entity that the store has objects of, the names of the properties that these have,
  /// without regard to case: XML stores without hashes.
  case properties([String: Set<String>])

  /// The entities that a store's metadata tells of.
  ///
  /// - Parameters:
  ///   - metadata: The metadata.
  ///   - names: The names of entities that the rest of the store gives.
  ///   - isComplete: True if these are all entities of the model.
  package init(_ metadata: CoreDataMetadata, names: Set<String>, isComplete: Bool) {
    if metadata.versionHashes.isEmpty {
      self = .names(names, isComplete: isComplete)
    } else if !metadata.hasKnownHashes {
      self = .names(Set(metadata.versionHashes.keys), isComplete: true)
    } else {
      self = .hashes(metadata.versionHashes)
    }
  }
}
