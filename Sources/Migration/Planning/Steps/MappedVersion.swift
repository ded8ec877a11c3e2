import CoreDataStores
import DataModel
import Foundation
import Support

/// One of the two versions of a model that a mapping model was made for.
package struct MappedVersion: Sendable {
  /// The name of the version, as its author's machine had it; nil if the file does not tell.
  package let name: String?
  /// The version hashes that the mapping model was made for; nil if the file does not tell.
  let expected: Expected?
  /// The model, where the mapping model embeds it.
  package let model: Model?

  /// The version of an embedded model.
  init(path: String?, embedded model: Model?) {
    let last = path?.split(separator: "/").last.map { ModelFile.versionName(String($0)) }
    name = last.flatMap { $0.isEmpty ? nil : $0 }
    expected = model.map { Expected(hashes: $0.versionHashes(), isComplete: true) }
    self.model = model
  }

  /// The version of which a compiled mapping model tells the hashes of the mapped entities.
  init(mappedEntities hashes: [String: Data]) {
    name = nil
    expected = hashes.isEmpty ? nil : Expected(hashes: hashes, isComplete: false)
    model = nil
  }
}

extension MappedVersion {
  /// What is known of the version: its version hashes.
  struct Expected {
    /// The version hashes of entities, by name.
    var hashes: [String: Data]
    /// Whether they are those of all entities; a compiled mapping model has those that it maps.
    var isComplete: Bool
  }

  /// How a version at hand compares with it.
  struct Comparison {
    /// How many entities are the same.
    var matchingCount = 0
    /// The entities of the version that the mapping model does not know.
    var surplus: [String] = []
    /// The names of the entities that differ, or that only one of the two has.
    var differing: Set<String> = []

    var isExact: Bool { matchingCount > 0 && differing.isEmpty }
  }

  /// Compares a version by its hashes; nil if the mapping model tells none.
  ///
  /// A compiled mapping model has the hashes that Core Data computed; those of entities for which
  /// the version's own are uncertain are passed over.
  func comparison(with candidate: MigrationGraph.CandidateVersion) -> Comparison? {
    guard let expected else { return nil }
    let own = expected.isComplete ? candidate.computedHashes : candidate.hashes
    var result = Comparison()
    for (name, hash) in expected.hashes {
      if own[name] == hash {
        result.matchingCount += 1
      } else if expected.isComplete || own[name] == nil || !candidate.uncertain.contains(name) {
        result.differing.insert(name)
      }
    }
    let surplus = own.keys.filter { expected.hashes[$0] == nil }
    result.surplus = surplus
    if expected.isComplete { result.differing.formUnion(surplus) }
    return result
  }

  /// What differs between it and a version at hand: by entity and property where the mapping model
  /// embeds the model, else by entity.
  func differences(from candidate: MigrationGraph.CandidateVersion) -> [ModelDifference] {
    if let model { return ModelDifference.all(model, candidate.version.source.model) }
    let differing = comparison(with: candidate)?.differing ?? []
    return differing.sorted { $0.precedesInBytes($1) }.map {
      ModelDifference(entity: $0, property: nil)
    }
  }
}

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
