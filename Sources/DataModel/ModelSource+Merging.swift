import Foundation
import Support

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
