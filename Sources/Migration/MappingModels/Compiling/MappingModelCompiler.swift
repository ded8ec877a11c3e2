import DataModel
import Foundation
import GraphCore
import Mappings
import Support

extension MappingModelDocument {
  /// The mapping model that Xcode's compiler (`mapc`) makes of it.
  ///
  /// What the author left automatic is filled in:
  /// - an attribute gets `$source.name` where the source entity, or one that it inherits from, has
  ///   an attribute of the same name, and its default value otherwise;
  /// - a relationship gets the objects that those of the source's relationship of the same name
  ///   have become, and none otherwise;
  /// - the objects of the source entity are fetched, with the author's predicate if there is one.
  ///   An expression that was written before counts only where this is switched off.
  ///
  /// These rules are measured on an `.xcmappingmodel` and the `.cdm` that Xcode made of it, and on
  /// stores before and after a migration. Leftovers are left out.
  ///
  /// - Parameters:
  ///   - source: The model that the source store has.
  ///   - destination: The model that the objects are migrated to.
  /// - Returns: The mapping model, its property mappings sorted by name.
  /// - Complexity: Linear in the mappings and the models, but for the automatic relationships, each
  ///   of which looks at all entity mappings.
  package func compiled(from source: Model, to destination: Model) -> MappingModel {
    MappingModelCompiler(self, source, destination).model()
  }
}

struct MappingModelCompiler {
  typealias EntityMapping = MappingModelDocument.EntityMapping
  typealias PropertyMapping = MappingModelDocument.PropertyMapping

  private let document: MappingModelDocument
  var allEntityMappings: [EntityMapping] { document.entityMappings }
  let source: ModelIndex
  let destination: ModelIndex

  init(_ document: MappingModelDocument, _ source: Model, _ destination: Model) {
    self.document = document
    self.source = ModelIndex(source)
    self.destination = ModelIndex(destination)
  }

  func model() -> MappingModel {
    MappingModel(entityMappings: document.entityMappings.map(compiled))
  }

  private func compiled(_ mapping: EntityMapping) -> MigrationEntityMapping {
    let attributes = compiled(mapping.attributeMappings) { attribute($0, of: mapping) }
    return MigrationEntityMapping(
      name: mapping.effectiveName, kind: kind(of: mapping, attributes),
      sourceEntityName: mapping.sourceEntityName,
      sourceVersionHash: mapping.sourceEntityName.flatMap { source.hashes[$0] },
      destinationEntityName: mapping.destinationEntityName,
      destinationVersionHash: mapping.destinationEntityName.flatMap { destination.hashes[$0] },
      sourceExpression: sourceExpression(of: mapping),
      policyClassName: mapping.policyClassName, userInfo: mapping.userInfo,
      attributeMappings: attributes,
      relationshipMappings: compiled(mapping.relationshipMappings) { relationship($0, of: mapping) }
    )
  }

  /// The kind of an entity mapping, which the source of a mapping model does not say.
  ///
  /// In the one compiled file that there is to compare with, an entity whose attributes all stay as
  /// they are is copied, though it has got a relationship and so another version hash.
  private func kind(
    of mapping: EntityMapping, _ attributes: [MigrationPropertyMapping]
  ) -> MigrationEntityMapping.Kind {
    if mapping.policyClassName != nil { return .custom }
    switch (mapping.sourceEntityName, mapping.destinationEntityName) {
    case (nil, nil): return .undefined
    case (nil, _): return .add
    case (_, nil): return .remove
    case (let from?, let to?):
      let isCopy = attributes.allSatisfy { attribute in
        attribute.valueExpression == .sourceValue(attribute.name)
          && source.attribute(attribute.name, of: from)?.type
            == destination.attribute(attribute.name, of: to)?.type
      }
      return isCopy ? .copy : .transform
    }
  }

  private func sourceExpression(of mapping: EntityMapping) -> ExpressionNode? {
    if let written = mapping.sourceExpression, !mapping.isAutomatic { return written }
    guard let entity = mapping.sourceEntityName, mapping.isAutomatic || mapping.filter != nil
    else { return nil }
    return .objects(of: entity, where: mapping.filter ?? .truth(true))
  }

  private func compiled(
    _ mappings: [PropertyMapping], _ expression: (PropertyMapping) -> ExpressionNode?
  ) -> [MigrationPropertyMapping] {
    let sorted = mappings.enumerated().sorted { first, second in
      first.element.name == second.element.name
        ? first.offset < second.offset
        : first.element.name.precedesInBytes(second.element.name)
    }
    return sorted.map(\.element).map { mapping in
      MigrationPropertyMapping(
        name: mapping.name, valueExpression: expression(mapping), userInfo: mapping.userInfo)
    }
  }

  private func attribute(
    _ mapping: PropertyMapping, of entityMapping: EntityMapping
  ) -> ExpressionNode? {
    if let written = mapping.valueExpression { return written }
    guard mapping.isAutomatic, let entity = entityMapping.sourceEntityName,
      source.attribute(mapping.name, of: entity) != nil
    else { return nil }
    return .sourceValue(mapping.name)
  }
}

// Where relationships lead to: the objects that those of the source have become.
extension MappingModelCompiler {
  func relationship(
    _ mapping: PropertyMapping, of entityMapping: EntityMapping
  ) -> ExpressionNode? {
    if let written = mapping.valueExpression { return written }
    if mapping.sourceKeyPath != nil || mapping.sourceMappingName != nil {
      return named(mapping, of: entityMapping)
    }
    guard mapping.isAutomatic, let entity = entityMapping.sourceEntityName,
      source.relationship(mapping.name, of: entity) != nil
    else { return nil }
    return automatic(
      .sourceValue(mapping.name), mapping.name, of: entityMapping)
  }

  /// The expression of a relationship for which a key path or the name of an entity mapping is
  /// given.
  ///
  /// Without a key path, it is that of the relationship of the same name.
  private func named(
    _ mapping: PropertyMapping, of entityMapping: EntityMapping
  ) -> ExpressionNode {
    let path = mapping.sourceKeyPath ?? "$source.\(mapping.name)"
    let sources = ExpressionNode(format: path)
    if case .unknown = sources { return sources }
    guard let name = mapping.sourceMappingName else {
      return automatic(sources, mapping.name, of: entityMapping)
        ?? .unknown(UnknownExpression(.unknownEntityMapping, path))
    }
    return .destinationInstances(ofEntityMapping: name, sources)
  }

  /// The destination objects of what a key path leads to.
  ///
  /// One entity mapping is named if it alone can have made them; otherwise the manager finds out by
  /// the name of the source's relationship, which only a path of one step has.
  ///
  /// - Returns: Nil if neither is possible.
  private func automatic(
    _ sources: ExpressionNode, _ name: String, of entityMapping: EntityMapping
  ) -> ExpressionNode? {
    guard let entity = entityMapping.sourceEntityName,
      let path = sources.path, path.start == .source,
      let target = source.destination(of: path.steps, from: entity)
    else { return nil }
    let isDivided = destinations(name, of: entityMapping).contains(where: destination.hasChildren)
    let mappings = mappings(from: target, to: destinations(name, of: entityMapping))
    if !isDivided, mappings.count == 1 {
      return .destinationInstances(ofEntityMapping: mappings[0].effectiveName, sources)
    }
    guard let key = sources.sourceKey else { return nil }
    return .destinationInstances(ofSourceRelationship: key, sources)
  }

  /// The entities that a relationship of the destination leads to.
  private func destinations(_ name: String, of entityMapping: EntityMapping) -> [String] {
    entityMapping.destinationEntityName.flatMap { destination.relationship(name, of: $0) }?
      .destinations ?? []
  }

  /// The entity mappings that make objects of one of some entities out of those of another, each
  /// with its subentities.
  private func mappings(from entity: String, to destinations: [String]) -> [EntityMapping] {
    allEntityMappings.filter { mapping in
      guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName else {
        return false
      }
      return source.isKind(from, of: entity)
        && destinations.contains { destination.isKind(to, of: $0) }
    }
  }
}
