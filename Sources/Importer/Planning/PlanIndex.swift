extension PlanCompiler {
  /// An index, by names, of the entities and properties that a compiler looks up again and again:
  /// so that thousands of classes or keys take a time in proportion to their number.
  ///
  /// The model that is made grows; what was added since the last look is taken in then.
  final class PlanIndex {
    /// The inferred entities by their classes and by their names.
    private let inferredClasses: [String: Int]
    private let inferredNames: [String: Int]
    private var entities = GrowingNames()
    private var properties: [Properties: GrowingNames] = [:]
    /// Who inherits from whom, once all entities are there.
    var hierarchy: EntityHierarchy?
    /// The entities that the objects of each class become.
    var entitiesOfClasses: [String: [String]] = [:]

    /// A list of properties of an entity.
    private struct Properties: Hashable {
      var entity: Int
      var kind: Kind
    }

    private enum Kind {
      case attributes, relationships, collections
    }

    init(_ inferred: Model) {
      func indices(_ names: (Entity) -> String?) -> [String: Int] {
        Dictionary(
          inferred.entities.enumerated().compactMap { index, entity in
            names(entity).map { ($0, index) }
          }, uniquingKeysWith: { first, _ in first })
      }
      inferredClasses = indices { $0.archivedClasses.count == 1 ? $0.archivedClasses[0] : nil }
      inferredNames = indices(\.name)
    }

    /// The index of the inferred entity of a class.
    func inferred(ofClass name: String) -> Int? { inferredClasses[name] }

    /// The index of the inferred entity with a name.
    func inferred(named name: String) -> Int? { inferredNames[name] }

    /// The index of an entity.
    func entity(_ name: String, in model: Model) -> Int? {
      entities.index(of: name, in: model.entities, \.name)
    }

    /// The index of an attribute among those of an entity.
    func attribute(_ name: String, of entity: Int, in model: Model) -> Int? {
      properties[Properties(entity: entity, kind: .attributes), default: GrowingNames()]
        .index(of: name, in: model.entities[entity].attributes, \.name)
    }

    /// The index of the first relationship of a name among those of an entity.
    func relationship(_ name: String, of entity: Int, in model: Model) -> Int? {
      properties[Properties(entity: entity, kind: .relationships), default: GrowingNames()]
        .index(of: name, in: model.entities[entity].relationships, \.name)
    }

    /// The index of a collection among those of an entity.
    func collection(_ name: String, of entity: Int, in model: Model) -> Int? {
      properties[Properties(entity: entity, kind: .collections), default: GrowingNames()]
        .index(of: name, in: model.entities[entity].collections, \.name)
    }

    /// Forgets where properties are: some were moved.
    func forgetProperties() { properties = [:] }
  }
}

/// Finds things by their names in a list that others are added to at its end.
private struct GrowingNames {
  private var indices: [String: Int] = [:]
  private var count = 0

  /// The index of the first thing with a name.
  mutating func index<Thing>(
    of name: String, in things: [Thing], _ nameOf: (Thing) -> String
  ) -> Int? {
    if things.count < count { (indices, count) = ([:], 0) }
    while count < things.count {
      let name = nameOf(things[count])
      if indices[name] == nil { indices[name] = count }
      count += 1
    }
    return indices[name]
  }
}
