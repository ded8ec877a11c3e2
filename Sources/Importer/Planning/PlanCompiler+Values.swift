extension PlanCompiler {
  // MARK: Objects that are values

  /// Finds out what the objects of value classes stand for.
  mutating func seeThroughValues() {
    var keys: [String: String?] = valueClasses.mapValues { $0 }
    for name in extensions.values.flatMap({ $0.archivedNames.flatMap(names.archived) }) {
      keys.updateValue(nil, forKey: name)
    }
    guard !keys.isEmpty else { return }
    let values = ValueClasses(profile, keys: keys)
    for entity in infer(values.seenThrough).entities {
      guard let name = entity.archivedClasses.first, let index = profile.knownIndex(of: name)
      else { continue }
      let keys = values.keysOfValues(in: profile.classes[index])
      if !keys.isEmpty { throughValues[name] = (keys, entity) }
    }
  }

  /// The properties of a found entity, with what objects of value classes stand for in their place.
  func seenThrough(_ found: Entity, _ className: String) -> Entity {
    guard let (keys, seen) = throughValues[className] else { return found }
    var result = found
    // A model that the sources declare has its own names.
    func name(_ key: String, _ other: String) -> String {
      found.relationships.first { $0.key == key }?.name
        ?? found.collections.first { $0.key == key }?.name
        ?? found.attributes.first { $0.key == key }?.name ?? other
    }
    result.attributes.removeAll { keys.contains($0.key) }
    result.relationships.removeAll { keys.contains($0.key) }
    result.collections.removeAll { keys.contains($0.key) }
    for var attribute in seen.attributes where keys.contains(attribute.key) {
      attribute.name = name(attribute.key, attribute.name)
      result.attributes.append(attribute)
    }
    for var relationship in seen.relationships where keys.contains(relationship.key) {
      relationship.name = name(relationship.key, relationship.name)
      relationship.inverse = nil
      result.relationships.append(relationship)
    }
    for var collection in seen.collections where keys.contains(collection.key) {
      collection.name = name(collection.key, collection.name)
      result.collections.append(collection)
    }
    return result
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
    let found = inferredEntity(of: className)
    let entity = path.count == 1 ? found.map { seenThrough($0, className) } : found
    if let attribute = entity?.attributes.first(where: { $0.key == key }) {
      return path.count == 1 ? attribute.type : .mixed
    }
    if let relationship = entity?.relationships.first(where: { $0.key == key }) {
      let classes = relationship.destinations.compactMap { name in
        inferredEntity(named: name)?.archivedClasses.first
      }
      guard !relationship.isToMany else { return .transformable }
      let types = classes.compactMap { target in
        type(ofKeyPath: path.dropFirst(), in: target, depth: depth + 1)
      }
      guard let first = types.first else { return path.count == 1 ? .mixed : nil }
      return types.dropFirst().reduce(first) { $0.common(with: $1) }
    }
    if entity?.collections.contains(where: { $0.key == key }) == true { return .transformable }
    return nil
  }
}
