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
  /// The functions of the policy whose entity mapping is being run.
  var policyFunctions: [String: PolicyFunction] = [:]
  /// The hooks that the plan names by their indices.
  let extensions: ImportExtensions
  /// What runs the policies.
  weak var migration: ArchiveMigrationEngine?
  /// The keys that nothing has read.
  @safe @exclusivity(unchecked) var unread = UnreadKeys()

  /// Of how many objects the identities are being read, one for the sake of another.
  private var identityDepth = 0
  private static let maxIdentityDepth = 256

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
  @safe @exclusivity(unchecked) private var soleEntities: [Int] = []

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
      try runMappings(indices, on: object)
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

  // MARK: References

  override func rowOfOther(
    _ uid: Int, _ id: ClassID, fitting destinations: [Int]
  ) throws -> RowReference? {
    try row(of: uid, id, fitting: destinations)
  }

  /// The rows that an object becomes, by entity mapping; they are handed out if need be.
  func rows(of uid: Int, _ id: ClassID) throws -> [RowReference] {
    workList.add(uid)
    switch try plan(of: id) {
    case .plain(let entity, _):
      return [RowReference(entity: entity, id: row(of: uid, entity: entity))]
    case .hook(_, let entity):
      guard let entity else { return [] }
      return [reserve(uid, entity)]
    case .mapped(let indices):
      if indices.count == 1, pass.entities[indices[0]].isSimple {
        return [reserve(uid, pass.entities[indices[0]].entity)]
      }
      return try resolve(uid, indices).map(\.reference)
    case .unmapped, .ignored, .value, .valueHook:
      return context.earlierRows(of: uid, archive: archiveID)
    }
  }

  /// The row that stands for an object where a relationship may lead to some entities.
  func row(
    of uid: Int, _ id: ClassID, fitting destinations: [Int], mapping: String? = nil
  ) throws -> RowReference? {
    if mapping == nil, !context.associations.isKept,
      let row = try onlyRow(of: uid, id)
    {
      return row
    }
    if let mapping {
      if let found = try mappedRow(of: uid, id, mapping) { return found }
      return context.associations.destinations(of: SourceKey(archiveID, uid), mapping).first
    }
    let rows = try rows(of: uid, id)
    if destinations.isEmpty {
      // What may lead anywhere leads to the first row that an object became.
      return context.earlierRows(of: uid, archive: archiveID).first ?? rows.first
    }
    let hierarchy = context.plan.hierarchy
    return rows.first { row in destinations.contains { hierarchy.isKind(row.entity, of: $0) } }
      ?? context.earlierRows(of: uid, archive: archiveID).first { row in
        destinations.contains { hierarchy.isKind(row.entity, of: $0) }
      } ?? rows.first
  }

  /// The row of an object that always becomes one row, whatever leads to it; nil for others.
  func onlyRow(of uid: Int, _ id: ClassID) throws -> RowReference? {
    if id.index >= soleEntities.count || soleEntities[id.index] == -2 { try findSoleEntity(of: id) }
    let entity = soleEntities[id.index]
    guard entity >= 0 else { return nil }
    workList.add(uid)
    if plainEntities[id.index] >= 0 {
      return RowReference(entity: entity, id: row(of: uid, entity: entity))
    }
    return reserve(uid, entity)
  }

  private func findSoleEntity(of id: ClassID) throws {
    while soleEntities.count <= id.index { soleEntities.append(-2) }
    soleEntities[id.index] =
      switch try plan(of: id) {
      case .plain(let entity, _), .hook(_, let entity?): entity
      case .mapped(let indices) where indices.count == 1 && pass.entities[indices[0]].isSimple:
        pass.entities[indices[0]].entity
      default: -1
      }
  }

  /// The row that one entity mapping of this pass makes of an object.
  private func mappedRow(of uid: Int, _ id: ClassID, _ mapping: String) throws -> RowReference? {
    guard case .mapped(let indices) = try plan(of: id),
      let index = indices.first(where: { pass.entities[$0].name == mapping })
    else { return nil }
    let rows = try rows(of: uid, id)
    if indices.count == 1, pass.entities[index].isSimple { return rows.first }
    return resolvedRows[uid]?.first { $0.plan == index }?.reference
  }

  /// The row of an object that becomes one row of its own.
  func reserve(_ uid: Int, _ entity: Int) -> RowReference {
    let table = context.entities[entity].table
    let (row, isNew) = rows.reserve(uid, table: table)
    if isNew { context.links.noteReserved(row, table: table) }
    return RowReference(entity: entity, id: row)
  }

  /// What the entity mappings make of an object that may become several rows, or none.
  func resolve(_ uid: Int, _ indices: [Int]) throws -> [ResolvedRows.Row] {
    if let known = resolvedRows[uid] { return known }
    // The values of an identity may lead to objects that have one, and these back to this one.
    guard identityDepth < Self.maxIdentityDepth else {
      throw ArchiveError(.tooDeep, name: "\(Self.maxIdentityDepth)")
    }
    identityDepth += 1
    defer { identityDepth -= 1 }
    let object = try graph.object(uid)
    return try reading(object, isInHook: false) {
      var rows: [ResolvedRows.Row] = []
      for index in indices {
        let plan = pass.entities[index]
        guard try passes(plan, object) else { continue }
        let shape = context.entities[plan.entity]
        guard !plan.identity.isEmpty else {
          let reference = RowReference(entity: plan.entity, id: context.newRow(plan.entity))
          context.links.noteReserved(reference.id, table: shape.table)
          rows.append(.init(plan: index, reference: reference, wasFound: false))
          continue
        }
        let values = try plan.identity.map { attribute in
          guard let source = plan.attributes.first(where: { $0.attribute == attribute }) else {
            return ImportValue.null
          }
          // Errors and losses are noted when the row is made.
          let value = try evaluate(source, of: object, index, notes: false).value
          return ValueCoercion.coerced(value, to: shape.attributes[attribute].attribute.type)
        }
        let (reference, wasFound) = try context.find(plan.entity, plan.identity, values)
        if !wasFound { context.links.noteReserved(reference.id, table: shape.table) }
        rows.append(.init(plan: index, reference: reference, wasFound: wasFound))
      }
      resolvedRows.set(rows, of: uid)
      return rows
    }
  }

  /// The row that was handed out for an object that an entity mapping with a policy takes.
  func handedOut(_ uid: Int, _ index: Int) throws -> RowReference {
    let plan = pass.entities[index]
    if plan.isSimple, resolvedRows[uid] == nil { return reserve(uid, plan.entity) }
    if let known = resolvedRows[uid]?.first(where: { $0.plan == index }) {
      return known.reference
    }
    return RowReference(entity: plan.entity, id: context.newRow(plan.entity))
  }

  /// The row that an identity found for an object; nil if the object becomes one of its own.
  func foundRow(_ uid: Int, _ index: Int) -> RowReference? {
    resolvedRows[uid]?.first { $0.plan == index && $0.wasFound }?.reference
  }

  /// Writes which object a row was, if that is asked for.
  func noteOrigin(of row: RowReference, _ object: GraphObject) throws {
    guard context.plan.recordsProvenance else { return }
    try writeProvenance(object, row.entity, row.id)
  }

  /// Notes a value that could not be bound as it is.
  func noteInexact(_ value: GraphValue) { context.report.addLoss(of: value, at: location) }
}
