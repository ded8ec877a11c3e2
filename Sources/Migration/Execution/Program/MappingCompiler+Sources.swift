import DataModel
import MappingModels
import Mappings

// Which source objects an entity mapping migrates.
extension MappingCompiler {
  /// What an entity mapping fetches; nil if it migrates no objects.
  func fetch(_ mapping: MigrationEntityMapping) throws(MigrationError) -> MigrationFetch? {
    switch mapping.sourceExpression {
    case nil: return nil
    case .fetch(let fetch):
      guard sourceHierarchy.index(of: fetch.entityName) != nil else {
        throw MigrationError(.unknownSourceEntity, name: fetch.entityName)
      }
      guard !fetch.isCountOnly else {
        throw MigrationError(.unsupportedSource, name: "it only counts objects")
      }
      return fetch
    case .some(let expression):
      throw MigrationError(.unsupportedSource, name: expression.format)
    }
  }

  func filter(
    _ predicate: MigrationPredicate, of entity: Int?
  ) throws(MigrationError) -> FilterPredicate? {
    if predicate == .constant(true) { return nil }
    let parsed: FilterPredicate
    do {
      parsed = try FilterPredicate(parsing: predicate.format)
    } catch {
      throw MigrationError(.unsupportedSource, name: "\(predicate.format): \(error)")
    }
    // Without it, other objects would be migrated: no drift makes up for that.
    if let path = unknownPath(among: parsed.keyPaths, of: entity) {
      throw MigrationError(
        .unsupportedSource, name: "\(predicate.format): the source entity has no \(path)")
    }
    return parsed
  }
}
