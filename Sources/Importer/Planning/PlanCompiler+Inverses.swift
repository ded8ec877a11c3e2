import Support

extension PlanCompiler {
  /// Finds what leads back, where no model says so: what a mapping says, and what the archives
  /// show.
  mutating func findInverses() {
    declareWrittenInverses()
    adoptInferredInverses()
  }

  /// Adds the inverses that a mapping names and that no entity mapping fills.
  private mutating func declareWrittenInverses() {
    for (index, entity) in model.entities.enumerated() {
      for (place, relationship) in entity.relationships.enumerated() {
        guard let inverse = relationship.inverse else { continue }
        guard relationship.destinations.count == 1,
          let destination = entityIndex(relationship.destinations[0])
        else {
          noteInverse(
            of: (entity.name, relationship.name), inverse,
            "it leads to \(relationship.destinations.joined(separator: " and "))")
          model.entities[index].relationships[place].inverse = nil
          continue
        }
        let holder = holder(ofRelationship: inverse, destination) ?? destination
        let others = model.entities[holder].relationships
        let named = others.indices.filter { others[$0].name == inverse }
        if let other = named.preferred(where: { others[$0].inverse == relationship.name }) {
          let known = others[other].inverse
          guard known == nil || known == relationship.name else {
            noteOtherInverse(
              (entity.name, relationship), (model.entities[holder].name, others[other]))
            continue
          }
          model.entities[holder].relationships[other].inverse = relationship.name
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

  /// Notes that two relationships do not name each other: the one that names what nothing else does
  /// is wrong.
  private mutating func noteOtherInverse(
    _ own: (entity: String, relationship: Relationship),
    _ other: (entity: String, relationship: Relationship)
  ) {
    let named = other.relationship.inverse ?? ""
    let isKnown =
      entityIndex(own.entity).flatMap { holder(ofRelationship: named, $0) } != nil
      || drafts.joined().contains { draft in
        draft.entity == own.entity
          && draft.mapping.relationships.contains { $0.name.value == named }
      }
    let ownName = "\(own.entity).\(own.relationship.name)"
    let otherName = "\(other.entity).\(other.relationship.name)"
    if isKnown {
      noteInverse(
        of: (own.entity, own.relationship.name), other.relationship.name,
        "'\(otherName)' names '\(named)' as its own inverse")
    } else {
      noteInverse(
        of: (other.entity, other.relationship.name), named,
        "'\(ownName)' names '\(other.relationship.name)' as its own inverse",
        nearest: own.relationship.name)
    }
  }

  private mutating func noteInverse(
    of property: (entity: String, name: String), _ inverse: String, _ reason: String,
    nearest: String? = nil
  ) {
    let written = drafts.joined().filter { $0.entity == property.entity }
      .flatMap(\.mapping.relationships).first {
        $0.name.value == property.name && $0.inverse != nil
      }
    note(
      .unknownInverse, written?.inverse?.mark ?? written?.name.mark, inverse,
      expected: "'\(property.entity).\(property.name)': \(reason)",
      among: nearest.map { [$0] } ?? [])
  }

  private func isSplit(_ entity: String, _ name: String) -> Bool {
    drafts.joined().contains { draft in
      draft.entity == entity
        && draft.mapping.relationships.contains { $0.name.value == name && $0.split != nil }
    }
  }

  /// Takes over the inverses that the archives show, for what has kept its sense.
  private mutating func adoptInferredInverses() {
    let others = inferred.entities.filter { entity in
      entity.archivedClasses.first.flatMap { declared?.entity(of: $0) } == nil
    }
    for entity in (declared?.model.entities ?? []) + others {
      guard let className = entity.archivedClasses.first else { continue }
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse,
          let target = foundEntity(named: relationship.destinations[0]),
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
    guard let index = entityIndex(own.entity), let otherIndex = entityIndex(other.entity),
      let place = model.entities[index].relationships.firstIndex(where: { $0.name == own.name }),
      let otherPlace = model.entities[otherIndex].relationships.firstIndex(where: {
        $0.name == other.name
      })
    else { return }
    let relationship = model.entities[index].relationships[place]
    let back = model.entities[otherIndex].relationships[otherPlace]
    // Where a name stands for one row here and several there, it is not what the archives showed.
    guard
      model.entities[index].relationships.count(where: { $0.name == own.name }) == 1,
      model.entities[otherIndex].relationships.count(where: { $0.name == other.name }) == 1
    else { return }
    guard relationship.inverse == nil, back.inverse == nil || back.inverse == own.name,
      relationship.destinations == [other.entity], back.destinations == [own.entity]
    else { return }
    model.entities[index].relationships[place].inverse = other.name
    model.entities[otherIndex].relationships[otherPlace].inverse = own.name
  }
}
