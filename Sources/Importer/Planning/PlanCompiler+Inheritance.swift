import ArchiveReader
import Support

/// The settings that subentities inherit from the blocks of their parents.
extension PlanCompiler {
  /// Lets each draft inherit what the blocks of its entity's ancestors say, pass by pass.
  mutating func inheritSettings() {
    let hierarchy = self.hierarchy
    for pass in drafts.indices {
      let draftsOfEntities = Dictionary(grouping: drafts[pass].indices) { drafts[pass][$0].entity }
      // For each entity, what its subentities inherit.
      var settings: [Int: EntityMapping] = [:]
      for entity in hierarchy.parentsFirst {
        let inherited = hierarchy.parents[entity].flatMap { settings[$0] }
        let indices = draftsOfEntities[model.entities[entity].name] ?? []
        for index in indices {
          guard let inherited else { break }
          drafts[pass][index].mapping = drafts[pass][index].mapping.inheriting(inherited)
        }
        let own = indices.map { drafts[pass][$0].mapping }
        // Of several blocks, what all of them say is a setting of the entity.
        settings[entity] =
          own.dropFirst().reduce(own.first) { $0?.common(with: $1) } ?? inherited
      }
    }
  }

  /// The places of all drafts, those of parents before those of their subentities.
  func draftsParentsFirst() -> [(pass: Int, index: Int)] {
    let hierarchy = self.hierarchy
    let ranks = Dictionary(
      hierarchy.parentsFirst.map { (model.entities[$0].name, hierarchy.ancestors(of: $0).count) },
      uniquingKeysWith: { first, _ in first })
    let places = drafts.indices.flatMap { pass in
      drafts[pass].indices.map { (pass: pass, index: $0) }
    }
    func rank(_ place: (pass: Int, index: Int)) -> Int {
      ranks[drafts[place.pass][place.index].entity] ?? 0
    }
    // Sorting is not promised to keep the order of equals.
    return places.sorted { (rank($0), $0.pass, $0.index) < (rank($1), $1.pass, $1.index) }
  }

  /// Moves attributes that tell rows of an entity apart from its subentities to itself, where only
  /// those have objects.
  mutating func hoistIdentities() {
    let hierarchy = self.hierarchy
    for index in hierarchy.parentsFirst where hierarchy.hasChildren(index) {
      for name in model.entities[index].uniquenessConstraints.joined()
      where holder(ofAttribute: name, index) == nil {
        var hoisted: Attribute?
        for descendant in hierarchy.withDescendants(of: index) {
          guard
            let position = model.entities[descendant].attributes.firstIndex(where: {
              $0.name == name
            })
          else { continue }
          let own = model.entities[descendant].attributes.remove(at: position)
          guard var merged = hoisted else {
            hoisted = own
            continue
          }
          merged.type = merged.type.common(with: own.type)
          merged.holdsNegativeZero = merged.holdsNegativeZero || own.holdsNegativeZero
          hoisted = merged
        }
        if let hoisted { model.entities[index].attributes.append(hoisted) }
        lookup.forgetProperties()
      }
    }
  }

  /// The classes that show what a property of a draft is: those of its subentities if it has none.
  func showingClasses(_ draft: EntityDraft) -> [String] {
    guard draft.sources.isEmpty, let index = entityIndex(draft.entity) else {
      return draft.sources
    }
    let hierarchy = self.hierarchy
    guard hierarchy.hasChildren(index) else { return [] }
    let names = Set(hierarchy.withDescendants(of: index).map { model.entities[$0].name })
    return drafts.joined().filter { names.contains($0.entity) }.flatMap(\.sources).uniqued()
  }

  /// The entity that has a collection, itself or by inheritance; nil if none has.
  func holder(ofCollection name: String, _ index: Int) -> Int? {
    hierarchy.ancestors(of: index).first { ancestor in
      lookup.collection(name, of: ancestor, in: model) != nil
    }
  }

  /// The entity that has an attribute, itself or by inheritance; nil if none has.
  func holder(ofAttribute name: String, _ index: Int) -> Int? {
    hierarchy.ancestors(of: index).first { ancestor in
      lookup.attribute(name, of: ancestor, in: model) != nil
    }
  }

  /// The entity that has a relationship, itself or by inheritance; nil if none has.
  func holder(ofRelationship name: String, _ index: Int) -> Int? {
    hierarchy.ancestors(of: index).first { ancestor in
      lookup.relationship(name, of: ancestor, in: model) != nil
    }
  }
}

extension EntityMapping {
  /// The block with what the block of its entity's parent says: what it says itself goes before.
  func inheriting(_ parent: EntityMapping) -> EntityMapping {
    var merged = self
    let own = Set(
      attributes.map(\.name.value) + relationships.map(\.name.value)
        + collections.map(\.name.value))
    merged.attributes = attributes.map { attribute in
      parent.attributes.first { $0.name == attribute.name }.map(attribute.inheriting) ?? attribute
    }
    // What the subentity leaves unread, it does not have from its parent.
    let left = Set(unread.map(\.value))
    merged.attributes += parent.attributes.filter {
      !own.contains($0.name.value) && left.isDisjoint(with: $0.source.value.keys)
    }
    merged.relationships = relationships.map { relationship in
      let others = parent.relationships.filter { $0.name == relationship.name }
      let other =
        others.first { relationship.isToMany == nil || $0.isToMany == relationship.isToMany }
        ?? others.first
      return other.map(relationship.inheriting) ?? relationship
    }
    merged.relationships += parent.relationships.filter { !own.contains($0.name.value) }
    merged.collections = collections.map { collection in
      parent.collections.first { $0.name == collection.name }.map(collection.inheriting)
        ?? collection
    }
    merged.collections += parent.collections.filter { !own.contains($0.name.value) }
    // A row of the subentity is one of the parent, so both have to hold.
    if let outer = parent.filter {
      merged.filter = filter.map { Marked(outer.value.and($0.value), at: $0.mark) } ?? outer
    }
    if identity.isEmpty { merged.identity = parent.identity }
    let read = Set(
      attributes.flatMap(\.source.value.keys) + relationships.flatMap(\.source.value.keys)
        + collections.map(\.key.value))
    merged.unread += parent.unread.filter { !unread.contains($0) && !read.contains($0.value) }
    return merged
  }

  /// The settings that two blocks of one entity share, of those that subentities inherit.
  fileprivate func common(with other: EntityMapping) -> EntityMapping {
    var common = self
    common.attributes = attributes.filter(other.attributes.contains)
    common.relationships = relationships.filter(other.relationships.contains)
    common.collections = collections.filter(other.collections.contains)
    if filter != other.filter { common.filter = nil }
    if identity != other.identity { common.identity = [] }
    common.unread = unread.filter(other.unread.contains)
    return common
  }
}

extension AttributeMapping {
  /// The attribute with what the block of the parent says of it.
  fileprivate func inheriting(_ parent: AttributeMapping) -> AttributeMapping {
    var merged = self
    if source.isImplied(by: name) { merged.source = parent.source }
    // A conversion is for what an archive holds.
    if conversions.isEmpty, merged.source.value.keyPath != nil || merged.source == parent.source {
      merged.conversions = parent.conversions
    }
    merged.type = type ?? parent.type
    merged.keepsNegativeZero = keepsNegativeZero || parent.keepsNegativeZero
    return merged
  }
}

extension RelationshipMapping {
  /// The relationship with what the block of the parent says of it.
  fileprivate func inheriting(_ parent: RelationshipMapping) -> RelationshipMapping {
    var merged = self
    if source.isImplied(by: name) { merged.source = parent.source }
    if destinations.isEmpty { merged.destinations = parent.destinations }
    merged.isToMany = isToMany ?? parent.isToMany
    merged.isOrdered = isOrdered ?? parent.isOrdered
    merged.inverse = inverse ?? parent.inverse
    merged.split = split ?? parent.split
    merged.entityMapping = entityMapping ?? parent.entityMapping
    return merged
  }
}

extension CollectionMapping {
  /// The collection with what the block of the parent says of it.
  fileprivate func inheriting(_ parent: CollectionMapping) -> CollectionMapping {
    var merged = self
    if key.value == ArchivedName.text(name.value), key.mark == name.mark { merged.key = parent.key }
    merged.form = form ?? parent.form
    return merged
  }
}

extension Marked<ValueSource> {
  /// True if it is the key of a property's own name, and nothing says so.
  fileprivate func isImplied(by name: Marked<String>) -> Bool {
    value == .keyPath([ArchivedName.text(name.value)]) && mark == name.mark
  }
}
