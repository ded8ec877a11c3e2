extension PlanCompiler {
  // MARK: Objects that are values

  /// Whether all that a relationship leads to are objects of value classes.
  func standsForValues(_ relationship: Relationship) -> Bool {
    relationship.destinations.allSatisfy { name in
      let target = inferred.entities.first { $0.name == name }?.archivedClasses.first ?? ""
      return valueClasses[target] != nil || isValueHook(target)
    }
  }

  /// Adds a relationship to objects that are values as what it is: an attribute, or several values.
  mutating func addValues(
    _ relationship: Relationship, of className: String, to draft: inout EntityDraft, _ number: Int
  ) {
    var kinds: ValueKinds = []
    let types = relationship.destinations.compactMap { name -> AttributeType? in
      let target = inferred.entities.first { $0.name == name }?.archivedClasses.first ?? ""
      guard let key = valueClasses[target] else { return nil }
      kinds.formUnion(self.kinds(ofKey: key, in: target))
      return type(ofKeyPath: [key], in: target) ?? .mixed
    }
    let valueType = types.dropFirst().reduce(types.first ?? .mixed) { $0.common(with: $1) }
    guard relationship.isToMany else {
      merge(
        Attribute(name: relationship.name, key: relationship.key, type: valueType), into: number)
      draft.add(relationship.name, from: relationship.key)
      return
    }
    merge(
      ValueCollection(
        name: relationship.name, key: relationship.key, isOrdered: relationship.isOrdered,
        keyType: nil, hasReferencesAsKeys: false,
        // Objects that are values in turn may be plain texts.
        valueType: valueType.ofElements(withPlainTexts: !kinds.isDisjoint(with: [.text, .object])),
        hasReferencesAsValues: false,
        holdsNegativeZero: false, distinguishesEmpty: relationship.distinguishesEmpty),
      into: number)
    draft.collections.append(
      CollectionMapping(name: Marked(relationship.name), key: Marked(relationship.key)))
  }

  private func kinds(ofKey key: String, in className: String) -> ValueKinds {
    guard let place = census.place(of: className) else { return [] }
    let found = census.classes[place]
    return found.place(of: key).map { found.properties[$0].kinds } ?? []
  }

  // MARK: Types

  /// The type that an attribute's values have after their conversion.
  func type(of mapping: AttributeMapping, _ draft: EntityDraft) -> AttributeType {
    let source: AttributeType
    switch mapping.source.value {
    case .constant(let value): source = value.archivedType
    case .expression: source = .mixed
    case .keyPath(let path):
      let types = draft.sources.compactMap { type(ofKeyPath: path[...], in: $0) }
      source = types.dropFirst().reduce(types.first ?? .unknown) { $0.common(with: $1) }
    }
    guard !mapping.conversions.isEmpty,
      let conversion = try? ValueConversion(mapping.conversions.map(\.value))
    else { return source }
    return conversion.resultType(from: source) ?? source
  }

  /// The type of what stands under a key path of a class; nil if nothing does.
  private func type(ofKeyPath path: ArraySlice<String>, in className: String) -> AttributeType? {
    guard let key = path.first else { return nil }
    let entity = inferredEntity(of: className)
    if let attribute = entity?.attributes.first(where: { $0.key == key }) {
      return path.count == 1 ? attribute.type : .mixed
    }
    if let relationship = entity?.relationships.first(where: { $0.key == key }) {
      let classes = relationship.destinations.compactMap { name in
        inferred.entities.first { $0.name == name }?.archivedClasses.first
      }
      guard !relationship.isToMany else { return .transformable }
      let types = classes.compactMap { target -> AttributeType? in
        if path.count == 1 {
          guard let key = valueClasses[target] else { return isValueHook(target) ? .mixed : nil }
          return type(ofKeyPath: [key], in: target)
        }
        return type(ofKeyPath: path.dropFirst(), in: target)
      }
      guard let first = types.first else { return path.count == 1 ? .mixed : nil }
      return types.dropFirst().reduce(first) { $0.common(with: $1) }
    }
    if entity?.collections.contains(where: { $0.key == key }) == true { return .transformable }
    return nil
  }
}
