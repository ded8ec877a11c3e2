import ArchiveReader
import Stores
import Support

extension PlanCompiler {
  /// Finds out what becomes of each archived class, as far as the mapping or a name says so.
  mutating func findClasses() {
    for entry in mapping.classes {
      if case .entity(let entity) = entry.kind, given != nil, entityIndex(entity.value) == nil {
        note(.unknownEntity, entity.mark, entity.value, among: model.entities.map(\.name))
        continue
      }
      // A mapping may be for more archives than these: a class that is not there is no mistake.
      for name in names.archived(entry.className.value) {
        switch entry.kind {
        case .entity(let entity): entityOfClass[name] = entity.value
        case .value(let key): valueClasses[name] = key
        case .ignored: ignoredClasses.insert(name)
        case .translated: break
        }
      }
    }
  }

  /// Makes drafts of the entity mappings that are written down, and of those that follow from
  /// names.
  mutating func makeDrafts() {
    let blocks = [mapping.entities] + mapping.passes.map(\.entities)
    let named = Set(blocks.joined().flatMap { $0.sources.flatMap { names.archived($0.value) } })
    let mapped = Dictionary(grouping: entityOfClass.keys) { entityOfClass[$0] ?? "" }
    var free: [String: [String]] = [:]
    for found in profile.classes where !named.contains(found.name) && isFree(found.name) {
      for name in entityNames(of: found.name).uniqued() {
        free[name, default: []].append(found.name)
      }
    }
    drafts = blocks.map { entities in
      entities.map { EntityDraft(mapping: $0, sources: sources(of: $0, mapped, free)) }
    }
    ignoredClasses.formUnion(classesInsideValues())
    let taken = Set(drafts.joined().flatMap(\.sources))
    // A mapping that has nothing but passes begins with the first of them.
    let first = mapping.entities.isEmpty && extensions.hooks.isEmpty && drafts.count > 1 ? 1 : 0
    for found in profile.classes where found.count > 0 || found.isEntity {
      guard !taken.contains(found.name), valueClasses[found.name] == nil,
        !ignoredClasses.contains(found.name), !isValueHook(found.name),
        let entity = impliedEntity(of: found.name)
      else { continue }
      if entityOfClass[found.name] == nil { entityOfClass[found.name] = entity }
      drafts[first].append(
        EntityDraft(mapping: EntityMapping(entity: Marked(entity)), sources: [found.name]))
    }
  }

  /// The classes whose objects an entity mapping takes.
  ///
  /// - Parameters:
  ///   - block: The entity mapping.
  ///   - mapped: The classes that are mapped to each entity.
  ///   - free: The classes of which nothing is said, by the names that their entities may have.
  /// - Returns: The archived names.
  private func sources(
    of block: EntityMapping, _ mapped: [String: [String]], _ free: [String: [String]]
  ) -> [String] {
    if !block.sources.isEmpty {
      return block.sources.flatMap { names.archived($0.value) }.uniqued()
    }
    if let classes = mapped[block.entity.value] { return classes.sorted() }
    return free[ArchivedName.text(block.entity.value)] ?? []
  }

  /// True if a mapping says nothing of a class by its name.
  private func isFree(_ name: String) -> Bool {
    entityOfClass[name] == nil && valueClasses[name] == nil && !ignoredClasses.contains(name)
  }

  /// The entity of a class that no entity mapping takes; nil if there is none.
  private func impliedEntity(of className: String) -> String? {
    if let entity = entityOfClass[className] { return entity }
    guard given == nil else { return entityOfModel(names.spoken(className)) }
    let name = names.spoken(className)
    guard name != className else { return foundEntity(of: className)?.name }
    // What a class is by now says which entity its objects become.
    return inferredEntity(of: name)?.name
      ?? (names.translated.contains(className)
        ? nameRules.entity(name) : inferredEntity(of: className)?.name)
  }

  /// The names that the entity of a class may have, the likeliest first.
  private func entityNames(of className: String) -> [String] {
    Self.entityNames(of: names.spoken(className), nameRules)
  }

  /// True if a hook gives values for the objects of a class.
  func isValueHook(_ className: String) -> Bool {
    extensions.values.contains { $0.archivedNames.contains(names.spoken(className)) }
  }

  /// Adds the entities that the model does not have yet.
  mutating func declareEntities() {
    for draft in drafts.joined() {
      let block = draft.mapping
      let name = block.entity.value
      if let index = entityIndex(name) {
        model.entities[index].archivedClasses += draft.sources.filter {
          !model.entities[index].archivedClasses.contains($0)
        }
        declare(block, in: index)
        continue
      }
      guard given == nil else {
        note(.unknownEntity, block.entity.mark, name, among: model.entities.map(\.name))
        continue
      }
      guard !RelationalLayout.reservedTableNames.contains(name) else {
        note(.reservedName, block.entity.mark, name)
        continue
      }
      model.entities.append(Entity(name: name, archivedClasses: draft.sources))
      declare(block, in: model.entities.count - 1)
    }
    // Entities that only relationships name.
    guard given == nil else { return }
    for draft in drafts.joined() {
      for relationship in draft.mapping.relationships {
        for destination in relationship.destinations
        where entityIndex(destination.value) == nil {
          model.entities.append(Entity(name: destination.value))
        }
      }
      if let parent = draft.mapping.parent, entityIndex(parent.value) == nil {
        model.entities.append(Entity(name: parent.value, isAbstract: true))
      }
    }
  }

  private mutating func declare(_ block: EntityMapping, in index: Int) {
    if let parent = block.parent {
      if given != nil, model.entities[index].parent != parent.value {
        note(
          .contradictsModel, parent.mark, parent.value,
          expected: model.entities[index].parent ?? "no parent")
      }
      model.entities[index].parent = parent.value
    }
    if block.isAbstract, given != nil, !model.entities[index].isAbstract {
      note(.contradictsModel, block.entity.mark, block.entity.value, expected: "abstract: false")
    }
    if block.isAbstract { model.entities[index].isAbstract = true }
    // The model keeps what tells rows apart, so that the store does.
    let identity = block.identity.map(\.value)
    if !identity.isEmpty, !model.entities[index].uniquenessConstraints.contains(identity) {
      model.entities[index].uniquenessConstraints.append(identity)
    }
  }

  /// Checks what the whole of the model tells.
  mutating func checkModel() {
    for draft in drafts.joined() {
      guard let index = entityIndex(draft.entity) else { continue }
      var seen: Set<String> = []
      var parent: String? = draft.entity
      while let name = parent, let next = entityIndex(name) {
        guard seen.insert(name).inserted else {
          note(.parentCycle, draft.mapping.parent?.mark, draft.entity)
          model.entities[index].parent = nil
          break
        }
        parent = model.entities[next].parent
      }
      // An entity of a store that is abstract has no objects there.
      let hasObjects = draft.sources.contains { source in
        guard let classIndex = profile.knownIndex(of: source) else { return true }
        return profile.classes[classIndex].count > 0 || !profile.classes[classIndex].isEntity
      }
      if extensions.migration == nil, model.entities[index].isAbstract, hasObjects {
        note(.abstractEntity, draft.mapping.entity.mark, draft.entity)
      }
    }
  }
}
