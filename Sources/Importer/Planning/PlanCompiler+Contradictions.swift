/// The check of a mapping against properties that are declared already: by a model, or by another
/// block.
extension PlanCompiler {
  /// Lets an attribute have what another block of its entity says of it, and refuses what differs.
  mutating func agree(_ mapping: AttributeMapping, of draft: EntityDraft, in index: Int) {
    let name = mapping.name.value
    if let own = model.entities[index].attributes.firstIndex(where: { $0.name == name }),
      given == nil
    {
      model.entities[index].attributes[own].add(mapping)
    }
    let hierarchy = self.hierarchy
    guard let known = hierarchy.attribute(name, of: index, in: model) else { return }
    tell(known.contradictions(to: mapping), of: mapping.name, draft)
  }

  /// Lets a relationship have what another block of its entity says of it, and refuses what
  /// differs.
  mutating func agree(
    _ mapping: RelationshipMapping, with known: Relationship, of draft: EntityDraft, in index: Int
  ) {
    var known = known
    if let own = model.entities[index].relationships.firstIndex(of: known), given == nil {
      model.entities[index].relationships[own].add(mapping)
      known = model.entities[index].relationships[own]
    }
    var found = known.contradictions(to: mapping)
    let hierarchy = self.hierarchy
    let declared = known.destinations.compactMap(entityIndex)
    let isWithin = mapping.destinations.compactMap { entityIndex($0.value) }.allSatisfy { index in
      declared.contains { hierarchy.isKind(index, of: $0) }
    }
    if given != nil, !isWithin { found.append("to: \(known.destinations.joined(separator: ", "))") }
    tell(found, of: mapping.name, draft)
  }

  /// Refuses collections of values that have the name of a relationship to several rows, said by a
  /// mapping or found in classes that become one entity: a store has one table for the elements of
  /// both.
  mutating func refuseSharedNames() {
    let hierarchy = self.hierarchy
    for (index, entity) in model.entities.enumerated() {
      for collection in entity.collections {
        let isTaken = hierarchy.withDescendants(of: index).contains {
          hierarchy.relationship(collection.name, of: $0, in: model, isToMany: true) != nil
        }
        guard isTaken else { continue }
        let blocks = drafts.joined().filter { $0.entity == entity.name }.map(\.mapping)
        let said = blocks.flatMap(\.collections).first { $0.name.value == collection.name }
        note(
          given == nil ? .contradictsBlock : .contradictsModel,
          said?.name.mark ?? blocks.first?.entity.mark, "\(entity.name).\(collection.name)",
          expected: "a relationship to several rows")
      }
    }
  }

  private mutating func tell(_ found: [String], of name: Marked<String>, _ draft: EntityDraft) {
    for said in found {
      note(
        given == nil ? .contradictsBlock : .contradictsModel, name.mark,
        "\(draft.entity).\(name.value)", expected: said)
    }
  }
}

extension Attribute {
  /// Adds what a block says of it and no other has.
  fileprivate mutating func add(_ mapping: AttributeMapping) {
    if mapping.isOptional == false { isOptional = false }
    defaultValue = defaultValue ?? mapping.defaultValue?.attributeDefault
    minimum = minimum ?? mapping.minimum
    maximum = maximum ?? mapping.maximum
    pattern = pattern ?? mapping.pattern?.value
  }

  /// The mapping's contradictions to the attribute, as the mapping would have to say it.
  fileprivate func contradictions(to mapping: AttributeMapping) -> [String] {
    var found: [String] = []
    if let isSaid = mapping.isOptional, isSaid != isOptional {
      found.append("optional: \(isOptional)")
    }
    if let value = mapping.defaultValue {
      if defaultValue == nil {
        found.append("no default")
      } else if !isDefault(value) {
        found.append("another default")
      }
    }
    found += Self.contradiction("minimum", mapping.minimum, minimum)
    found += Self.contradiction("maximum", mapping.maximum, maximum)
    if let said = mapping.pattern?.value, said != pattern {
      found.append(pattern == nil ? "no pattern" : "another pattern")
    }
    return found
  }

  private static func contradiction(_ key: String, _ said: Double?, _ known: Double?) -> [String] {
    guard let said, said != known else { return [] }
    return [
      known.map { "\(key): \(Int64(exactly: $0)?.description ?? $0.description)" } ?? "no \(key)"
    ]
  }

  /// True if a value is the attribute's default.
  private func isDefault(_ value: ImportValue) -> Bool {
    guard let own = defaultValue?.importValue else { return false }
    return ValueCoercion.coerce(value, to: type) == ValueCoercion.coerce(own, to: type)
  }
}

extension Relationship {
  /// Adds what a block says of it and no other has.
  fileprivate mutating func add(_ mapping: RelationshipMapping) {
    if mapping.isOptional == false { isOptional = false }
    if let least = mapping.minimumCount, minimumCount == 0 { minimumCount = least }
    if let most = mapping.maximumCount, isToMany, maximumCount == 0 { maximumCount = most }
    inverse = inverse ?? mapping.inverse?.value
    if deleteRule == .nullify, let rule = mapping.deleteRule { deleteRule = rule }
    if mapping.isOrdered == true { isOrdered = true }
    if mapping.keepsCount { distinguishesEmpty = true }
  }

  /// The mapping's contradictions to the relationship, as the mapping would have to say it.
  fileprivate func contradictions(to mapping: RelationshipMapping) -> [String] {
    var found: [String] = []
    if let said = mapping.isToMany, said != isToMany { found.append("toMany: \(isToMany)") }
    if let said = mapping.isOrdered, isToMany, said != isOrdered {
      found.append("ordered: \(isOrdered)")
    }
    if let said = mapping.isOptional, said != isOptional { found.append("optional: \(isOptional)") }
    if let said = mapping.inverse?.value, said != inverse {
      found.append(inverse.map { "inverse: \($0)" } ?? "no inverse")
    }
    if let said = mapping.deleteRule, said != deleteRule {
      found.append("deleteRule: \(deleteRule.rawValue)")
    }
    if let said = mapping.minimumCount, said != minimumCount {
      found.append("minimum: \(minimumCount)")
    }
    if let said = mapping.maximumCount, said != maximumCount {
      found.append("maximum: \(maximumCount)")
    }
    return found
  }
}
