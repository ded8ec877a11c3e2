import ArchiveReader
import DataModel
import Stores

/// What an import goes by: the model, the tables, and what becomes of each archived class.
package struct ImportPlan: Sendable {
  package let model: Model
  package let hierarchy: EntityHierarchy
  package var layout: RelationalLayout
  /// The mappings that are run over the archives, in order: one, unless a mapping has passes.
  package var passes: [Pass]
  package let classesReadAsObjects: Set<String>
  package let limits: ReadingLimits
  package let recordsProvenance: Bool
  /// True if there is a table for the metadata of applications in Core Data stores.
  package let keepsMetadata: Bool
  /// Whether there is more to check than that the archives are sound: a model, a mapping, hooks.
  package let validates: Bool
  /// The model and its metadata, from which a Core Data store is created.
  package var source: ModelSource?
  /// The entities of which a mapping says that it names all properties, as a draft does.
  var completeEntities: Set<Int> = []
  /// The rules of Core Data, where a store is migrated.
  package var migration: MigrationTraits?
  /// The plain names of classes and keys, which the store has to keep; nil if it needs not.
  package var assignedNames: AssignedNames?

  /// Whether rows that name an owner whose ordered collection does not hold them stand after its
  /// members: not where they are kept as a draft found them, nor where nothing says that they do.
  package func placesStrays(_ stored: StoredRelationship) -> Bool {
    guard validates, stored.inverse != nil else { return false }
    return stored.elements != nil || !stored.destinations.allSatisfy(completeEntities.contains)
  }

  /// Whether nothing but plain rows is made, and nothing checked.
  package var isPlain: Bool { !validates && passes.allSatisfy { !$0.usesMapping } }

  /// The entities that the objects of a class become, in any pass.
  package func entities(ofClass name: String) -> Set<Int> {
    passes.reduce(into: []) { found, pass in
      switch pass.classes[name] {
      case .plain(let entity, _), .hook(_, let entity?): found.insert(entity)
      case .mapped(let indices): found.formUnion(indices.map { pass.entities[$0].entity })
      default: break
      }
    }
  }

  /// The indices of the passes that make something of the objects of a class.
  func passes(of className: String) -> [Int] {
    passes.indices.filter { index in
      if case .unmapped = passes[index].classes[className] ?? .unmapped { false } else { true }
    }
  }

  /// True if anything is made of the objects of a class.
  package func converts(className: String) -> Bool { !passes(of: className).isEmpty }

  /// Whether the objects of a class are ignored on purpose.
  package func ignores(className: String) -> Bool {
    passes.contains { pass in
      if case .ignored = pass.classes[className] { true } else { false }
    }
  }

  /// The entity mappings that take the objects of a class, in all passes.
  func entityPlans(of className: String) -> [EntityPlan] {
    passes.flatMap { pass in
      guard case .mapped(let indices) = pass.classes[className] else { return [EntityPlan]() }
      return indices.map { pass.entities[$0] }
    }
  }

  /// The entity that the objects of a class become in the first pass that takes them.
  package func entityName(ofClass name: String) -> String? {
    for pass in passes {
      switch pass.classes[name] {
      case .plain(let entity, _), .hook(_, let entity?): return model.entities[entity].name
      case .mapped(let indices): return model.entities[pass.entities[indices[0]].entity].name
      default: continue
      }
    }
    return nil
  }
}

extension ImportPlan {
  /// The relational table of the elements that an entity of a drafted model stands for.
  ///
  /// - Parameter drafted: What the entity is for.
  /// - Returns: The table of the elements of a property, of what finds no room in an entity's own,
  ///   or of unowned collections; nil for other tables, and where the layout has none.
  package func elementTable(of drafted: DraftedTable) -> RelationalLayout.ElementTable? {
    switch drafted {
    case .elements(let entity, let property):
      hierarchy.index(of: entity)
        .flatMap { layout.entities[$0].properties[property]?.elements }
        .map { layout.elementTables[$0] }
    case .overflow(let entity):
      hierarchy.index(of: entity).flatMap { layout.entities[$0].overflow }
        .map { layout.elementTables[$0] }
    case .collectionElements: RelationalLayout.collectionElements
    case .collections, .topLevel: nil
    }
  }
}

extension ImportPlan {
  /// Of so many objects, one at most may not become a row straight from the archive.
  private static let rareness = 8

  /// True if the profile of archives can be taken of what is read for their rows: each object
  /// becomes a row of its own, and whatever it refers to has its turn.
  ///
  /// If it turns out otherwise on the way, the import ends with `ArchiveError.unplanned`.
  ///
  /// - Parameter profile: The profile of the archives: that of a sample will do.
  /// - Returns: False where that would be sure to happen, or would take longer than to have another
  ///   thread take the profile: most rows do not come straight from the archive.
  package func isObservable(_ profile: SchemaProfile) -> Bool {
    guard passes.count == 1 else { return false }
    let pass = passes[0]
    let isEachOwn = pass.classes.values.allSatisfy { plan in
      switch plan {
      case .plain: true
      case .mapped(let indices): indices.count == 1 && pass.entities[indices[0]].makesOwnRows
      default: false
      }
    }
    let others = profile.classes.filter {
      if case .mapped = pass.classes[$0.name] { pass.direct[$0.name] == nil } else { false }
    }
    let objectCount = profile.classes.reduce(0) { $0 + $1.count }
    return isEachOwn && others.reduce(0) { $0 + $1.count } <= objectCount / Self.rareness
      && profile.classes.allSatisfy { found in
        guard case .mapped(let indices) = pass.classes[found.name] else { return true }
        let bound = pass.direct[found.name]?.bound ?? []
        return found.properties.allSatisfy {
          pass.entities[indices[0]].isObservable($0, bound: bound)
        }
      }
  }
}

extension ImportPlan.EntityPlan {
  /// True if each object becomes a row of its own, whatever else there is.
  var makesOwnRows: Bool { isSimple && policy == nil && !asksForRows }

  /// True if the values under a key are looked at once, and what they refer to has its turn.
  fileprivate func isObservable(_ property: SchemaProfile.PropertyProfile, bound: Set<Int>) -> Bool
  {
    func reads(_ source: ValueSource) -> Bool { source.keyPath == [property.key] }
    guard bound.count(where: { reads(attributes[$0].source) }) <= 1 else { return false }
    guard !property.kinds.isDisjoint(with: [.object, .collection]) else { return true }
    return collections.count { $0.key == property.key }
      + relationships.count { $0.split == nil && reads($0.source) } == 1
  }
}

extension ImportPlan {
  /// What one pass makes of the archived classes.
  package struct Pass: Sendable {
    /// Its name; nil for the first.
    package var name: String?
    /// Its place among the passes.
    var index = 0
    package var classes: [String: ClassUse]
    /// The classes whose rows an entity mapping makes straight from the archive: see
    /// `PlanCompiler.findDirectClasses`.
    var direct: [String: DirectPlan] = [:]
    /// The entity mappings, in the order in which their policies are called.
    package var entities: [EntityPlan] = []
    /// Whether there are classes whose objects are what one of their keys holds.
    package var hasValueClasses = false
    /// Whether the coders of hooks are strict or lenient, and what an error of theirs does.
    var decoding = DecodingOptions()

    /// What becomes of the objects of a class, by its archived name or the one that it has in
    /// Swift.
    func plan(ofClass name: String) -> ClassUse {
      classes[name] ?? SwiftName.plain(name).flatMap { classes[$0] } ?? .unmapped
    }

    /// Whether anything but plain rows is made.
    package var usesMapping: Bool {
      classes.values.contains { plan in
        if case .plain = plan { false } else { true }
      }
    }

    /// Whether anything but rows straight from the archive is made.
    var needsSession: Bool {
      if entities.contains(where: \.isStaged) { return true }
      return classes.contains { name, plan in
        if case .plain = plan { return false }
        guard let mapping = direct[name] else { return true }
        // The parts of texts find or make rows of their own.
        return entities[mapping.index].relationships.contains { $0.split != nil }
      }
    }
  }

  /// An entity mapping that makes the rows of a class straight from the archive.
  struct DirectPlan: Sendable {
    /// Its place in its pass.
    var index: Int
    /// The places of those of its attributes whose values are bound as they stand.
    var bound: Set<Int>
    /// Whether the keys of the class are columns as they stand: see `ClassUse.plain`.
    var isPlain: Bool
  }

  /// What becomes of the objects of a class.
  package enum ClassUse: Sendable {
    /// Each becomes a row of an entity: straight from the archive, key by key.
    ///
    /// `properties` has the property of each key that is read.
    case plain(entity: Int, properties: [String: String])
    /// They become rows as entity mappings say, given by their indices.
    case mapped([Int])
    /// A hook, given by its index among all, inserts their rows; references to them lead to rows of
    /// the entity.
    case hook(Int, entity: Int?)
    /// They are values: what the key holds takes their place.
    case value(key: String)
    /// A hook, given by its index among those of value classes, gives the value that takes their
    /// place.
    case valueHook(Int)
    /// They are left behind on purpose.
    case ignored
    /// The model has no entity for them.
    case unmapped
  }
}

/// The parts of a plan whose rows only the run itself can tell.
extension ImportPlan {
  /// Why the rows of a run cannot be predicted from the archives alone; nil if they can.
  package var reasonToRepeat: String? {
    for pass in passes {
      if pass.entities.contains(where: { $0.policy != nil }) {
        return "policies in Swift made rows"
      }
      for found in pass.classes.values {
        switch found {
        case .hook, .valueHook: return "hooks in Swift made rows"
        default: break
        }
      }
    }
    return nil
  }

  /// Why not even the run itself would make the same rows again; nil if it would.
  package var reasonNotToRepeat: String? {
    asksForTime(identifying: true) ? "its rows depend on the time of the run" : nil
  }

  /// True if rows depend on the time of the run: which there are, and what they are joined to.
  ///
  /// - Parameter identifying: True if only the attributes count that identify rows; else all do.
  /// - Returns: True if they do.
  package func asksForTime(identifying: Bool) -> Bool {
    passes.contains { pass in
      pass.entities.contains { mapping in
        mapping.filter?.asksForTime == true
          || mapping.relationships.contains { $0.source.asksForTime }
          || mapping.attributes.contains {
            (!identifying || mapping.identity.contains($0.attribute)) && $0.source.asksForTime
          }
      }
    }
  }

  /// True if objects may become rows that others have made: by identity, or as parts of a value.
  package var findsRows: Bool {
    passes.contains { pass in
      pass.entities.contains { mapping in
        !mapping.identity.isEmpty || mapping.relationships.contains { $0.split != nil }
      }
    }
  }
}

extension ValueSource {
  /// True if it is an expression that depends on the time.
  fileprivate var asksForTime: Bool {
    if case .expression(let expression) = self { expression.asksForTime } else { false }
  }
}
