import ArchiveReader
import DataModel
import Stores

extension PlanCompiler {
  /// The entities of the stores' own model, where no other model was given: they steer the plan as
  /// what archives show does, so that a mapping can change it.
  struct DeclaredEntities {
    /// The entities, each with all that it stores, inherited properties included.
    let model: Model
    private let indices: [String: Int]
    private let names: [String: Int]

    /// Makes the entities of a model.
    ///
    /// - Parameters:
    ///   - source: The model of the stores.
    ///   - rules: The rules for naming entities.
    init(_ source: Model, _ rules: NameRules) {
      let stored = source.withStoredProperties(names: rules)
      let hierarchy = EntityHierarchy(stored)
      var model = stored
      for index in model.entities.indices {
        model.entities[index] = hierarchy.withInherited(index, in: stored)
      }
      self.model = model
      func indices(_ name: (Entity) -> String?) -> [String: Int] {
        Dictionary(
          model.entities.enumerated().compactMap { index, entity in name(entity).map { ($0, index) }
          },
          uniquingKeysWith: { first, _ in first })
      }
      self.indices = indices(\.archivedClasses.first)
      names = indices(\.name)
    }

    /// The entity that a class of the stores, one of their entities, becomes if nothing else is
    /// said.
    func entity(of className: String) -> Entity? { indices[className].map { model.entities[$0] } }

    /// The entity with a name.
    func entity(named name: String) -> Entity? { names[name].map { model.entities[$0] } }
  }
}

extension Model {
  /// The model with what stores hold of it, as a conversion begins with it: without rules, and
  /// without what is not stored.
  ///
  /// - Parameter rules: The rules for naming entities.
  /// - Returns: The model.
  package func withStoredProperties(names rules: NameRules) -> Model {
    var model = withoutRules
    var allocator = NameAllocator(reserved: RelationalLayout.reservedTableNames)
    var names: [String: String] = [:]
    for entity in model.entities {
      names[entity.name] = allocator.allocate(rules.ofModels.entity(entity.name))
    }
    for index in model.entities.indices {
      let entity = model.entities[index]
      model.entities[index].name = names[entity.name] ?? entity.name
      model.entities[index].parent = entity.parent.flatMap { names[$0] }
      model.entities[index].attributes = entity.storedAttributes
      model.entities[index].relationships = entity.storedRelationships.map { relationship in
        var relationship = relationship
        relationship.destinations = relationship.destinations.compactMap { names[$0] }
        return relationship
      }
    }
    return model
  }
}

extension PlanCompiler {
  /// Lets entities inherit, and be abstract, as the model of the stores says, where the mapping
  /// does not say otherwise.
  mutating func inheritDeclaredParents() {
    guard let declared else { return }
    for index in model.entities.indices {
      let entity = model.entities[index]
      let found = entity.archivedClasses.compactMap(declared.entity(of:))
      guard !found.isEmpty, found.count == entity.archivedClasses.count else { continue }
      model.entities[index].isAbstract = entity.isAbstract || found.allSatisfy(\.isAbstract)
      guard entity.parent == nil else { continue }
      let parents = Set(found.map { parent(of: $0, otherThan: entity.name) })
      guard parents.count == 1, let parent = parents.first ?? nil,
        !ancestors(of: parent).contains(entity.name)
      else { continue }
      model.entities[index].parent = parent
    }
  }

  /// The entity of the nearest superentity that becomes one entity.
  private func parent(of declared: Entity, otherThan name: String) -> String? {
    var next = declared.parent
    // A model's entities do not inherit in a circle: that is checked where it is read.
    while let parent = next.flatMap({ self.declared?.entity(named: $0) }) {
      let entities = finalEntities(parent.name).filter { $0 != name }
      if entities.count == 1 { return entities[0] }
      next = parent.parent
    }
    return nil
  }

  /// The names of an entity and of those that it inherits from.
  private func ancestors(of name: String) -> [String] {
    var found: [String] = []
    var next: String? = name
    while let name = next, !found.contains(name) {
      found.append(name)
      next = entityIndex(name).flatMap { model.entities[$0].parent }
    }
    return found
  }
}
