extension PlanCompiler {
  /// Finds what leads back, where no model says so: what a mapping says, and what the archives show.
  mutating func findInverses() {
    declareWrittenInverses()
    adoptInferredInverses()
  }

  /// Adds the inverses that a mapping names and that no entity mapping fills.
  private mutating func declareWrittenInverses() {
    for (number, entity) in model.entities.enumerated() {
      for (place, relationship) in entity.relationships.enumerated() {
        guard let inverse = relationship.inverse else { continue }
        guard relationship.destinations.count == 1,
          let destination = entityNumber(relationship.destinations[0])
        else {
          note(.unknownInverse, nil, "\(entity.name).\(relationship.name)")
          model.entities[number].relationships[place].inverse = nil
          continue
        }
        let others = model.entities[destination].relationships
        if let other = others.firstIndex(where: { $0.name == inverse }) {
          let known = model.entities[destination].relationships[other].inverse
          guard known == nil || known == relationship.name else {
            note(.unknownInverse, nil, "\(entity.name).\(relationship.name)")
            continue
          }
          model.entities[destination].relationships[other].inverse = relationship.name
        } else {
          // Several owners may hold the same row unless it can name one only.
          let isToMany = relationship.isToMany && isSplit(entity.name, relationship.name)
          model.entities[destination].relationships.append(
            Relationship(
              name: inverse, destinations: [entity.name], isToMany: isToMany,
              inverse: relationship.name))
        }
      }
    }
  }

  private func isSplit(_ entity: String, _ name: String) -> Bool {
    drafts.joined().contains { draft in
      draft.entity == entity
        && draft.mapping.relationships.contains { $0.name.value == name && $0.split != nil }
    }
  }

  /// Takes over the inverses that the archives show, for what has kept its sense.
  private mutating func adoptInferredInverses() {
    for entity in inferred.entities {
      guard let className = entity.archivedClasses.first else { continue }
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse,
          let target = inferred.entities.first(where: { $0.name == relationship.destinations[0] }),
          let targetClass = target.archivedClasses.first,
          let back = target.relationships.first(where: { $0.name == inverse })
        else { continue }
        let owns = origins[PropertyOrigin(className: className, key: relationship.key)] ?? []
        let backs = origins[PropertyOrigin(className: targetClass, key: back.key)] ?? []
        for own in owns {
          for other in backs { pair(own, other) }
        }
      }
    }
  }

  private mutating func pair(_ own: PropertyName, _ other: PropertyName) {
    guard let number = entityNumber(own.entity), let otherNumber = entityNumber(other.entity),
      let place = model.entities[number].relationships.firstIndex(where: { $0.name == own.name }),
      let otherPlace = model.entities[otherNumber].relationships.firstIndex(where: {
        $0.name == other.name
      })
    else { return }
    let relationship = model.entities[number].relationships[place]
    let back = model.entities[otherNumber].relationships[otherPlace]
    guard relationship.inverse == nil, back.inverse == nil || back.inverse == own.name,
      relationship.destinations == [other.entity], back.destinations == [own.entity]
    else { return }
    model.entities[number].relationships[place].inverse = other.name
    model.entities[otherNumber].relationships[otherPlace].inverse = own.name
  }
}
