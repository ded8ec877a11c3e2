import ArchiveReader
import Stores
import Support

/// Makes the plan of an import from what there is: the profile of the archives, a Core Data model,
/// a mapping, hooks and policies.
///
/// What none of them says follows from names, and where there is no model from the archives. The
/// parts: `PlanCompiler+Classes` finds the entity of each class, `+Properties` the properties of
/// each entity mapping, `+Inverses` what leads back, `+Plans` what is left to run.
package struct PlanCompiler {
  let profile: SchemaProfile
  /// Draws a model from a profile, with the same names for the same classes and keys.
  let infer: (SchemaProfile) -> Model
  /// What the archives show by themselves.
  let inferred: Model
  /// The model that was given.
  let given: Model?
  /// What the model of the sources says, where all are stores of one and no other was given.
  let declared: DeclaredEntities?
  let mapping: Mapping
  let extensions: ImportExtensions
  /// How entities and properties are named.
  let nameRules: NameRules
  /// Which dictionaries are records.
  let recordRules: RecordRules
  /// Whether transformable attributes hold archives.
  let archivesTransformables: Bool
  /// Whether the archives that transformable attributes of a store hold become values.
  let unarchivesTransformables: Bool

  /// The model that is made, entity by entity.
  var model: Model
  var problems: [MappingError.Problem] = []
  /// For each archived class, what a mapping or a name says that it becomes.
  var entityOfClass: [String: String] = [:]
  var valueClasses: [String: String] = [:]
  var ignoredClasses: Set<String> = []
  /// For each class with keys that lead to objects of value classes, these keys, and what the
  /// archives show where what the objects stand for takes their place.
  var throughValues: [String: (keys: Set<String>, entity: Entity)] = [:]
  /// Which archived classes a name means.
  var names: ArchivedClassNames
  /// The entity mappings, pass by pass, implied ones included.
  var drafts: [[EntityDraft]] = []
  /// Where relationships that follow from the archives come from.
  var origins: [PropertyOrigin: [PropertyName]] = [:]
  let lookup: PlanIndex

  /// An archived key of a class.
  struct PropertyOrigin: Hashable {
    var className: String
    var key: String
  }

  /// A property of an entity.
  struct PropertyName: Hashable {
    var entity: String
    var name: String
  }

  /// Compiles a plan.
  ///
  /// - Throws: `MappingError` with everything that does not fit together.
  package static func plan(
    profile: SchemaProfile, model: Model?, mapping: Mapping?, mappingPath: String?,
    extensions: ImportExtensions, options: Options
  ) throws(MappingError) -> ImportPlan {
    var compiler = PlanCompiler(profile, model, mapping, extensions, options)
    let passes = compiler.compile()
    try compiler.check(mappingPath)
    let hierarchy = EntityHierarchy(compiler.model)
    var layout = RelationalLayout(
      compiler.model, after: options.earlierTables, keepsIDs: compiler.nameRules.isPlain)
    layout.queries = compiler.queries(layout, options)
    var plan = ImportPlan(
      model: compiler.model, hierarchy: hierarchy, layout: layout, passes: [],
      classesReadAsObjects: options.classesReadAsObjects, limits: options.limits,
      recordsProvenance: options.recordsProvenance, keepsMetadata: options.keepsMetadata,
      validates: model != nil || mapping != nil || !extensions.isEmpty)
    plan.completeEntities = compiler.completeEntities
    plan.migration = extensions.migration
    if compiler.nameRules.isPlain { plan.assignedNames = AssignedNames(compiler.inferred) }
    let (places, indices) = StoredRelationship.all(of: plan.model, layout, hierarchy)
    let shapes = EntityShape.all(plan, places, indices)
    let compiled = passes.enumerated().map { index, drafts in
      compiler.passPlan(
        index, drafts, hierarchy, shapes, places, avoidsPlainRows: options.avoidsPlainRows)
    }
    try compiler.check(mappingPath)
    let isIdle =
      compiled.count > 1 && compiled[0].entities.isEmpty && compiler.extensions.hooks.isEmpty
    plan.passes = isIdle ? Array(compiled.dropFirst()) : compiled
    for index in plan.passes.indices { plan.passes[index].index = index }
    return plan
  }

  /// The entities all of whose rows are made by blocks that name all properties.
  private var completeEntities: Set<Int> {
    guard extensions.isEmpty else { return [] }
    let blocks = mapping.entities + mapping.passes.flatMap(\.entities)
    let others = Set(blocks.filter { !$0.isComplete }.map(\.entity.value))
    let names = Set(blocks.map(\.entity.value)).subtracting(others)
    return Set(names.compactMap(entityIndex))
  }

  private func check(_ path: String?) throws(MappingError) {
    // What a block says wrongly is found again where subentities inherit it.
    let problems = problems.uniqued()
    guard let first = problems.first else { return }
    throw MappingError(path: path ?? "the model", first, Array(problems.dropFirst()))
  }

  init(
    _ profile: SchemaProfile, _ model: Model?, _ mapping: Mapping?, _ extensions: ImportExtensions,
    _ options: Options
  ) {
    self.profile = profile
    given = model
    self.mapping = (mapping ?? Mapping()).withArchivedNames
    self.extensions = extensions
    nameRules = options.names.completed(by: mapping)
    recordRules = options.recordRules ?? RecordRules()
    archivesTransformables = options.archivesTransformables
    unarchivesTransformables = options.unarchivesTransformables
    let former = Set(
      self.mapping.classes.compactMap { entry in
        if case .translated = entry.kind { entry.className.value } else { nil }
      })
    declared =
      model != nil
      ? nil
      : profile.declared.storeSource.map {
        DeclaredEntities($0.model, options.names.completed(by: mapping))
      }
    infer = { [nameRules] profile in
      ModelInference.infer(
        from: profile, names: nameRules, assigned: options.earlierTables.names,
        reservedNames: RelationalLayout.reservedTableNames
      ) { former.contains($0) || former.contains(SwiftName.readable($0)) }
    }
    inferred = infer(profile)
    lookup = PlanIndex(inferred)
    self.model = model ?? Model()
    names = ArchivedClassNames(profile, translations: ClassRenamings()) { _ in true }
  }

  mutating func compile() -> [[EntityDraft]] {
    findNames()
    findClasses()
    seeThroughValues()
    makeDrafts()
    lookup.entitiesOfClasses = entitiesOfClasses()
    declareEntities()
    inheritDeclaredParents()
    lookup.hierarchy = EntityHierarchy(model)
    inheritSettings()
    for (pass, index) in draftsParentsFirst() {
      var draft = drafts[pass][index]
      addProperties(to: &draft)
      drafts[pass][index] = draft
    }
    refuseSharedNames()
    if given == nil {
      hoistIdentities()
      findInverses()
    }
    lookup.hierarchy = nil
    checkModel()
    return drafts
  }

  // MARK: Helpers

  /// The place of an entity in the model that is made.
  func entityIndex(_ name: String) -> Int? {
    lookup.entity(name, in: model)
  }

  /// Who inherits from whom in the model that is made.
  var hierarchy: EntityHierarchy { lookup.hierarchy ?? EntityHierarchy(model) }

  /// What the archives show of a class.
  func inferredEntity(of className: String) -> Entity? {
    lookup.inferred(ofClass: className).map { inferred.entities[$0] }
  }

  /// What becomes of the objects of a class if nothing else is said: what a model says of them, or
  /// what the archives show.
  func foundEntity(of className: String) -> Entity? {
    declared?.entity(of: className) ?? inferredEntity(of: className)
  }

  /// What `foundEntity(of:)` gives for a class, by its name.
  func foundEntity(named name: String) -> Entity? {
    declared?.entity(named: name) ?? inferredEntity(named: name)
  }

  /// What the archives show under the name of an inferred entity.
  func inferredEntity(named name: String) -> Entity? {
    lookup.inferred(named: name).map { inferred.entities[$0] }
  }

  mutating func note(
    _ code: MappingError.Code, _ mark: SourceMark?, _ name: String, expected: String? = nil,
    among names: [String] = []
  ) {
    // A property is named with its entity.
    let parts = name.split(separator: ".", maxSplits: 1)
    let plain = code == .unknownProperty ? String(parts.last ?? "") : name
    problems.append(
      MappingError.Problem(
        code, at: mark, name: name, expected: expected,
        nearest: NearestName.find(plain, in: names)))
  }
}

extension PlanCompiler {
  /// What a plan takes from the options of a run.
  package struct Options {
    package var names: NameRules
    package var classesReadAsObjects: Set<String> = []
    package var limits = ReadingLimits.standard
    package var recordsProvenance = false
    /// True if there is a table for the metadata of applications in Core Data stores.
    package var keepsMetadata = false
    package var avoidsPlainRows = false
    /// Whether transformable attributes hold archives, as in a store of Core Data.
    package var archivesTransformables = false
    /// Whether the archives in them become values, where the inputs are stores of Core Data.
    package var unarchivesTransformables = false
    /// Which dictionaries are records; nil if none can be.
    package var recordRules: RecordRules?
    /// The tables of the store that is added to.
    package var earlierTables = EarlierTables()

    package init(names: NameRules = NameRules()) { self.names = names }
  }
}

extension ImportExtensions {
  package var isEmpty: Bool {
    hooks.isEmpty && values.isEmpty && policies.isEmpty && migration == nil
  }
}

/// Collections of which a mapping says that their order does not matter, though the archives have
/// one: what is lost so is told, unless a model says it.
extension PlanCompiler {
  /// True if a relationship loses the order of the collections that it is made of.
  func dropsOrder(
    _ mapping: RelationshipMapping, _ stored: StoredRelationship, _ draft: EntityDraft
  ) -> Bool {
    guard stored.isToMany, !stored.isOrdered, mapping.split == nil,
      let key = mapping.source.value.key
    else { return false }
    return hasOrder(key, draft)
  }

  /// True if the archives have collections with an order under a key of a draft's classes.
  func hasOrder(_ key: String, _ draft: EntityDraft) -> Bool {
    guard given == nil else { return false }
    return draft.sources.contains { source in
      guard let found = inferredEntity(of: source) else { return false }
      return found.relationships.contains { $0.key == key && $0.isToMany && $0.isOrdered }
        || found.collections.contains { $0.key == key && $0.isOrdered }
    }
  }
}

extension ImportPlan.EntityPlan {
  /// The keys of collections whose order is lost.
  var unorderedKeys: Set<String> {
    Set(
      relationships.filter(\.dropsOrder).compactMap { $0.source.keyPath?.first }
        + collections.filter(\.dropsOrder).map(\.key))
  }

  /// True if the order of collections is lost.
  var dropsOrder: Bool { !unorderedKeys.isEmpty }
}
