import DataModel
import MappingModels
import Mappings

// Which source objects an entity mapping migrates.
extension MappingCompiler {
  /// The source entity whose objects an entity mapping migrates, and which of them; nil if it
  /// migrates no objects.
  func fetch(
    _ mapping: MigrationEntityMapping
  ) throws(MigrationError) -> (entity: Int, predicate: ExpressionNode)? {
    switch mapping.sourceExpression {
    case nil: return nil
    case .fetch(let name, let predicate, let isCountOnly):
      guard let entity = sourceHierarchy.index(of: name) else {
        throw MigrationError(.unknownSourceEntity, name: name)
      }
      guard !isCountOnly else {
        throw MigrationError(.unsupportedSource, name: "it only counts objects")
      }
      return (entity, predicate)
    case .some(let expression):
      throw MigrationError(.unsupportedSource, name: expression.format)
    }
  }

  func filter(
    _ predicate: ExpressionNode, of entity: Int
  ) throws(MigrationError) -> FilterPredicate? {
    if predicate == .truth(true) { return nil }
    let filter = try filter(predicate)
    // Without it, other objects would be migrated: no drift makes up for that.
    if let path = unknownPath(among: filter.keyPaths, of: entity) {
      throw MigrationError(
        .unsupportedSource, name: "\(filter.format): the source entity has no \(path)")
    }
    return filter
  }

  private func filter(_ predicate: ExpressionNode) throws(MigrationError) -> FilterPredicate {
    if case .unknown(let unknown) = predicate {
      do {
        return try FilterPredicate(parsing: unknown.name)
      } catch {
        throw MigrationError(.unsupportedSource, name: "\(unknown.name): \(error)")
      }
    }
    if let mistake = predicate.mistake {
      throw MigrationError(
        .unsupportedSource, name: "\(predicate.format): \(mistake.sentence)")
    }
    return FilterPredicate(predicate)
  }
}
