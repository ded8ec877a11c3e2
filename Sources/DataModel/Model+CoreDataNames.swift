extension Model {
  /// The model with names that Core Data takes, each entity's properties of all kinds told apart.
  ///
  /// Archived keys stay; what gets another name has its former one as renaming identifier. An
  /// entity without archived classes comes from a Core Data model, which has taken its names
  /// already.
  func withCoreDataNames() -> Model {
    var renaming = CoreDataRenaming(self)
    return renaming.renamedModel()
  }
}

extension Entity {
  fileprivate var comesFromCoreData: Bool { archivedClasses.isEmpty }
}

/// Gives the entities and properties of a model names that Core Data takes.
private struct CoreDataRenaming {
  /// The new names of an entity's properties.
  private struct Names {
    /// The names of the attributes, the relationships and the collections, in their order.
    var all: [String] = []
    /// By the former names.
    var attributes: [String: String] = [:]
    var relationships: [String: String] = [:]
    /// The names of the inherited properties too.
    var taken = TakenNames()
  }

  private let model: Model
  private let parents: [String: String]
  /// By the former names, as all that follows.
  private var entityNames: [String: String] = [:]
  private var takenEntityNames = TakenNames()
  private var propertyNames: [String: Names] = [:]

  init(_ model: Model) {
    self.model = model
    parents = Dictionary(
      model.entities.compactMap { entity in entity.parent.map { (entity.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  mutating func renamedModel() -> Model {
    let names = takenEntityNames.names(
      for: model.entities.map { ($0.name, $0.comesFromCoreData) }, Model.CoreDataName.entity)
    entityNames = Self.table(model.entities.map(\.name), names)
    // Parents come first.
    for entity in model.numberedEntities.map(\.entity) { nameProperties(of: entity) }
    var renamed = model
    renamed.entities = model.entities.map(renamedEntity)
    return renamed
  }

  private mutating func nameProperties(of entity: Entity) {
    var own = Names()
    if let parent = entity.parent, let inherited = propertyNames[parent] {
      own.taken = inherited.taken
    }
    let attributes = entity.attributes.map(\.name)
    let relationships = entity.relationships.map(\.name)
    let former = attributes + relationships + entity.collections.map(\.name)
    own.all = own.taken.names(
      for: former.map { ($0, entity.comesFromCoreData) }, Model.CoreDataName.property)
    own.attributes = Self.table(attributes, own.all)
    own.relationships = Self.table(relationships, own.all.dropFirst(attributes.count))
    propertyNames[entity.name] = own
  }

  private static func table(_ former: [String], _ new: some Sequence<String>) -> [String: String] {
    Dictionary(zip(former, new), uniquingKeysWith: { first, _ in first })
  }

  // MARK: Renaming

  private func renamedEntity(_ entity: Entity) -> Entity {
    guard let own = propertyNames[entity.name] else { return entity }
    var renamed = entity
    renamed.name = entityName(entity.name)
    renamed.parent = entity.parent.map(entityName)
    renamed.renamingIdentifier =
      entity.renamingIdentifier ?? Self.identifier(entity.name, takenEntityNames)
    var names = own.all[...]
    for place in entity.attributes.indices {
      let former = entity.attributes[place]
      renamed.attributes[place].name = names.removeFirst()
      renamed.attributes[place].renamingIdentifier =
        former.renamingIdentifier ?? Self.identifier(former.name, own.taken)
    }
    for place in entity.relationships.indices {
      let former = entity.relationships[place]
      renamed.relationships[place].name = names.removeFirst()
      renamed.relationships[place].destinations = former.destinations.map(entityName)
      renamed.relationships[place].inverse = former.inverse.map { inverse in
        find(inverse, of: former.destinations.first, \.relationships) ?? inverse
      }
      renamed.relationships[place].renamingIdentifier =
        former.renamingIdentifier ?? Self.identifier(former.name, own.taken)
    }
    for place in entity.collections.indices {
      renamed.collections[place].name = names.removeFirst()
    }
    renamed.uniquenessConstraints = entity.uniquenessConstraints.map { constraint in
      constraint.map { name in
        find(name, of: entity.name, \.attributes) ?? find(name, of: entity.name, \.relationships)
          ?? name
      }
    }
    for place in entity.fetchIndexes.indices {
      for (number, element) in entity.fetchIndexes[place].elements.enumerated() {
        guard let name = element.property else { continue }
        renamed.fetchIndexes[place].elements[number].property =
          find(name, of: entity.name, \.attributes) ?? find(name, of: entity.name, \.relationships)
          ?? name
      }
    }
    return renamed
  }

  /// The former name, unless it is in use: what has it has it as its identifier too.
  private static func identifier(_ former: String, _ taken: TakenNames) -> String? {
    taken.contains(former) ? nil : former
  }

  private func entityName(_ former: String) -> String { entityNames[former] ?? former }

  /// The new name of a property, which the entity may have inherited.
  private func find(
    _ former: String, of entity: String?, _ kind: KeyPath<Names, [String: String]>
  ) -> String? {
    var next = entity
    // Those without names inherit from themselves.
    while let entity = next, let names = propertyNames[entity] {
      if let name = names[keyPath: kind][former] { return name }
      next = parents[entity]
    }
    return nil
  }
}

/// Names that are in use, compared without regard to case but where Core Data tells them apart.
private struct TakenNames {
  private var exact: Set<String> = []
  private var folded: Set<String> = []

  func contains(_ name: String) -> Bool { exact.contains(name) }

  /// New names in place of others.
  ///
  /// - Parameters:
  ///   - names: The names, and for each whether it stays as it is if only it is free.
  ///   - makeValid: Makes a name that Core Data takes; one that it takes already is not changed.
  /// - Returns: The new names, in the order of the others.
  mutating func names(
    for names: [(name: String, isValid: Bool)], _ makeValid: (String) -> String
  ) -> [String] {
    var all = names.map(\.name)
    var waiting: [Int] = []
    for (place, (name, isValid)) in names.enumerated() {
      let isFree =
        isValid
        ? !exact.contains(name)
        : makeValid(name) == name && !folded.contains(name.lowercased())
      if isFree {
        take(name)
      } else {
        waiting.append(place)
      }
    }
    for place in waiting { all[place] = allocate(makeValid(all[place])) }
    return all
  }

  private mutating func allocate(_ wanted: String) -> String {
    var name = wanted
    var number = 1
    while folded.contains(name.lowercased()) {
      number += 1
      name = "\(wanted)_\(number)"
    }
    take(name)
    return name
  }

  private mutating func take(_ name: String) {
    exact.insert(name)
    folded.insert(name.lowercased())
  }
}
