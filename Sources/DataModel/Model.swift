import Support

/// The entities of a store and what connects them.
///
/// A model is drawn from archives (see `ModelInference`) or read from a Core Data model.
public struct Model: Sendable, Equatable {
  /// The entities: in the order in which archives lead to them, or sorted by name.
  public var entities: [Entity]
  /// The version identifiers of a Core Data model.
  public var versionIdentifiers: [String]
  /// The declarations of a Core Data model that Xcode warns of, but compiles.
  public var notes: [ModelError] = []
  /// True if a Core Data model has configurations: parts of it that stores can hold by themselves.
  package var hasConfigurations = false

  /// Creates a model.
  public init(entities: [Entity] = [], versionIdentifiers: [String] = []) {
    self.entities = entities
    self.versionIdentifiers = versionIdentifiers
  }
}

extension ModelError {
  /// True if the error is an inverse that does not lead back to its relationship.
  package var isAboutInverse: Bool { code == .oneSidedInverse || code == .unknownInverse }
}

extension Model {
  /// True if the inverse of a relationship, if it has one, is known to lead back to it.
  package func leadsBack(_ relationship: String, of entity: String) -> Bool {
    !notes.contains {
      $0.isAboutInverse && $0.entity == entity && $0.property == relationship
    }
  }
}

extension Model {
  /// The model that rows are related and checked by: without what a draft has for Core Data alone,
  /// and without inverses that do not lead back.
  package var withoutDraftedParts: Model {
    var model = self
    var inverses: Set<String> = []
    for entity in entities {
      for relationship in entity.relationships where relationship.draftedPart == .inverse {
        inverses.insert("\(entity.name).\(relationship.name)")
      }
    }
    model.entities.removeAll { $0.draftedTable != nil }
    for index in model.entities.indices {
      let name = model.entities[index].name
      for attribute in model.entities[index].attributes {
        guard case .count(let relationship) = attribute.draftedPart else { continue }
        for place in model.entities[index].relationships.indices
        where model.entities[index].relationships[place].name == relationship {
          model.entities[index].relationships[place].distinguishesEmpty = true
        }
      }
      model.entities[index].attributes.removeAll { $0.draftedPart != nil }
      model.entities[index].relationships.removeAll { $0.draftedPart != nil }
      for place in model.entities[index].attributes.indices {
        let attribute = model.entities[index].attributes[place]
        model.entities[index].attributes[place].type = attribute.archivedType ?? attribute.type
      }
      for place in model.entities[index].relationships.indices {
        let relationship = model.entities[index].relationships[place]
        let inverse = relationship.destinations.first.flatMap { destination in
          relationship.inverse.map { "\(destination).\($0)" }
        }
        if inverse.map(inverses.contains) == true || !leadsBack(relationship.name, of: name) {
          model.entities[index].relationships[place].inverse = relationship.archivedInverse
        }
      }
    }
    return model
  }

  /// The entity that has the rows of a table of the relational layout.
  package func entity(of table: DraftedTable) -> Entity? {
    entities.first { $0.draftedTable == table }
  }
}

extension Entity {
  /// The user info of a drafted entity, as far as it is read back.
  package var draftedUserInfo: [(key: String, value: String)] {
    draftedTable.map { [(DraftedTable.userInfoKey, $0.text)] } ?? []
  }
}

extension Attribute {
  /// The user info of a drafted attribute, as far as it is read back.
  package var draftedUserInfo: [(key: String, value: String)] {
    var entries: [(key: String, value: String)] = []
    if let archivedType { entries.append((DraftedPart.Key.type, archivedType.rawValue)) }
    if let draftedPart { entries.append((DraftedPart.userInfoKey, draftedPart.text)) }
    return entries
  }
}

extension Relationship {
  /// The user info of a drafted relationship, as far as it is read back.
  package var draftedUserInfo: [(key: String, value: String)] {
    var entries: [(key: String, value: String)] = []
    if let draftedPart { entries.append((DraftedPart.userInfoKey, draftedPart.text)) }
    if let archivedInverse { entries.append((DraftedPart.Key.inverse, archivedInverse)) }
    return entries
  }
}

extension Model {
  /// An entity and its number in a Core Data store.
  public struct NumberedEntity: Sendable, Equatable {
    /// The number: `Z_ENT` of its rows.
    public var number: Int
    /// The entity.
    public var entity: Entity

    /// Creates a numbered entity.
    public init(number: Int, entity: Entity) {
      self.number = number
      self.entity = entity
    }
  }

  /// The entities with the numbers that Core Data gives them, in their order.
  ///
  /// Roots are sorted by name without regard to case; each is followed at once by its subentities,
  /// sorted in the same way, and theirs. The first number is 1; abstract entities have one too.
  /// An entity whose parent the model does not have counts as a root. Entities that inherit from
  /// themselves have no number: a model that was read from a file has none of them.
  public var numberedEntities: [NumberedEntity] { numberedEntities(inOrderOf: [:]) }

  /// The entities in the order in which a store has numbered them, counted from 1.
  ///
  /// - Parameter storeNumbers: The numbers that the store has for entities, by name; among
  ///   subentities of one entity, or roots, those without a number follow in Core Data's order.
  /// - Returns: The entities, parents before their subentities.
  package func numberedEntities(inOrderOf storeNumbers: [String: Int]) -> [NumberedEntity] {
    let names = Set(entities.map(\.name))
    // Sorted backwards, as the entities are taken from the end.
    let backwards = entities.map {
      (number: storeNumbers[$0.name] ?? .max, key: $0.name.lowercased(), entity: $0)
    }.sorted { one, other in
      if one.number != other.number { return one.number > other.number }
      return one.key == other.key
        ? other.entity.name.precedesInBytes(one.entity.name)
        : other.key.precedesInBytes(one.key)
    }.map(\.entity)
    var subentities: [String: [Entity]] = [:]
    var waiting: [Entity] = []
    for entity in backwards {
      if let parent = entity.parent, names.contains(parent) {
        subentities[parent, default: []].append(entity)
      } else {
        waiting.append(entity)
      }
    }
    var numbered: [NumberedEntity] = []
    while let entity = waiting.popLast() {
      numbered.append(NumberedEntity(number: numbered.count + 1, entity: entity))
      // Taken out, so that a name that occurs twice does not bring its subentities twice.
      waiting += subentities.removeValue(forKey: entity.name) ?? []
    }
    return numbered
  }
}

extension Model {
  /// The model as it steers the conversion of a store of its own.
  ///
  /// What is in the store is kept whether or not it fits the rules, and nothing takes the place of
  /// what is missing.
  package var withoutRules: Model {
    var model = self
    for entity in model.entities.indices {
      model.entities[entity].archivedClasses = [model.entities[entity].name]
      for place in model.entities[entity].attributes.indices {
        var attribute = model.entities[entity].attributes[place]
        attribute.key = attribute.name
        attribute.isOptional = true
        attribute.defaultValue = nil
        (attribute.minimum, attribute.maximum, attribute.pattern) = (nil, nil, nil)
        model.entities[entity].attributes[place] = attribute
      }
      for place in model.entities[entity].relationships.indices {
        var relationship = model.entities[entity].relationships[place]
        relationship.key = relationship.name
        relationship.isOptional = true
        relationship.minimumCount = 0
        relationship.maximumCount = relationship.isToMany ? 0 : 1
        model.entities[entity].relationships[place] = relationship
      }
      model.entities[entity].uniquenessConstraints = []
    }
    return model
  }
}
