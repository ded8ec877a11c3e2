import DataModel
import Stores
import Support

/// Completes an inferred model so that a store of Core Data has a place for all that the archives
/// hold.
///
/// Core Data relates rows of two entities, both ways, and has no collections of values. So each
/// relationship gets an inverse; one to several entities gets one to each of them; and each table
/// of elements that the relational layout has becomes an entity. What was added says so, so that
/// rows are related and checked without it: see `Model.withoutDraftedParts`.
package struct CoreDataDraft {
  let profile: SchemaProfile
  let inferred: Model
  let layout: RelationalLayout
  var model = Model()
  /// The names that are in use, in small letters: of entities, and for each of those its
  /// properties.
  var entityNames: Set<String> = []
  var propertyNames: [Set<String>] = []
  /// The entities by their names.
  var places: [String: Int] = [:]
  /// The entity of the collections that no object holds under a key.
  var collection: String?

  /// Completes a model.
  ///
  /// - Parameters:
  ///   - model: The model, with names that Core Data takes.
  ///   - profile: The profile that it was drawn from.
  /// - Returns: The complete model.
  package static func model(_ model: Model, _ profile: SchemaProfile) -> Model {
    var draft = CoreDataDraft(model, profile)
    draft.complete()
    return draft.model
  }

  private init(_ inferred: Model, _ profile: SchemaProfile) {
    self.profile = profile
    self.inferred = inferred
    layout = RelationalLayout(inferred)
    model = inferred
    entityNames = Set(inferred.entities.map { $0.name.folded })
    for (index, entity) in inferred.entities.enumerated() {
      places[entity.name] = index
      let names =
        entity.attributes.map(\.name) + entity.relationships.map(\.name)
        + entity.collections.map(\.name)
      propertyNames.append(Set(names.map(\.folded)))
      model.entities[index].attributes = []
      model.entities[index].relationships = []
      model.entities[index].collections = []
    }
  }

  private mutating func complete() {
    if profile.holdsLooseCollections { collection = addEntity("Collection", .collections) }
    for index in inferred.entities.indices { addProperties(of: index) }
    addLooseCollections()
    addTopLevel()
  }

  // MARK: Properties of classes

  private mutating func addProperties(of index: Int) {
    let entity = inferred.entities[index]
    let properties = layout.entities[index].properties
    for attribute in entity.attributes where properties[attribute.name]?.overflow == nil {
      add(Self.stored(attribute), to: index)
      guard properties[attribute.name]?.runs != nil else { continue }
      addAttribute("\(attribute.name)_runs", .string, .runs(of: attribute.name), to: index)
    }
    for relationship in entity.relationships
    where properties[relationship.name]?.overflow == nil {
      add(relationship, of: index)
      guard relationship.distinguishesEmpty, properties[relationship.name]?.count != nil else {
        continue
      }
      addCount(of: relationship.name, to: index)
    }
    for collection in entity.collections {
      addElements(of: collection, of: index)
      if collection.distinguishesEmpty, properties[collection.name]?.count != nil {
        addCount(of: collection.name, to: index)
      }
    }
    addOverflow(of: index)
  }

  private mutating func addCount(of name: String, to index: Int) {
    addAttribute("\(name)_count", .integer, .count(of: name), to: index)
  }

  private mutating func add(_ relationship: Relationship, of index: Int) {
    let entity = inferred.entities[index]
    let found = profile(of: relationship, entity)
    guard relationship.destinations.count == 1, let destination = relationship.destinations.first,
      !(relationship.isToMany && found?.elements.holdsTwice == true)
    else {
      guard relationship.isToMany else {
        for destination in relationship.destinations {
          let part = DraftedPart.reference(of: relationship.name)
          relate(index, "\(relationship.name)_\(destination)", to: destination, part)
        }
        return
      }
      let elements = addElementEntity(
        of: index, relationship.name, isOrdered: relationship.isOrdered)
      addReferences(to: relationship.destinations, .value, of: elements)
      return
    }
    if let inverse = relationship.inverse {
      if isPair(relationship, of: entity) {
        model.entities[index].relationships.append(relationship)
        return
      }
      var own = relationship
      own.archivedInverse = inverse
      addWithInverse(own, to: destination, of: index)
      return
    }
    addWithInverse(relationship, to: destination, of: index)
  }

  /// True if all rows that either of two inverse relationships leads to lead back by the other.
  private func isPair(_ relationship: Relationship, of entity: Entity) -> Bool {
    guard
      let other = relationship.destinations.first.flatMap({ places[$0] }).map({
        inferred.entities[$0]
      }), let back = other.relationships.first(where: { $0.name == relationship.inverse })
    else { return false }
    guard relationship.isToMany != back.isToMany else { return true }
    let (toMany, toOne) =
      relationship.isToMany
      ? (profile(of: relationship, entity), profile(of: back, other))
      : (profile(of: back, other), profile(of: relationship, entity))
    return toMany?.elements.links == toOne?.references
  }

  func profile(of relationship: Relationship, _ entity: Entity) -> SchemaProfile.PropertyProfile? {
    profile(ofKey: relationship.key, entity)
  }

  func profile(ofKey key: String, _ entity: Entity) -> SchemaProfile.PropertyProfile? {
    guard let index = entity.archivedClasses.first.flatMap({ profile.knownIndex(of: $0) }) else {
      return nil
    }
    let found = profile.classes[index]
    return found.knownIndex(of: key).map { found.properties[$0] }
  }
}

/// Entities for the tables of elements.
extension CoreDataDraft {
  mutating func addElements(of collection: ValueCollection, of index: Int) {
    let found = profile(ofKey: collection.key, inferred.entities[index])
    let elements = addElementEntity(of: index, collection.name, isOrdered: collection.isOrdered)
    if let type = collection.keyType { addAttribute("key", type, .key, to: elements) }
    if let type = collection.valueType { addAttribute("value", type, .value, to: elements) }
    if collection.hasReferencesAsKeys {
      addReferences(
        to: names(of: found?.elements.keyTargets), .key, of: elements,
        withCollections: found?.elements.keyKinds.contains(.collection) == true)
    }
    if collection.hasReferencesAsValues {
      addReferences(
        to: names(of: found?.elements.targets), .value, of: elements,
        withCollections: found?.elements.kinds.contains(.collection) == true)
    }
  }

  /// Adds the entity of what is held under a key of another; returns its place.
  mutating func addElementEntity(
    of index: Int, _ property: String, isOrdered: Bool
  ) -> Int {
    let owner = model.entities[index].name
    let name = addEntity("\(owner)_\(property)", .elements(entity: owner, property: property))
    return relateElements(name, isOrdered: isOrdered, to: index, property)
  }

  mutating func relateElements(
    _ name: String, isOrdered: Bool, to index: Int, _ property: String
  ) -> Int {
    let elements = places[name] ?? 0
    if isOrdered { addAttribute("position", .integer, .position, to: elements) }
    var owns = Relationship(
      name: property, destinations: [name], isToMany: true, inverse: "owner",
      deleteRule: .cascade)
    owns.draftedPart = .elements(of: property)
    var owner = Relationship(
      name: "owner", destinations: [model.entities[index].name], isToMany: false,
      inverse: property)
    owner.draftedPart = .owner
    model.entities[index].relationships.append(owns)
    model.entities[elements].relationships.append(owner)
    propertyNames[elements].insert("owner")
    return elements
  }

  /// Adds the entity of what finds no room in the table of another.
  mutating func addOverflow(of index: Int) {
    guard layout.entities[index].overflow != nil else { return }
    let entity = inferred.entities[index]
    let name = addEntity("\(entity.name)_more", .overflow(entity: entity.name))
    let property = allocate("more", in: index)
    let elements = relateElements(name, isOrdered: false, to: index, property)
    addAttribute("key", .string, .key, to: elements)
    addAttribute("value", .mixed, .value, to: elements)
    let destinations = entity.relationships.filter {
      layout.entities[index].properties[$0.name]?.overflow != nil
    }.flatMap(\.destinations)
    addReferences(to: destinations.uniqued(), .value, of: elements)
  }

  mutating func addLooseCollections() {
    guard let collection, let owner = places[collection] else { return }
    addAttribute("kind", .string, nil, to: owner)
    let name = addEntity("CollectionElement", .collectionElements)
    let elements = relateElements(name, isOrdered: true, to: owner, "elements")
    addAttribute("key", .mixed, .key, to: elements)
    addAttribute("value", .mixed, .value, to: elements)
    addReferences(
      to: names(of: profile.unownedKeyTargets), .key, of: elements, withCollections: true)
    addReferences(to: names(of: profile.looseTargets), .value, of: elements, withCollections: true)
  }

  mutating func addTopLevel() {
    guard let index = places[addEntity("TopLevelValue", .topLevel)] else { return }
    addAttribute("archive", .string, .owner, to: index)
    addAttribute("key", .string, .key, to: index)
    addAttribute("value", .mixed, .value, to: index)
    addReferences(
      to: names(of: profile.looseTargets), .value, of: index, withCollections: true)
  }
}
