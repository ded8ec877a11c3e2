import Foundation

/// A mapping model: how Core Data makes the objects of one model into those of another.
///
/// It has one form, whether it was read from a compiled file (`.cdm`) or compiled from Xcode's
/// (`.xcmappingmodel`): see `MappingModelFile`.
package struct MappingModel: Sendable, Hashable {
  /// The greatest number of entity mappings of a file, since each is compared with all others.
  static let maxEntityMappings = 2_000

  /// The entity mappings, in the order in which Core Data goes through them.
  package var entityMappings: [MigrationEntityMapping]

  package init(entityMappings: [MigrationEntityMapping] = []) {
    self.entityMappings = entityMappings
  }

  /// The version hashes that source entities have to have, as far as entity mappings say.
  package var sourceVersionHashes: [String: Data] {
    Self.hashes(entityMappings.map { ($0.sourceEntityName, $0.sourceVersionHash) })
  }

  /// The version hashes that destination entities have to have, as far as entity mappings say.
  package var destinationVersionHashes: [String: Data] {
    Self.hashes(entityMappings.map { ($0.destinationEntityName, $0.destinationVersionHash) })
  }

  private static func hashes(_ pairs: [(name: String?, hash: Data?)]) -> [String: Data] {
    var hashes: [String: Data] = [:]
    for case (let name?, let hash?) in pairs { hashes[name] = hash }
    return hashes
  }
}
