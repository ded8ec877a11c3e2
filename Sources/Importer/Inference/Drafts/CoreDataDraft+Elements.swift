import DataModel
import Stores
import Support

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
