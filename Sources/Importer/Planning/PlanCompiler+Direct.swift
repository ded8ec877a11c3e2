import ArchiveReader
import Mappings

/// Which entity mappings make their rows straight from the archive.
///
/// Their values may be converted, checked, and replaced by defaults on the way; what their
/// relationships lead to is what the archives show.
extension PlanCompiler {
  /// Finds the classes whose objects become one row each, written straight from the archive, and
  /// among them the plain ones, whose keys are columns as they stand.
  ///
  /// What comes of it is the same as what the entity mapping makes by itself.
  func findDirectClasses(
    _ pass: inout ImportPlan.Pass, _ hierarchy: EntityHierarchy, _ shapes: [EntityShape],
    _ relationships: [StoredRelationship]
  ) {
    // Associations are kept of what entity mappings make.
    guard mapping.passes.isEmpty,
      extensions.migration != nil
        || !pass.entities.contains(where: { $0.policy != nil || $0.asksForRows })
    else { return }
    var rows: [String: KeyedRow] = [:]
    for (name, plan) in pass.classes {
      guard case .mapped(let indices) = plan, indices.count == 1 else { continue }
      rows[name] = keyedRow(of: pass.entities[indices[0]], name, shapes, relationships)
    }
    removeUnfit(&rows, hierarchy)
    var plain = rows.filter(\.value.isPlain)
    removeUnfit(&plain, hierarchy)
    // References for which there is no room are written with plain rows only.
    for (name, row) in rows where row.isOverflowing && plain[name] == nil { rows[name] = nil }
    removeUnfit(&rows, hierarchy)
    for (name, row) in rows {
      guard case .mapped(let indices) = pass.classes[name] else { continue }
      pass.direct[name] = ImportPlan.DirectPlan(
        index: indices[0], bound: row.bound, isPlain: plain[name] != nil)
    }
    for (name, row) in plain {
      pass.classes[name] = .plain(entity: row.entity, properties: row.properties)
    }
  }

  /// The property of each key of a class, where an entity mapping can be run straight from the
  /// archive; nil if it cannot.
  private func keyedRow(
    of plan: ImportPlan.EntityPlan, _ className: String, _ shapes: [EntityShape],
    _ relationships: [StoredRelationship]
  ) -> KeyedRow? {
    guard let found = entityOfOwnRows(plan, className) else { return nil }
    let shape = shapes[plan.entity]
    let references = Set(found.relationships.map(\.key) + found.collections.map(\.key))
    let attributes = Dictionary(found.attributes.map { ($0.key, $0) }) { first, _ in first }
    let keysOfSigns = Set(found.attributes.lazy.filter(\.holdsNegativeZero).map(\.key))
    var row = KeyedRow(plan)
    var filled: Set<Int> = []
    for (place, attribute) in plan.attributes.enumerated() {
      let stored = shape.attributes[attribute.attribute]
      guard filled.insert(attribute.attribute).inserted,
        attribute.conversion?.needsArchive != true
      else { return nil }
      let isBound = attribute.isBoundAsItIs(stored, attributes)
      if isBound { row.bound.insert(place) }
      switch attribute.source {
      case .constant(let value):
        guard stored.column != nil, attribute.conversion == nil, !value.isReference else {
          return nil
        }
        row.isPlain = false
      case .expression:
        return nil
      case .keyPath:
        guard let key = attribute.source.key else { return nil }
        row.add(key, attribute: stored.attribute.name)
        // What is not plain under the key goes to a relationship or collection of the same name.
        if references.contains(key) {
          guard isBound, !archivesTransformables,
            shape.relationshipIndices[stored.attribute.name] != nil
              || shape.collections[stored.attribute.name] != nil
              || plan.overflowing[key] == stored.attribute.name,
            row.add(key, link: stored.attribute.name)
          else { return nil }
        } else if !isBound {
          guard stored.column != nil,
            stored.type != .transformable || attribute.conversion?.rules == [.unarchive]
          else { return nil }
        }
        // The archives have -0.0, and the column does not keep its sign.
        let losesSigns =
          given == nil && !stored.attribute.holdsNegativeZero && keysOfSigns.contains(key)
        if !isBound || losesSigns { row.isPlain = false }
      }
    }
    for (index, stored) in shape.attributes.enumerated() where !filled.contains(index) {
      if stored.attribute.isOptional, stored.defaultValue == nil { continue }
      // What has a default and no room in its table is left to the context.
      guard stored.column != nil else { return nil }
      row.isPlain = false
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
        row.isPlain = false
        continue
      }
      guard row.add(relationship, shape, found) else { return nil }
    }
    for collection in plan.collections {
      guard row.add(collection.key, link: collection.name) else { return nil }
    }
    for (key, name) in plan.overflowing {
      guard row.add(key, link: name) else { return nil }
    }
    return row.links.keys.allSatisfy { takesAll(under: $0, plan, found, relationships) }
      ? row : nil
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
        !relationship.isToMany && plan.overflowing[key] != nil
          || plan.relationships.contains {
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
  ///   - found: The attributes that the archives show of the class, by their keys.
  /// - Returns: False if values may have to be converted, checked or replaced by a default.
  fileprivate func isBoundAsItIs(
    _ stored: EntityShape.StoredAttribute, _ found: [String: Attribute]
  ) -> Bool {
    guard conversion == nil, let key = source.keyPath?.first, stored.acceptsEverything,
      stored.attribute.isOptional, stored.defaultValue == nil
    else { return false }
    guard let source = found[key] else {
      return stored.type != .transformable
    }
    return source.type == stored.type || stored.type == .mixed || source.type == .unknown
  }
}

extension RelationshipMapping {
  /// The key of a to-one relationship for which the table of its entity has no room, if it is one.
  func keyWithoutRoom(_ shape: EntityShape) -> String? {
    guard shape.overflowingLinks.contains(name.value), split == nil, entityMapping == nil,
      isToMany.map({ !$0 }) ?? (shape.relationshipIndices[name.value] == nil)
    else { return nil }
    return source.value.key
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

/// The choice of the classes that can be written straight from the archive together.
extension PlanCompiler {
  /// The entity that the archives show for a class, if each of its objects becomes one row of its
  /// own.
  func entityOfOwnRows(_ plan: ImportPlan.EntityPlan, _ className: String) -> Entity? {
    // A row of several classes, or one that others find, is not made by one class alone.
    guard plan.isSimple, plan.policy == nil,
      model.entities[plan.entity].archivedClasses.count <= 1 || given != nil
    else { return nil }
    return inferredEntity(of: className)
  }

  /// Removes the classes with a relationship that leads out of these, or means something else in
  /// the model than in the archives: what it leads to must be among them, and what leads back.
  func removeUnfit(_ rows: inout [String: KeyedRow], _ hierarchy: EntityHierarchy) {
    var isStable = false
    while !isStable {
      isStable = true
      for (name, row) in rows {
        let isFit = inferredEntity(of: name)?.relationships.allSatisfy {
          isSame($0, row, among: rows, hierarchy)
        }
        guard isFit == false else { continue }
        rows[name] = nil
        isStable = false
      }
    }
  }

  /// True if an inferred relationship means the same in the model that was made.
  private func isSame(
    _ relationship: Relationship, _ found: KeyedRow, among plain: [String: KeyedRow],
    _ hierarchy: EntityHierarchy
  ) -> Bool {
    guard let name = found.links[relationship.key] else { return true }
    guard
      let declared = hierarchy.relationship(
        name, of: found.entity, in: model, isToMany: relationship.isToMany),
      declared.isOrdered == relationship.isOrdered
    else { return false }
    for destination in relationship.destinations {
      guard let target = inferredEntity(named: destination),
        let targetClass = target.archivedClasses.first, let row = plain[targetClass],
        declared.destinations.contains(model.entities[row.entity].name)
      else { return false }
    }
    guard let inverse = relationship.inverse else { return declared.inverse == nil }
    guard let target = inferredEntity(named: relationship.destinations[0]),
      let targetClass = target.archivedClasses.first,
      let back = target.relationships.first(where: { $0.name == inverse })
    else { return false }
    return declared.inverse != nil
      && declared.inverse == plain[targetClass]?.links[back.key]
  }
}

extension PlanCompiler {
  /// Objects that become one row each, whose keys are its properties.
  struct KeyedRow {
    let entity: Int
    /// The property of each key that leads to rows, or holds a collection.
    private(set) var links: [String: String] = [:]
    /// The attribute of each key.
    private var columns: [String: String] = [:]
    /// The places of the attributes whose values are bound as they stand.
    var bound: Set<Int> = []
    /// True if the keys are columns as they stand, and nothing else is made of them.
    var isPlain: Bool
    /// True if it has relationships for which the entity's table has no room.
    let isOverflowing: Bool

    /// The property of each key, where that is all that there is to know.
    var properties: [String: String] { links.merging(columns) { link, _ in link } }

    init(_ plan: ImportPlan.EntityPlan) {
      entity = plan.entity
      isPlain = plan.unread.isEmpty && !plan.dropsOrder
      isOverflowing = !plan.overflowing.isEmpty
    }

    /// Lets a key lead to an attribute.
    mutating func add(_ key: String, attribute name: String) {
      if (columns[key] ?? links[key] ?? name) != name { isPlain = false }
      columns[key] = name
    }

    /// Lets a key lead to rows, or to a collection; returns false if it leads elsewhere.
    mutating func add(_ key: String, link name: String) -> Bool {
      if (columns[key] ?? name) != name { isPlain = false }
      guard links[key] == nil || links[key] == name else { return false }
      links[key] = name
      return true
    }

    /// Lets a key lead to a relationship; returns false if it is not one key that leads to rows by
    /// itself.
    ///
    /// - Parameters:
    ///   - plan: The relationship.
    ///   - shape: The entity.
    ///   - found: The entity that the archives show for the class.
    /// - Returns: True if it leads there.
    mutating func add(
      _ plan: ImportPlan.RelationshipPlan, _ shape: EntityShape, _ found: Entity
    ) -> Bool {
      guard plan.split == nil, plan.entityMapping == nil, let key = plan.source.key,
        found.relationships.contains(where: { $0.key == key }),
        let name = shape.relationshipIndices.first(where: { $0.value == plan.relationship })?.key
      else { return false }
      return add(key, link: name.replacing(StoredRelationship.secondSuffix, with: ""))
    }
  }
}
