import ArchiveReader
import Support

/// Names of a mapping that match nothing in the archives.
extension PlanCompiler {
  /// Finds the names of a mapping that match nothing.
  ///
  /// A mapping may be for more archives than these, so that such a name is no error by itself; but
  /// most are misspelt.
  ///
  /// - Returns: The names, in the order of the file.
  package static func unusedNames(
    profile: SchemaProfile, model: Model?, mapping: Mapping, extensions: ImportExtensions,
    options: Options
  ) -> [MappingError.Problem] {
    var compiler = PlanCompiler(profile, model, mapping, extensions, options)
    _ = compiler.compile()
    var finder = UnusedNameFinder(compiler)
    finder.findAll()
    guard let first = finder.problems.first else { return [] }
    // Puts them in order.
    return MappingError(path: "", first, Array(finder.problems.dropFirst())).problems
  }
}

/// Looks up each name of a mapping in the archives.
private struct UnusedNameFinder {
  private let compiler: PlanCompiler
  private(set) var problems: [MappingError.Problem] = []
  /// The names of all archived classes, and those that they have in Swift.
  private let classNames: [String]

  init(_ compiler: PlanCompiler) {
    self.compiler = compiler
    let archived = compiler.profile.classes.filter { $0.count > 0 }.map(\.name)
    classNames = (archived + archived.map { SwiftName.readable($0) }).uniqued()
  }

  mutating func findAll() {
    for entry in compiler.mapping.classes { check(entry) }
    let blocks = compiler.mapping.entities + compiler.mapping.passes.flatMap(\.entities)
    for source in blocks.flatMap(\.sources) where !isArchived(source.value) {
      note(.unusedClass, source, among: classNames)
    }
    checkEntities(blocks)
    for (written, drafts) in usedBlocks() {
      guard !drafts.isEmpty else { continue }
      checkKeys(of: written, drafts)
    }
    checkBlockNames(blocks)
    checkPaths()
  }

  /// Looks for dictionaries at the paths of records and pairs.
  private mutating func checkPaths() {
    let rules = compiler.recordRules
    let known = Set(rules.classNames.keys).union(rules.pairs).union([RecordPath.topLevel.text])
    for path in compiler.mapping.records + compiler.mapping.pairs
    where !known.contains(RecordPath.text(path.value)) {
      note(.unusedRecordPath, path, among: known.map(ArchivedName.plain).sorted())
    }
  }

  // MARK: Classes and entities

  private mutating func check(_ entry: ClassMapping) {
    guard isArchived(entry.className.value) else {
      return note(.unusedClass, entry.className, among: classNames)
    }
    guard case .value(let key) = entry.kind else { return }
    let classes = compiler.names.archived(entry.className.value)
    check([key], at: entry.className.mark, in: classes)
  }

  private func isArchived(_ name: String) -> Bool {
    compiler.names.archived(name).contains { name in
      guard let index = compiler.profile.knownIndex(of: name) else { return false }
      let found = compiler.profile.classes[index]
      return found.count > 0 || found.isEntity
    }
  }

  /// Looks for entities of which nothing becomes rows.
  private mutating func checkEntities(_ blocks: [EntityMapping]) {
    // What hooks and policies insert shows only when they run, and a model says what there is.
    guard compiler.given == nil, compiler.extensions.hooks.isEmpty,
      compiler.extensions.policies.isEmpty
    else { return }
    let known = compiler.model.entities.map(\.name).filter { hasRows($0, seen: []) }
    let split = splitEntities
    for block in blocks where block.sources.isEmpty {
      let entity = block.entity.value
      // A class that is mapped to it is told by itself.
      let isMapped = compiler.mapping.classes.contains { entry in
        if case .entity(let name) = entry.kind { name.value == entity } else { false }
      }
      guard !isMapped, !split.contains(entity), !hasRows(entity, seen: []) else { continue }
      let classes = classNames.filter { name in
        compiler.names.archived(name).allSatisfy { compiler.valueClasses[$0] == nil }
      }
      note(.unusedEntity, block.entity, among: classes + known)
    }
    let named = Set(blocks.map(\.entity.value))
    for relationship in blocks.flatMap(\.relationships) where relationship.split == nil {
      for destination in relationship.destinations
      where !named.contains(destination.value) && !split.contains(destination.value)
        && !hasRows(destination.value, seen: [])
      {
        note(.unusedEntity, destination, among: known)
      }
    }
  }

  /// The entities whose rows are made of parts of values.
  private var splitEntities: Set<String> {
    let hierarchy = EntityHierarchy(compiler.model)
    var found: Set<String> = []
    for draft in compiler.drafts.joined() {
      for relationship in draft.mapping.relationships where relationship.split != nil {
        if let destination = relationship.destinations.first {
          found.insert(destination.value)
        } else if let index = hierarchy.index(of: draft.entity),
          let declared = hierarchy.relationship(
            relationship.name.value, of: index, in: compiler.model)
        {
          found.formUnion(declared.destinations.prefix(1))
        }
      }
    }
    return found
  }

  /// True if the objects of any class become rows of an entity, or of one that inherits from it.
  private func hasRows(_ entity: String, seen: Set<String>) -> Bool {
    if compiler.drafts.joined().contains(where: { $0.entity == entity && !$0.sources.isEmpty }) {
      return true
    }
    guard !seen.contains(entity) else { return false }
    return compiler.model.entities.contains {
      $0.parent == entity && hasRows($0.name, seen: seen.union([entity]))
    }
  }

  /// The blocks as they are written, each with the drafts that run it or inherit from it.
  private func usedBlocks() -> [(EntityMapping, [PlanCompiler.EntityDraft])] {
    let passes = [compiler.mapping.entities] + compiler.mapping.passes.map(\.entities)
    let hierarchy = EntityHierarchy(compiler.model)
    return passes.enumerated().flatMap { pass, blocks in
      blocks.map { block in
        guard let index = hierarchy.index(of: block.entity.value) else { return (block, []) }
        let kin = Set(
          hierarchy.withDescendants(of: index).map { compiler.model.entities[$0].name })
        let drafts = compiler.drafts[pass].filter { draft in
          guard kin.contains(draft.entity), !draft.sources.isEmpty else { return false }
          return draft.entity != block.entity.value
            || draft.mapping.entity.mark == block.entity.mark && draft.isMade(of: block)
        }
        return (block, drafts)
      }
    }
  }

  /// Looks up the names that blocks have for one another.
  private mutating func checkBlockNames(_ blocks: [EntityMapping]) {
    let known = compiler.drafts.joined().map { draft in
      draft.mapping.name?.value ?? "\(draft.sources.first ?? "")To\(draft.entity)"
    }
    for name in blocks.flatMap(\.relationships).compactMap(\.entityMapping)
    where !known.contains(name.value) {
      note(.unusedBlock, name, among: known)
    }
  }

  // MARK: Keys

  private mutating func checkKeys(
    of block: EntityMapping, _ drafts: [PlanCompiler.EntityDraft]
  ) {
    let classes = drafts.flatMap(\.sources).uniqued()
    for attribute in block.attributes { check(attribute.source, attribute.name, classes) }
    for relationship in block.relationships {
      check(relationship.source, relationship.name, classes)
    }
    for collection in block.collections {
      check([collection.key.value], at: collection.key.mark, in: classes)
    }
    for key in block.unread { check([key.value], at: key.mark, in: classes) }
    for path in block.filter?.value.keyPaths ?? [] {
      check(path, at: block.filter?.mark, in: classes, isExpression: true)
    }
  }

  private mutating func check(
    _ source: Marked<ValueSource>, _ name: Marked<String>, _ classes: [String]
  ) {
    switch source.value {
    case .constant: break
    case .keyPath(let path): check(path, at: source.mark ?? name.mark, in: classes)
    case .expression(let expression):
      for path in expression.keyPaths {
        check(path, at: source.mark ?? name.mark, in: classes, isExpression: true)
      }
    }
  }

  /// Looks up the keys of a path, from class to class as far as it is known where they lead.
  private mutating func check(
    _ path: [String], at mark: SourceMark?, in classes: [String], isExpression: Bool = false
  ) {
    var classes = classes.compactMap { compiler.profile.knownIndex(of: $0) }
    // Entities of a store that have no objects do not tell which keys these would have, and classes
    // that no archive has are told by themselves.
    let isWithoutObjects = classes.allSatisfy {
      compiler.profile.classes[$0].isEntity && compiler.profile.classes[$0].count == 0
    }
    guard !isWithoutObjects else { return }
    for (index, key) in path.enumerated() {
      let found = classes.compactMap { classIndex in
        compiler.profile.classes[classIndex].knownIndex(of: key).map {
          compiler.profile.classes[classIndex].properties[$0]
        }
      }
      guard !found.isEmpty else {
        let known = classes.flatMap { compiler.profile.classes[$0].properties.map(\.key) }
        problems.append(
          MappingError.Problem(
            .unusedKey, at: mark, name: key,
            expected: Self.list(classes.map { compiler.profile.classes[$0].name }),
            nearest: NearestName.find(key, in: known)))
        return
      }
      guard index < path.count - 1 else { return }
      let kinds = found.reduce(into: ValueKinds()) { $0.formUnion($1.kinds) }
      if !isExpression, kinds.isDisjoint(with: [.object, .collection, .foundation]) {
        problems.append(
          MappingError.Problem(.unusedPath, at: mark, name: path[index + 1], expected: key))
        return
      }
      guard let targets = targets(of: found) else { return }
      classes = targets
    }
  }

  /// The classes of the objects that stand under a key, as far as nothing else does; nil if other
  /// things do, which may have keys of their own.
  private func targets(of found: [SchemaProfile.PropertyProfile]) -> [Int]? {
    var targets: Set<Int> = []
    for property in found {
      guard property.kinds.isSubset(of: [.object, .collection, .null]),
        property.elements.kinds.isSubset(of: [.object, .null]),
        property.elements.collectionKinds.allSatisfy({ !$0.isKeyed })
      else { return nil }
      targets.formUnion(property.targets)
      targets.formUnion(property.elements.targets)
    }
    let areRows = targets.allSatisfy { index in
      let name = compiler.profile.classes[index].name
      return compiler.valueClasses[name] == nil && !compiler.isValueHook(name)
    }
    return targets.isEmpty || !areRows ? nil : targets.sorted()
  }

  /// Names as a sentence has them, of which only some are shown.
  private static func list(_ names: [String]) -> String {
    let most = 3
    let shown = names.prefix(most).map { "'\($0)'" }
    guard names.count > most else { return shown.joined(separator: ", ") }
    return shown.joined(separator: ", ") + " and \(names.count - most) more"
  }

  private mutating func note(
    _ code: MappingError.Code, _ name: Marked<String>, among names: [String]
  ) {
    let problem = MappingError.Problem(
      code, at: name.mark, name: name.value, nearest: NearestName.find(name.value, in: names))
    if !problems.contains(problem) { problems.append(problem) }
  }
}

extension PlanCompiler.EntityDraft {
  /// True if it is the draft of a block: of several of one entity, each has its own.
  fileprivate func isMade(of block: EntityMapping) -> Bool {
    let own = mapping.attributes.map(\.name.mark) + mapping.relationships.map(\.name.mark)
    return (block.attributes.map(\.name.mark) + block.relationships.map(\.name.mark))
      .allSatisfy(own.contains)
  }
}
