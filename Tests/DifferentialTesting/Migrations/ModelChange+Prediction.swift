import DataModel

extension StoreContent {
  /// Makes a change in the model, and does to the objects what a migration must do.
  ///
  /// - Parameters:
  ///   - change: The change; one of what is no longer there is none.
  ///   - number: Tells names apart.
  mutating func apply(_ change: ModelChange, number: Int) {
    switch change {
    case .addAttribute(let entity, let attribute):
      guard let place = place(of: entity) else { return }
      model.entities[place].attributes.append(attribute)
      guard let value = attribute.defaultValue?.leaf else { return }
      for object in objects(of: model.entities[place].name) {
        objects[object].values[attribute.name] = value
      }
    case .removeAttribute(let name, let entity):
      guard let (place, index) = attribute(name, of: entity) else { return }
      let removed = model.entities[place].attributes.remove(at: index).name
      for object in objects.indices { objects[object].values[removed] = nil }
    case .renameAttribute(let name, let entity):
      guard let (place, index) = attribute(name, of: entity) else { return }
      let old = model.entities[place].attributes[index]
      let new = "renamed\(number)"
      model.entities[place].attributes[index].name = new
      model.entities[place].attributes[index].key = new
      model.entities[place].attributes[index].renamingIdentifier = old.original
      for object in objects.indices {
        objects[object].values[new] = objects[object].values.removeValue(forKey: old.name)
      }
    case .makeOptional(let name, let entity):
      // Of one that was made mandatory before, missing values would stay missing.
      guard let (place, index) = attribute(name, of: entity),
        model.entities[place].attributes[index].defaultValue == nil
      else { return }
      model.entities[place].attributes[index].isOptional = true
    case .makeMandatory(let name, let entity, let value):
      guard let (place, index) = attribute(name, of: entity), let leaf = value.leaf else { return }
      model.entities[place].attributes[index].isOptional = false
      model.entities[place].attributes[index].defaultValue = value
      let name = model.entities[place].attributes[index].name
      for object in objects(of: model.entities[place].name)
      where objects[object].values[name] == nil {
        objects[object].values[name] = leaf
      }
    case .widen(let name, let entity, let type):
      guard let (place, index) = attribute(name, of: entity) else { return }
      model.entities[place].attributes[index].type = type
    case .addEntity(var entity):
      if let parent = entity.parent {
        guard let place = place(of: parent) else { return }
        entity.parent = model.entities[place].name
      }
      model.entities.append(entity)
    case .removeEntity(let name): removeEntity(name)
    case .renameEntity(let name): renameEntity(name, to: "Renamed\(number)")
    case .addRelationship(let from, let to, let isToMany, let isOrdered):
      guard let here = place(of: from), let there = place(of: to) else { return }
      let (name, inverse) = ("addedLink\(number)", "addedBack\(number)")
      model.entities[here].relationships.append(
        Relationship(
          name: name, destinations: [model.entities[there].name], isToMany: isToMany,
          isOrdered: isOrdered, inverse: inverse))
      model.entities[there].relationships.append(
        Relationship(
          name: inverse, destinations: [model.entities[here].name], isToMany: true, inverse: name))
    case .removeRelationship(let name, let entity):
      guard let (place, index) = relationship(name, of: entity) else { return }
      removePair(model.entities[place].relationships[index])
    case .renameRelationship(let name, let entity):
      guard let (place, index) = relationship(name, of: entity) else { return }
      rename(place, index, to: "renamedLink\(number)")
    case .redirectRelationship(let name, let entity, let destination):
      guard let (place, index) = relationship(name, of: entity),
        let destination = self.place(of: destination)
      else { return }
      redirect(model.entities[place].relationships[index], of: place, to: destination)
    }
  }

  // MARK: Places

  private func place(of entity: String) -> Int? {
    model.entities.firstIndex { ($0.renamingIdentifier ?? $0.name) == entity }
  }

  private func attribute(_ name: String, of entity: String) -> (Int, Int)? {
    guard let place = place(of: entity) else { return nil }
    return model.entities[place].attributes.firstIndex { $0.original == name }.map { (place, $0) }
  }

  private func relationship(_ name: String, of entity: String) -> (Int, Int)? {
    guard let place = place(of: entity) else { return nil }
    return model.entities[place].relationships.firstIndex {
      $0.original == name
    }.map { (place, $0) }
  }

  // MARK: Entities

  /// Removes an entity that none inherits from, with the relationships that lead to it.
  private mutating func removeEntity(_ name: String) {
    guard let place = place(of: name), model.entities.count > 1 else { return }
    let removed = model.entities[place]
    guard !hasChildren(removed.name) else { return }
    for relationship in removed.relationships
    where model.entities[place].relationships.contains(relationship) {
      removePair(relationship)
    }
    let gone = objects(of: removed.name)
    model.entities.remove(at: place)
    var numbers: [Int: Int] = [:]
    for object in objects.indices where !gone.contains(object) { numbers[object] = numbers.count }
    objects = objects.indices.filter { numbers[$0] != nil }.map { number in
      var object = objects[number]
      object.links = object.links.mapValues { $0.compactMap { numbers[$0] } }
      return object
    }
  }

  private mutating func renameEntity(_ name: String, to new: String) {
    guard let place = place(of: name) else { return }
    let old = model.entities[place].name
    model.entities[place].renamingIdentifier = name
    model.entities[place].name = new
    for entity in model.entities.indices {
      if model.entities[entity].parent == old { model.entities[entity].parent = new }
      for index in model.entities[entity].relationships.indices
      where model.entities[entity].relationships[index].destinations == [old] {
        model.entities[entity].relationships[index].destinations = [new]
      }
    }
    for object in objects.indices where objects[object].entity == old {
      objects[object].entity = new
    }
  }

  // MARK: Relationships

  private mutating func removePair(_ relationship: Relationship) {
    let names: Set = [relationship.name, relationship.inverse ?? relationship.name]
    for entity in model.entities.indices {
      model.entities[entity].relationships.removeAll { names.contains($0.name) }
    }
    for object in objects.indices {
      for name in names { objects[object].links[name] = nil }
    }
  }

  /// Moves the inverse of a relationship; links to objects that do not have it are left behind.
  ///
  /// A second move could take it back to where a migration finds all links.
  private mutating func redirect(_ relationship: Relationship, of place: Int, to destination: Int) {
    let name = model.entities[destination].name
    guard let inverse = self.inverse(of: relationship), relationship.destinations != [name],
      redirected.isDisjoint(with: [relationship.original, inverse.original])
    else { return }
    redirected.insert(relationship.original)
    for entity in model.entities.indices {
      model.entities[entity].relationships.removeAll { $0.name == inverse.name }
    }
    model.entities[destination].relationships.append(inverse)
    for index in model.entities[place].relationships.indices
    where model.entities[place].relationships[index].name == relationship.name {
      model.entities[place].relationships[index].destinations = [name]
    }
    let isHolder = objects.map { isKind($0.entity, of: name) }
    for object in objects.indices {
      objects[object].links[relationship.name]?.removeAll { !isHolder[$0] }
      if !isHolder[object] { objects[object].links[inverse.name] = nil }
    }
  }

  private mutating func rename(_ place: Int, _ index: Int, to new: String) {
    let old = model.entities[place].relationships[index]
    model.entities[place].relationships[index].name = new
    model.entities[place].relationships[index].key = new
    model.entities[place].relationships[index].renamingIdentifier = old.original
    for entity in model.entities.indices {
      for other in model.entities[entity].relationships.indices
      where model.entities[entity].relationships[other].inverse == old.name {
        model.entities[entity].relationships[other].inverse = new
      }
    }
    for object in objects.indices {
      objects[object].links[new] = objects[object].links.removeValue(forKey: old.name)
    }
  }
}

extension Attribute {
  /// The name that the first version has for it.
  fileprivate var original: String { renamingIdentifier ?? name }
}

extension Relationship {
  /// The name that the first version has for it.
  fileprivate var original: String { renamingIdentifier ?? name }
}

extension AttributeDefault {
  fileprivate var leaf: Leaf? {
    switch self {
    case .string(let text): .text(text)
    case .integer(let number): .integer(number)
    default: nil
    }
  }
}
