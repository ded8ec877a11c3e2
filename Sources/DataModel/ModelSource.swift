import Foundation
import GraphCore
import Support

/// A Core Data model with what stands next to it in the file or folder that it was read from.
public struct ModelSource: Sendable {
  /// The model.
  public var model: Model
  /// The path of the file that it was read from; nil for a model that a program made, or that the
  /// store carries that is read by it.
  public package(set) var path: String?
  /// The bytes of the compiled model, where it is one: the content of a `.mom` file.
  public var compiledModel: Data?
  /// The version hashes that stand next to it: in `VersionInfo.plist`, or in the store.
  public var versionHashes: [String: Data]?

  /// Makes a source of a model without anything beside it.
  public init(_ model: Model) {
    self.model = model
  }

  /// Makes a source of a model that is part of the file at a path.
  package init(_ model: Model, in path: String) {
    (self.model, self.path) = (model, path)
  }

  /// The hashes of the entities: those that stand next to the model, else those computed from it.
  public func hashes() -> [String: Data] {
    let known = versionHashes ?? [:]
    return Dictionary(
      uniqueKeysWithValues: model.versionHashes().map { ($0, known[$0] ?? $1) })
  }

  /// The names of the entities whose hash may differ from the one of Core Data, sorted.
  ///
  /// None is among them whose hash stands next to the model.
  public var uncertainHashes: [String] {
    model.entitiesWithUncertainHash.filter { versionHashes?[$0] == nil }
  }

  /// The names of the entities whose computed hash is not the one that stands next to the model.
  public var differingHashes: [String] {
    guard let versionHashes else { return [] }
    let uncertain = Set(model.entitiesWithUncertainHash)
    return model.entitiesThatDiffer(from: versionHashes).filter { !uncertain.contains($0) }
  }
}

extension ModelSource {
  /// Merges models, as `NSManagedObjectModel.mergedModel(from:)` does with those of an app's bundles.
  ///
  /// - Parameter sources: The models, one at least.
  /// - Throws: `ModelError` with the code `conflictingEntity` if entities of one name differ.
  package init(merging sources: [ModelSource]) throws(ModelError) {
    guard let first = sources.first, sources.count > 1 else {
      self = sources.first ?? ModelSource(Model())
      return
    }
    var model = first.model
    var owners = Dictionary(
      first.model.entities.map { ($0.name, (entity: $0, path: first.path)) },
      uniquingKeysWith: { first, _ in first })
    for source in sources.dropFirst() {
      for entity in source.model.entities {
        guard let known = owners[entity.name] else {
          owners[entity.name] = (entity, source.path)
          model.entities.append(entity)
          continue
        }
        guard known.entity == entity else {
          throw ModelError(
            .conflictingEntity, path: source.path ?? "", entity: entity.name, name: known.path)
        }
      }
      model.versionIdentifiers += source.model.versionIdentifiers.filter {
        !model.versionIdentifiers.contains($0)
      }
      model.notes += source.model.notes
      model.hasConfigurations = model.hasConfigurations || source.model.hasConfigurations
    }
    model.entities.sort { $0.name.precedesInBytes($1.name) }
    self.init(model)
    guard sources.contains(where: { $0.versionHashes != nil }) else { return }
    var hashes: [String: Data] = [:]
    for source in sources {
      let uncertain = Set(source.uncertainHashes)
      for (name, hash) in source.hashes() where !uncertain.contains(name) { hashes[name] = hash }
    }
    versionHashes = hashes
  }
}

/// A source whose objects are those of a Core Data model, as those of a Core Data store are.
///
/// Its classes are the entities, by their names, with the superentities as superclasses; the keys
/// of an object are the stored attributes and relationships of its entity, inherited ones included,
/// each of which every object has. A to-many relationship is a collection (a set, or an ordered set
/// where the model says so), empty where nothing is related.
package protocol ModelledSource: GraphSource {
  /// The model that it is read by.
  var modelSource: ModelSource { get }
  /// True if values of attributes may be objects and collections, which no model describes.
  var holdsObjectsInValues: Bool { get }
}

extension ModelledSource {
  package var holdsObjectsInValues: Bool { false }
}
