import DataModel

/// The parts added to the model: relationships with their inverses, attributes, entities and their
/// names.
extension CoreDataDraft {
  /// The names of the entities of classes, in the order of the profile.
  func names(of targets: Set<Int>?) -> [String] {
    (targets ?? []).sorted().compactMap { place in
      let name = profile.classes[place].name
      return inferred.entities.first { $0.archivedClasses.contains(name) }?.name
    }
  }

  /// Adds a relationship to each entity that keys or values of elements may be rows of.
  mutating func addReferences(
    to destinations: [String], _ part: DraftedPart, of index: Int, withCollections: Bool = false
  ) {
    let all = destinations + (withCollections ? [collection].compactMap { $0 } : [])
    for destination in all { relate(index, "\(part.text)_\(destination)", to: destination, part) }
  }

  mutating func relate(
    _ index: Int, _ name: String, to destination: String, _ part: DraftedPart
  ) {
    var relationship = Relationship(
      name: allocate(name, in: index), destinations: [destination], isToMany: false)
    relationship.draftedPart = part
    addWithInverse(relationship, to: destination, of: index)
  }

  /// Adds a relationship and the way back, which leads to any number of rows.
  mutating func addWithInverse(
    _ relationship: Relationship, to destination: String, of index: Int
  ) {
    guard let other = places[destination] else { return }
    let entity = model.entities[index].name
    let start = entity.prefix(1).lowercased() + entity.dropFirst()
    var inverse = Relationship(
      name: allocate("\(start)_\(relationship.name)", in: other), destinations: [entity],
      isToMany: true, inverse: relationship.name)
    inverse.draftedPart = .inverse
    var relationship = relationship
    relationship.inverse = inverse.name
    model.entities[index].relationships.append(relationship)
    model.entities[other].relationships.append(inverse)
  }

  mutating func addAttribute(
    _ name: String, _ type: AttributeType, _ part: DraftedPart?, to index: Int
  ) {
    var attribute = Self.stored(Attribute(name: allocate(name, in: index), type: type))
    attribute.draftedPart = part
    add(attribute, to: index)
  }

  mutating func add(_ attribute: Attribute, to index: Int) {
    model.entities[index].attributes.append(attribute)
  }

  /// The attribute with a type that Core Data has.
  static func stored(_ attribute: Attribute) -> Attribute {
    var stored = attribute
    switch attribute.type {
    case .json, .attributedText: stored.type = .string
    case .mixed, .unknown: stored.type = .transformable
    default: return attribute
    }
    stored.archivedType = attribute.type
    return stored
  }

  // MARK: Names

  mutating func addEntity(_ wanted: String, _ table: DraftedTable) -> String {
    let name = Self.allocate(wanted, &entityNames)
    var entity = Entity(name: name)
    entity.draftedTable = table
    places[name] = model.entities.count
    model.entities.append(entity)
    propertyNames.append([])
    return name
  }

  mutating func allocate(_ wanted: String, in index: Int) -> String {
    Self.allocate(wanted, &propertyNames[index])
  }

  private static func allocate(_ wanted: String, _ taken: inout Set<String>) -> String {
    var name = wanted
    var index = 1
    while !taken.insert(name.folded).inserted {
      index += 1
      name = "\(wanted)_\(index)"
    }
    return name
  }
}
