import ArchiveReader

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
