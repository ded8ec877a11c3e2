import ArchiveReader

/// Which entity mappings make their rows straight from the archive.
///
/// Their values may be converted, checked, and replaced by defaults on the way; what their
/// relationships lead to is what the archives show.
extension PlanCompiler {
  /// Finds the classes whose objects become one row each, written straight from the archive.
  ///
  /// What comes of it is the same as what the entity mapping makes by itself.
  func findDirectClasses(
    _ pass: inout ImportPlan.Pass, _ hierarchy: EntityHierarchy, _ shapes: [EntityShape],
    _ relationships: [StoredRelationship]
  ) {
    guard mapping.passes.isEmpty,
      !pass.entities.contains(where: { $0.policy != nil || $0.asksForRows })
    else { return }
    var found: [String: KeyedRow] = [:]
    for (name, plan) in pass.classes {
      switch plan {
      case .plain(let entity, let properties):
        found[name] = KeyedRow(entity: entity, properties: properties)
      case .mapped(let indices) where indices.count == 1:
        let plan = pass.entities[indices[0]]
        guard let links = directLinks(of: plan, name, shapes, relationships) else { continue }
        found[name] = links
      default: break
      }
    }
    removeUnfit(&found, hierarchy)
    for name in found.keys {
      guard case .mapped(let indices) = pass.classes[name] else { continue }
      let plan = pass.entities[indices[0]]
      let shape = shapes[plan.entity]
      let bound = plan.attributes.indices.filter { index in
        let attribute = plan.attributes[index]
        return attribute.isBoundAsItIs(
          shape.attributes[attribute.attribute], inferredEntity(of: name))
      }
      pass.direct[name] = ImportPlan.DirectPlan(index: indices[0], bound: Set(bound))
    }
  }

  /// The property of each key of a class that leads to rows, where an entity mapping can be run
  /// straight from the archive; nil if it cannot.
  private func directLinks(
    of plan: ImportPlan.EntityPlan, _ className: String, _ shapes: [EntityShape],
    _ relationships: [StoredRelationship]
  ) -> KeyedRow? {
    guard let found = entityOfOwnRows(plan, className) else { return nil }
    let shape = shapes[plan.entity]
    let references = Set(found.relationships.map(\.key) + found.collections.map(\.key))
    var links = KeyedRow(entity: plan.entity)
    var filled: Set<Int> = []
    for attribute in plan.attributes {
      let stored = shape.attributes[attribute.attribute]
      guard filled.insert(attribute.attribute).inserted,
        attribute.conversion?.needsArchive != true
      else { return nil }
      switch attribute.source {
      case .constant(let value):
        guard stored.column != nil, attribute.conversion == nil, !value.isReference else {
          return nil
        }
      case .expression:
        return nil
      case .keyPath(let path):
        guard path.count == 1 else { return nil }
        // What is not plain under the key goes to a relationship or collection of the same name.
        if references.contains(path[0]) {
          guard attribute.isBoundAsItIs(stored, found), !archivesTransformables,
            shape.relationshipIndices[stored.attribute.name] != nil
              || shape.collections[stored.attribute.name] != nil,
            links.add(path[0], stored.attribute.name)
          else { return nil }
        } else if !attribute.isBoundAsItIs(stored, found) {
          guard stored.column != nil,
            stored.type != .transformable || attribute.conversion?.rules == [.unarchive]
          else { return nil }
        }
      }
    }
    // What has a default and no room in its table is left to the context.
    for (index, stored) in shape.attributes.enumerated()
    where !filled.contains(index) && stored.column == nil {
      guard stored.attribute.isOptional, stored.defaultValue == nil else { return nil }
    }
    var related: Set<Int> = []
    for relationship in plan.relationships {
      guard related.insert(relationship.relationship).inserted else { return nil }
      if relationship.split != nil {
        let stored = relationships[relationship.relationship]
        guard relationship.entityMapping == nil, let key = relationship.source.key,
          stored.isToMany, stored.elements != nil, stored.count == nil,
          stored.inverse != relationship.relationship, !references.contains(key)
        else { return nil }
        continue
      }
      guard links.add(relationship, shape, found) else { return nil }
    }
    for collection in plan.collections {
      guard links.add(collection.key, collection.name) else { return nil }
    }
    return links.properties.keys.allSatisfy { takesAll(under: $0, plan, found, relationships) }
      ? links : nil
  }

  /// Whether an entity mapping has a property for every kind of value that stands under a key.
  func takesAll(
    under key: String, _ plan: ImportPlan.EntityPlan, _ found: Entity,
    _ relationships: [StoredRelationship]
  ) -> Bool {
    let isPlainTaken =
      !found.attributes.contains { $0.key == key }
      || plan.attributes.contains { $0.source.keyPath == [key] }
    let isCollectionTaken =
      !found.collections.contains { $0.key == key } || plan.collections.contains { $0.key == key }
    return isPlainTaken && isCollectionTaken
      && found.relationships.filter { $0.key == key }.allSatisfy { relationship in
        plan.relationships.contains {
          $0.source.keyPath == [key] && $0.split == nil
            && relationships[$0.relationship].isToMany == relationship.isToMany
        }
      }
  }
}

extension ImportPlan.AttributePlan {
  /// Whether all values under its key, and nothing as well, are bound as they stand in the archive.
  ///
  /// - Parameters:
  ///   - stored: The attribute that they are for.
  ///   - found: What the archives show of the class.
  /// - Returns: False if values may have to be converted, checked or replaced by a default.
  fileprivate func isBoundAsItIs(_ stored: EntityShape.StoredAttribute, _ found: Entity?) -> Bool {
    guard conversion == nil, let key = source.keyPath?.first, stored.acceptsEverything,
      stored.attribute.isOptional, stored.defaultValue == nil
    else { return false }
    guard let source = found?.attributes.first(where: { $0.key == key }) else {
      return stored.type != .transformable
    }
    return source.type == stored.type || stored.type == .mixed || source.type == .unknown
  }
}

extension ImportValue {
  /// Whether it is a row, or may hold some.
  fileprivate var isReference: Bool {
    switch self {
    case .row, .list, .set, .dictionary, .foundation: true
    default: false
    }
  }
}
