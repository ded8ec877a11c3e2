import ArchiveReader
import Support

/// The turn of one archive where more than plain rows are made: hooks, entity mappings, policies.
final class ImportSession: ArchiveImporter {
  // Some properties are not checked for exclusive access, as in `ArchiveImporter`.

  /// For each table, the last row before the turn.
  var firstIDs: [Int64]
  /// The object that is being read, and whether a hook reads it.
  private(set) var current: GraphObject?
  private(set) var isInHook = false
  /// For objects that may become several rows, an older one, or none: what they became.
  var resolvedRows: ResolvedRows
  /// For each pair of a shape and an entity mapping, where the keys of this stand in that.
  var mappedPositions: [Int: MappedPositions] = [:]
  /// Objects of entity mappings with policies, in the order in which they were reached.
  var policySources: [(uid: Int, plan: Int)] = []
  /// For each class, the entity mapping that makes one row of each of its objects in the walk over
  /// a store that is migrated; -1 for none, -2 where it is not known.
  @safe @exclusivity(unchecked) var soleMappings: [Int] = []
  /// For each table, the objects of its rows by their ids, once a policy has asked for one.
  var walkedSources: [[UInt32]] = []
  /// The surroundings of expressions in a migration.
  private(set) lazy var migrationScope = MigrationScope(self)
  /// The functions of the policy whose entity mapping is being run.
  var policyFunctions: [String: PolicyFunction] = [:]
  /// The hooks that the plan names by their indices.
  let extensions: ImportExtensions
  /// What runs the policies.
  weak var migration: ArchiveMigrationEngine?
  /// The keys that nothing has read.
  @safe @exclusivity(unchecked) var unread = UnreadKeys()

  /// Of how many objects the identities are being read, one for the sake of another.
  var identityDepth = 0
  static let maxIdentityDepth = 256

  /// How much of collections in one another may still be decoded for hooks, mappings and policies.
  var budget: ExpansionBudget

  /// For each shape, a coder whose hook has returned: the next object goes on with it.
  @safe @exclusivity(unchecked) var spareCoders: [ImportCoder?] = []
  /// For how many shapes one is kept.
  static let maxSpareCoders = 256
  /// For each class, the entity of a hook's rows; -1 where it is not known.
  @safe @exclusivity(unchecked) var entitiesOfClasses: [Int] = []
  /// For each class, the entity of the one row that its objects always become; -1 for others, and
  /// -2 where it is not known.
  @safe @exclusivity(unchecked) var soleEntities: [Int] = []

  init(
    _ archive: any GraphSource, id: Int64, path: String, pass: ImportPlan.Pass,
    _ context: ImportContext,
    _ extensions: ImportExtensions, library: GraphLibrary, takesProfile: Bool
  ) {
    self.extensions = extensions
    budget = ExpansionBudget(archive, context.plan.limits, isNested: false)
    resolvedRows = ResolvedRows(objectCount: archive.objectCount)
    firstIDs = context.lastIDs
    super.init(
      archive, id: id, path: path, pass: pass, context, library: library,
      takesProfile: takesProfile)
  }

  /// Where errors and losses are noticed.
  var location: ImportFindings.Location {
    ImportFindings.Location(
      archive: path,
      uid: current.map { graph.source.reportedNumber(ofObject: $0.uid) },
      className: current.map { graph.classes[$0.class.index].name })
  }

  // MARK: Objects

  /// Makes rows of an object that is not a plain row.
  override func processOther(_ object: GraphObject) throws {
    if profile != nil { try noteProfile(of: object) }
    let outer = current
    current = object
    defer { current = outer }
    switch plansOfClasses[object.class.index] {
    case .plain, .ignored:
      break
    case .value(let key):
      var read = KeyBits(graph.keys(ofShape: object.shape).count)
      if let position = graph.position(of: key, in: object) { read.insert(position) }
      noteUnread(object, read: read)
    case .valueHook:
      unread.addValueObject(object)
    case .unmapped:
      let name = graph.classes[object.class.index].name
      // What another pass takes is not left behind, and what none takes is counted once.
      if pass.index == 0, context.plan.passes(of: name).isEmpty {
        context.report.unmappedObjects[name, default: 0] += 1
      }
      // What it leads to may have entities.
      try reachAll(of: object)
    case .mapped(let indices):
      if let migration = plan.migration {
        try runMappings(indices, on: object, migration)
      } else {
        try runMappings(indices, on: object)
      }
    case .hook(let index, let entity):
      try runHook(index, entity, on: object)
    }
    try context.flush()
  }

  /// Lets the profile that goes along note an object whose row an entity mapping makes.
  private func noteProfile(of object: GraphObject) throws {
    guard case .mapped(let indices) = plansOfClasses[object.class.index], indices.count == 1,
      pass.entities[indices[0]].makesOwnRows
    else { throw ArchiveError.unplanned }
    let leading = positions(indices[0], object).leading
    try profile?.observe(object, leading: leading, graph)
  }

  /// Runs a body with an object as the one that is being read.
  func reading<R>(_ object: GraphObject, isInHook: Bool, _ body: () throws -> R) rethrows -> R {
    let outer = (current, self.isInHook)
    (current, self.isInHook) = (object, isInHook)
    defer { (current, self.isInHook) = outer }
    return try body()
  }

  override func relateParts(
    of object: GraphObject, _ owner: RowReference, _ plan: ImportPlan.RelationshipPlan,
    by split: ImportPlan.SplitPlan
  ) throws {
    try reading(object, isInHook: false) {
      try relate(owner, plan, partsBy: split, of: object)
      try context.flush()
    }
  }

  override func unwrapped(_ value: GraphValue) throws -> GraphValue {
    guard pass.hasValueClasses else { return value }
    var value = value
    for _ in 0..<Self.maxDepth {
      guard case .object(let uid, let id) = value, case .value(let key) = try plan(of: id)
      else { return value }
      workList.add(uid)
      let object = try graph.object(uid)
      guard let position = graph.position(of: key, in: object) else { return .null }
      value = try graph.value(of: object, at: position)
    }
    throw ArchiveError(.tooDeep, name: "\(Self.maxDepth)")
  }

  override func elementOfOther(_ uid: Int, _ id: ClassID) throws -> CollectionElement.Value {
    switch try value(of: uid, id, depth: 0) {
    case .null: .nothing
    case .row(let row): .row(row)
    case let value: .value(value)
    }
  }

  override func rowOfOther(
    _ uid: Int, _ id: ClassID, fitting destinations: [Int]
  ) throws -> RowReference? {
    try row(of: uid, id, fitting: destinations)
  }

  /// Writes which object a row was, if that is asked for.
  func noteOrigin(of row: RowReference, _ object: GraphObject) throws {
    guard context.plan.recordsProvenance else { return }
    try writeProvenance(object, row.entity, row.id)
  }

  /// Notes a value that could not be bound as it is.
  func noteInexact(_ value: GraphValue, _ key: String?) {
    var location = location
    location.key = key
    context.report.addLoss(of: value, at: location)
  }
}

extension ImportSession {
  /// The positions of the keys of an entity mapping in the shape of an object.
  ///
  /// - Complexity: Constant, but for the first object of a shape.
  func positions(_ index: Int, _ object: GraphObject) -> MappedPositions {
    let slot = object.shape * max(1, pass.entities.count) + index
    if let known = mappedPositions[slot] { return known }
    let found = MappedPositions(pass.entities[index], graph.keys(ofShape: object.shape))
    mappedPositions[slot] = found
    return found
  }

  // MARK: Unread keys

  /// Counts the keys of an object that no entity mapping of any pass reads.
  func noteUnread(_ object: GraphObject, _ className: String) {
    // It is counted in the first pass that takes it.
    guard context.plan.passes(of: className).first == pass.index else { return }
    unread.addMapped(object) {
      let plans = context.plan.entityPlans(of: className)
      let read = plans.reduce(into: Set()) { $0.formUnion($1.readKeys.subtracting($1.unread)) }
      let kept = plans.reduce(into: Set()) { $0.formUnion($1.keptKeys) }
      let ignored = plans.reduce(into: Set()) { $0.formUnion($1.unread) }
      return (
        positions(of: read, in: object),
        positions(of: read.subtracting(kept).subtracting(ignored), in: object)
      )
    }
  }

  private func positions(of keys: Set<String>, in object: GraphObject) -> KeyBits {
    var positions = KeyBits(graph.keys(ofShape: object.shape).count)
    for key in keys {
      if let position = graph.position(of: key, in: object) { positions.insert(position) }
    }
    return positions
  }

  /// Counts the keys of an object that nothing read.
  func noteUnread(_ object: GraphObject, read: KeyBits) {
    unread.add(object, read: read)
  }

  /// Notes which keys a hook read of an object of a value class, which it may see several times.
  func noteValueRead(_ object: GraphObject, _ read: KeyBits) {
    unread.addValueRead(object, read)
  }

  /// Adds what nothing read to the report.
  func reportUnread(ignored: (_ className: String) -> Set<String>) {
    let keys = unread.take(graph)
    for (key, count) in keys.derived { context.report.derivedKeys[key, default: 0] += count }
    for (key, count) in keys.unread {
      if ignored(key.className).contains(key.key) {
        context.report.ignoredKeys[key, default: 0] += count
      } else {
        context.report.unreadKeys[key, default: 0] += count
      }
    }
    for (key, count) in unread.takeIgnored(graph) {
      context.report.ignoredKeys[key, default: 0] += count
    }
  }
}
