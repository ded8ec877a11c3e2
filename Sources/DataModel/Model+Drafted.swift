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
