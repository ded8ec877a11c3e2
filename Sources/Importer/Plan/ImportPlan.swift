import ArchiveReader
import RelationalStores

/// What an import goes by: the model, the tables, and what becomes of each archived class.
package struct ImportPlan: Sendable {
  package let model: Model
  package let hierarchy: EntityHierarchy
  package let layout: RelationalLayout
  /// The mappings that are run over the archives, in order: one, unless a mapping has passes.
  package var passes: [Pass]
  package let classesReadAsObjects: Set<String>
  package let limits: ReadingLimits
  package let recordsProvenance: Bool
  /// Whether there is more to check than that the archives are sound: a model, a mapping, hooks.
  package let validates: Bool
  /// The model and its metadata, from which a Core Data store is created.
  package var source: ModelSource?
  /// The entities of which a mapping says that it names all properties, as a draft does.
  var completeEntities: Set<Int> = []
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
      classes.contains { name, plan in
        if case .plain = plan { return false }
        guard let mapping = direct[name] else { return true }
        // The parts of texts find or make rows of their own.
        return entities[mapping.index].relationships.contains { $0.split != nil }
      }
    }
  }
}

extension ImportPlan {
  /// An entity mapping that makes the rows of a class straight from the archive.
  struct DirectPlan: Sendable {
    /// Its place in its pass.
    var index: Int
    /// The places of those of its attributes whose values are bound as they stand.
    var bound: Set<Int>
  }
}

extension ImportPlan {
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

extension ImportPlan {
  /// An entity mapping, made ready to run.
  package struct EntityPlan: Sendable {
    /// The name by which associations know it.
    package var name: String
    package var entity: Int
    var sources: [String]
    package var filter: FilterPredicate?
    /// The attributes that tell rows apart, by their indices among the entity's.
    package var identity: [Int] = []
    var policy: (any MigrationPolicy.Type)?
    package var attributes: [AttributePlan] = []
    package var relationships: [RelationshipPlan] = []
    package var collections: [CollectionPlan] = []
    /// Keys that are left behind on purpose.
    var unread: Set<String> = []

    /// Whether it asks which rows were made of which objects.
    package var asksForRows: Bool {
      relationships.contains { $0.entityMapping != nil || $0.source.callsFunctions }
        || attributes.contains { $0.source.callsFunctions }
    }

    /// Whether an object of the classes always becomes one row of its own.
    package var isSimple: Bool { filter == nil && identity.isEmpty }

    /// The keys of the archived objects that it reads.
    var readKeys: Set<String> {
      var keys = unread
      for source in attributes.map(\.source) + relationships.map(\.source) {
        keys.formUnion(source.keys)
      }
      keys.formUnion(collections.map(\.key))
      keys.formUnion((filter?.keyPaths ?? []).compactMap(\.first))
      return keys
    }

    /// Those of them whose values have a place in the store: what only expressions, longer paths
    /// and filters read has none.
    var keptKeys: Set<String> {
      let sources = attributes.map(\.source) + relationships.map(\.source)
      return Set(sources.compactMap(\.wholeKey) + collections.map(\.key))
    }
  }
}

extension ImportPlan.EntityPlan {
  /// Lets properties that have the same key share its values: each takes those of its kind.
  mutating func shareKeys(_ relationships: [StoredRelationship]) {
    var taken: [[String]: ImportPlan.SourceKinds] = [:]
    for plan in attributes where plan.conversion == nil {
      if let path = plan.source.keyPath { taken[path, default: []].insert(.plain) }
    }
    for plan in self.relationships where plan.split == nil {
      guard let path = plan.source.keyPath else { continue }
      taken[path, default: []].insert(
        relationships[plan.relationship].isToMany ? .collection : .object)
    }
    for plan in collections { taken[[plan.key], default: []].insert(.collection) }
    for (index, plan) in collections.enumerated() {
      let path = [plan.key]
      var others = (taken[path] ?? []).subtracting(.collection)
      // A conversion, or a split, takes what there is.
      if attributes.contains(where: { $0.conversion != nil && $0.source.keyPath == path })
        || self.relationships.contains(where: { $0.split != nil && $0.source.keyPath == path })
      {
        others = [.plain, .object]
      }
      collections[index].leaves = others
    }
    for (index, plan) in attributes.enumerated() where plan.conversion == nil {
      guard let path = plan.source.keyPath else { continue }
      attributes[index].leaves = (taken[path] ?? []).subtracting(.plain)
    }
    for (index, plan) in self.relationships.enumerated() where plan.split == nil {
      guard let path = plan.source.keyPath else { continue }
      let own: ImportPlan.SourceKinds =
        relationships[plan.relationship].isToMany ? .collection : .object
      self.relationships[index].leaves = (taken[path] ?? []).subtracting(own)
    }
  }
}

extension ValueSource {
  /// The key path, if it is one.
  package var keyPath: [String]? {
    if case .keyPath(let path) = self { path } else { nil }
  }

  /// The key, if it is a single one.
  var key: String? {
    keyPath.flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// The key whose value it is; nil if it is something else, or made of it.
  var wholeKey: String? {
    switch self {
    case .keyPath: key
    case .constant: nil
    case .expression(let expression): expression.key
    }
  }

  /// The keys of the archived object that it reads.
  var keys: [String] {
    switch self {
    case .keyPath(let path): path.first.map { [$0] } ?? []
    case .constant: []
    case .expression(let expression): expression.keyPaths.compactMap(\.first)
    }
  }
}

extension ImportPlan {
  /// Where an attribute's value comes from.
  package struct AttributePlan: Sendable {
    /// The attribute, by its index among the entity's.
    package var attribute: Int
    package var source: ValueSource
    package var conversion: ValueConversion?
    /// What it leaves to other properties that have the same source.
    package var leaves: SourceKinds = []
  }
}

extension ImportPlan {
  /// Kinds of archived values, where one key feeds several properties.
  package struct SourceKinds: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let plain = SourceKinds(rawValue: 1)
    static let object = SourceKinds(rawValue: 2)
    static let collection = SourceKinds(rawValue: 4)

    /// Whether a value is of one of the kinds.
    package func contains(_ value: GraphValue) -> Bool {
      switch value {
      case .null, .nsNull: false
      case .object: contains(.object)
      case .collection: contains(.collection)
      default: contains(.plain)
      }
    }
  }
}

extension ImportPlan {
  /// Where a relationship's rows come from.
  package struct RelationshipPlan: Sendable {
    /// The relationship, by its index in the model.
    package var relationship: Int
    package var source: ValueSource
    package var split: SplitPlan?
    /// The name of the entity mapping whose rows are meant.
    package var entityMapping: String?
    /// Whether the archives have collections there whose order is lost.
    var dropsOrder = false
    /// What it leaves to other properties that have the same source.
    package var leaves: SourceKinds = []
  }
}

extension ImportPlan {
  /// How the parts of a value become rows.
  package struct SplitPlan: Sendable {
    package var rule: RelationshipMapping.Split
    package var entity: Int
    /// The attribute that holds the part, by its index among the entity's.
    package var attribute: Int
  }
}

extension ImportPlan {
  /// A collection that becomes rows of a table of elements.
  package struct CollectionPlan: Sendable {
    package var name: String
    package var key: String
    /// Whether the archives have collections there whose order is lost.
    var dropsOrder = false
    /// What it leaves to other properties that have the same source.
    package var leaves: SourceKinds = []
  }
}
