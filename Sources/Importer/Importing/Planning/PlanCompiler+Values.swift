import Inference

extension PlanCompiler {
  // MARK: Objects that are values

  /// Whether all that a relationship leads to are objects of value classes.
  func standsForValues(_ relationship: Relationship) -> Bool {
    relationship.destinations.allSatisfy { name in
      let target = inferredEntity(named: name)?.archivedClasses.first ?? ""
      return valueClasses[target] != nil || isValueHook(target)
    }
  }

  /// What the objects of value classes hold to which a relationship leads: relationships and
  /// collections that stand under its key in their place.
  ///
  /// - Parameters:
  ///   - relationship: What leads to the objects.
  ///   - isPlain: Set where any of them holds, or may hold, plain values.
  ///   - depth: How many value classes lead to these.
  /// - Returns: Both, with the name and the key of the relationship.
  func held(
    by relationship: Relationship, isPlain: inout Bool, depth: Int = 0
  ) -> (relationships: [Relationship], collections: [ValueCollection]) {
    var relationships: [Relationship] = []
    var collections: [ValueCollection] = []
    for name in relationship.destinations {
      let target = inferredEntity(named: name)
      let className = target?.archivedClasses.first ?? ""
      guard let target, let key = valueClasses[className], depth < 16 else {
        isPlain = true
        continue
      }
      if target.attributes.contains(where: { $0.key == key }) { isPlain = true }
      for inner in target.relationships where inner.key == key {
        // A collection of collections is no relationship.
        guard !(relationship.isToMany && inner.isToMany) else {
          isPlain = true
          continue
        }
        // What is to-many tells how many there may be, and whether their order counts.
        var outer = relationship.isToMany ? relationship : inner
        (outer.name, outer.key, outer.inverse) = (relationship.name, relationship.key, nil)
        outer.destinations = inner.destinations
        guard standsForValues(outer) else {
          relationships.append(outer)
          continue
        }
        let more = held(by: outer, isPlain: &isPlain, depth: depth + 1)
        relationships += more.relationships
        collections += more.collections
      }
      for inner in target.collections where inner.key == key {
        guard !relationship.isToMany else {
          isPlain = true
          continue
        }
        var outer = inner
        (outer.name, outer.key) = (relationship.name, relationship.key)
        collections.append(outer)
      }
    }
    if relationships.isEmpty, collections.isEmpty { isPlain = true }
    return (relationships, collections)
  }

  /// Adds a relationship to objects that are values as what they hold: an attribute, several
  /// values, or a relationship.
  mutating func addValues(
    _ relationship: Relationship, of className: String, to draft: inout EntityDraft, _ index: Int
  ) {
    var isPlain = false
    let held = held(by: relationship, isPlain: &isPlain)
    for inner in held.relationships {
      merge(inner, of: className, into: index)
      draft.addRelationship(inner.name, from: inner.key, isToMany: inner.isToMany)
    }
    for inner in held.collections {
      merge(inner, into: index)
      draft.addCollection(inner.name, from: inner.key)
    }
    guard isPlain else { return }
    var kinds: ValueKinds = []
    let types = relationship.destinations.compactMap { name -> AttributeType? in
      let target = inferredEntity(named: name)?.archivedClasses.first ?? ""
      guard let key = valueClasses[target] else { return nil }
      kinds.formUnion(self.kinds(ofKey: key, in: target))
      return type(ofKeyPath: [key], in: target) ?? .mixed
    }
    let valueType = types.dropFirst().reduce(types.first ?? .mixed) { $0.common(with: $1) }
    guard relationship.isToMany else {
      merge(
        Attribute(name: relationship.name, key: relationship.key, type: valueType), into: index)
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
      into: index)
    draft.add(CollectionMapping(name: Marked(relationship.name), key: Marked(relationship.key)))
  }

  private func kinds(ofKey key: String, in className: String) -> ValueKinds {
    guard let index = profile.knownIndex(of: className) else { return [] }
    let found = profile.classes[index]
    return found.knownIndex(of: key).map { found.properties[$0].kinds } ?? []
  }

  // MARK: Types

  /// The type that an attribute's values have after their conversion.
  func type(of mapping: AttributeMapping, _ draft: EntityDraft) -> AttributeType {
    let source: AttributeType
    switch mapping.source.value {
    case .constant(let value): source = value.archivedType
    case .expression: source = .mixed
    case .keyPath(let path):
      let types = showingClasses(draft).compactMap { type(ofKeyPath: path[...], in: $0) }
      source = types.dropFirst().reduce(types.first ?? .unknown) { $0.common(with: $1) }
    }
    guard !mapping.conversions.isEmpty,
      let conversion = try? ValueConversion(mapping.conversions.map(\.value))
    else { return source }
    return conversion.resultType(from: source) ?? source
  }

  /// The type of what stands under a key path of a class; nil if nothing does.
  private func type(
    ofKeyPath path: ArraySlice<String>, in className: String, depth: Int = 0
  ) -> AttributeType? {
    // Values may hold one another.
    guard let key = path.first, depth < 16 else { return nil }
    let entity = inferredEntity(of: className)
    if let attribute = entity?.attributes.first(where: { $0.key == key }) {
      return path.count == 1 ? attribute.type : .mixed
    }
    if let relationship = entity?.relationships.first(where: { $0.key == key }) {
      let classes = relationship.destinations.compactMap { name in
        inferredEntity(named: name)?.archivedClasses.first
      }
      guard !relationship.isToMany else { return .transformable }
      let types = classes.compactMap { target -> AttributeType? in
        if path.count == 1 {
          guard let key = valueClasses[target] else { return isValueHook(target) ? .mixed : nil }
          return type(ofKeyPath: [key], in: target, depth: depth + 1)
        }
        return type(ofKeyPath: path.dropFirst(), in: target, depth: depth + 1)
      }
      guard let first = types.first else { return path.count == 1 ? .mixed : nil }
      return types.dropFirst().reduce(first) { $0.common(with: $1) }
    }
    if entity?.collections.contains(where: { $0.key == key }) == true { return .transformable }
    return nil
  }
}
