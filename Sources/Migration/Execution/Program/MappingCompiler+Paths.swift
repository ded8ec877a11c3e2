import DataModel

// Key paths of expressions, which are followed through the source model before anything runs.
extension MappingCompiler {
  /// The first of key paths that leads to nothing that objects of a source entity, or of one that
  /// inherits from it, have; nil if there is none such.
  ///
  /// What is in the value of an attribute is not known, so a path may go on there.
  ///
  /// - Parameters:
  ///   - paths: The key paths, without collection operators.
  ///   - entity: The entity; nil for none, in which case nothing is known.
  /// - Returns: The path in words.
  func unknownPath(among paths: [[String]], of entity: Int?) -> String? {
    guard let entity else { return nil }
    return paths.first { !leads($0, from: entity) }?.joined(separator: ".")
  }

  private func leads(_ path: [String], from entity: Int) -> Bool {
    var entities: Set<Int> = [entity]
    for key in path where key != "self" {
      let candidates = Set(entities.flatMap { sourceHierarchy.withDescendants(of: $0) })
      let relationships = candidates.compactMap {
        sourceHierarchy.relationship(key, of: $0, in: source)
      }
      guard !relationships.isEmpty else {
        return candidates.contains { sourceHierarchy.attribute(key, of: $0, in: source) != nil }
      }
      entities = Set(relationships.flatMap(\.destinations).compactMap(sourceHierarchy.index))
    }
    return true
  }
}
