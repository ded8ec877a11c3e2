import DataModel
import GraphCore
import Mappings

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
