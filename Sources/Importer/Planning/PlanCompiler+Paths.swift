/// The check of key paths.
extension PlanCompiler {
  /// Refuses a key path into values of Foundation's classes: they are one value each, without keys.
  ///
  /// Where a key holds other things as well, it depends on the object: see `ImportSession`.
  mutating func checkPath(
    _ source: Marked<ValueSource>, _ name: Marked<String>, _ draft: EntityDraft
  ) {
    guard case .keyPath(let path) = source.value, path.count > 1 else { return }
    for className in draft.sources {
      guard let count = keysToValue(path[...], in: className) else { continue }
      note(
        .keysOfValue, source.mark ?? name.mark, path.joined(separator: "."),
        expected: path[..<count].joined(separator: "."))
      return
    }
  }

  /// The number of keys of a path that lead to values of Foundation's classes, if others follow;
  /// nil if none do.
  private func keysToValue(_ path: ArraySlice<String>, in className: String) -> Int? {
    guard let key = path.first, path.count > 1, let entity = inferredEntity(of: className) else {
      return nil
    }
    let relationships = entity.relationships.filter { $0.key == key }
    let collection = entity.collections.first { $0.key == key }
    if let attribute = entity.attributes.first(where: { $0.key == key }) {
      let isAlone = relationships.isEmpty && collection == nil
      return isAlone && attribute.type.hasNoKeys ? 1 : nil
    }
    if let collection {
      // The next key of the path is one of the dictionary's.
      guard relationships.isEmpty, collection.keyType == nil, !collection.hasReferencesAsValues,
        collection.valueType?.hasNoKeys == true
      else { return nil }
      return 1
    }
    let targets = relationships.flatMap(\.destinations).compactMap { name in
      inferredEntity(named: name)?.archivedClasses.first
    }
    let counts = targets.map { keysToValue(path.dropFirst(), in: $0) }
    guard let first = counts.first, let first, counts.allSatisfy({ $0 == first }) else {
      return nil
    }
    return first + 1
  }
}

extension AttributeType {
  /// True if its values are those of Foundation's classes, of which no key can be asked for.
  fileprivate var hasNoKeys: Bool { self == .json || self == .attributedText }
}
