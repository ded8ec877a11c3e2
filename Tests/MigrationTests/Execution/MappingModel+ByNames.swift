import DataModel
import Mappings
import Migration

extension MappingModel {
  /// A mapping model that takes everything to what has the same name or renaming identifier.
  static func byNames(from source: Model, to destination: Model) -> MappingModel {
    let old = EntityHierarchy(source)
    let new = EntityHierarchy(destination)
    var mappings: [MigrationEntityMapping] = []
    for (number, entity) in destination.entities.enumerated() where !entity.isAbstract {
      let origin = entity.renamingIdentifier ?? entity.name
      guard let from = old.index(of: origin) else { continue }
      let whole = new.withInherited(number, in: destination)
      let before = old.withInherited(from, in: source)
      mappings.append(
        MigrationEntityMapping(
          name: "Transform_\(entity.name)", kind: .transform, sourceEntityName: origin,
          destinationEntityName: entity.name,
          sourceExpression: .objects(of: origin),
          attributeMappings: whole.attributes.compactMap { attribute in
            let key = attribute.renamingIdentifier ?? attribute.name
            guard before.attributes.contains(where: { $0.name == key }) else { return nil }
            return MigrationPropertyMapping(
              name: attribute.name,
              valueExpression: .message(
                "_nonNilValueOrDefaultValueForAttribute:source:destination:",
                to: .variable("entityPolicy"),
                [.constant(.text(key)), .source, .variable("destination")]))
          },
          relationshipMappings: whole.relationships.compactMap { relationship in
            let key = relationship.renamingIdentifier ?? relationship.name
            guard before.relationships.contains(where: { $0.name == key }) else { return nil }
            return MigrationPropertyMapping(
              name: relationship.name,
              valueExpression: .destinationInstances(
                ofSourceRelationship: key, .sourceValue(key)))
          }))
    }
    return MappingModel(entityMappings: mappings)
  }
}
