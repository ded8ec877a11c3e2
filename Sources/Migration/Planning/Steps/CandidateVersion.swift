import CoreDataStores
import DataModel
import Foundation

extension MigrationGraph {
  /// A version of a model that a migration may lead through, with its hashes at hand.
  struct CandidateVersion: Sendable {
    let version: ModelVersion
    /// The hashes of its entities: those that Core Data computed, where they are known.
    let hashes: [String: Data]
    /// The hashes that are computed from the model.
    let computedHashes: [String: Data]
    /// The entities whose hash may differ from Core Data's.
    let uncertain: Set<String>

    init(_ version: ModelVersion) {
      self.version = version
      hashes = version.hashes
      computedHashes = version.source.model.versionHashes()
      uncertain = Set(version.uncertainHashes)
    }
  }
}
