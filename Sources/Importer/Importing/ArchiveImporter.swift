import ArchiveReader
import Inference
import RelationalStores
import Support

/// Writes the objects of one archive into a store.
///
/// Each object that is a row is taken from the work list, decoded key by key, and inserted; what
/// it refers to gets a row reference and a place on the list. No second graph of objects is made.
struct ArchiveImporter {
  let plan: ImportPlan
  let pass: PassPlan
  let store: StoreWriter
  /// Where errors, losses and conflicts are noted.
  let context: ImportContext
  private(set) var archiveID: Int64
  /// The path of the archive.
  private(set) var path: String
  let graph: any ObjectGraph
  var workList: WorkList
  var rows: RowReferences
  var counts: ImportCounts
  var positions: MemberPositions
  var joins = JoinLinks()
  var unownedCollections: UnownedCollections
  /// Takes the profile of what is written, where that was only predicted; nil where it is known.
  var profile: SchemaProfiler?
  /// Where more than plain rows are made; nil if nothing else is.
  var session: ImportSession?
  /// For each class of plain rows, the keys that its entity has no property for, with their number,
  /// and those that are left behind on purpose.
  var unreadKeys: [ImportFindings.ClassKey: Int] = [:]
  var ignoredKeys: [ImportFindings.ClassKey: Int] = [:]

  let row: RowBuffer
  let elementRow: RowBuffer
  /// For each class of the graph, what becomes of its objects, and how where they are written
  /// straight from the archive.
  var plansOfClasses: [ClassPlan] = []
  var recipes: [RowRecipe?] = []
  /// For each of these, the entity of those that are; -1 for others.
  var plainEntities: [Int] = []
  /// For each of these, how many objects had their turn.
  var visited: [Int] = []
  var shapePlans = ShapePlans()
  /// The values of transformed attributes, on their way into the row.
  var pendingValues: [PendingValue] = []
  /// The values of the object whose row is being written.
  private var values: [GraphValue] = []
  private var openCollections: [OpenCollection] = []
  /// Keys of the object whose row is being written that go to the table of overflow.
  private var overflow: [(position: Int, property: Int)] = []
  /// Counts the objects that had their turn.
  var ticker = ObjectTicker(nil)
  /// Collections under keys that were written once.
  var seenCollections: Set<Int> = []

  let plain: PlainProperties
  /// For each entity, its table.
  private let tables: [Int]
  /// For each property of each entity, by its number, what was written so far.
  var propertyCounts: [[ImportCounts.PropertyCounts]]
  /// Which members are claimed by the collections of their owners.
  var claims: InverseLinkChecker

  /// A collection of the object whose row is being written.
  struct OpenCollection {
    var id: CollectionID
    var kind: CollectionKind
    /// Where its key stands among those of the object, and its property among the entity's.
    var position: Int
    var property: Int
  }

  init(
    _ archive: any GraphSource, id: Int64, path: String, pass: PassPlan, _ context: ImportContext,
    isPlaceholder: Bool = false, library: GraphLibrary? = nil, isReused: Bool = false,
    takesProfile: Bool = false
  ) {
    plan = context.plan
    plain = context.plain
    self.pass = pass
    store = context.store
    self.context = context
    self.path = path
    let lastIDs = context.lastIDs
    row = store.row
    elementRow = store.elementRow
    archiveID = id
    graph = archive.makeGraph(
      GraphOptions(
        limits: plan.limits, classesReadAsObjects: plan.classesReadAsObjects, library: library,
        isReused: isReused, countsUnreached: takesProfile))
    let objectCount = isPlaceholder ? 0 : archive.objectCount
    workList = WorkList(objectCount: objectCount)
    rows = RowReferences(
      objectCount: objectCount, lastIDs: lastIDs, isOneToOne: !pass.needsSession,
      knowsWayBack: plan.validates)
    counts = ImportCounts(entityCount: plan.layout.entities.count)
    tables = plan.layout.entities.map(\.table)
    positions = MemberPositions(lastIDs: lastIDs, tables: tables)
    unownedCollections = UnownedCollections(lastRow: context.lastCollection)
    claims = context.collectionClaims(after: lastIDs)
    propertyCounts = plain.storage.map { Array(repeating: .init(), count: $0.count) }
  }

  /// Goes on with another archive: what was learned of classes and shapes holds for it too, and
  /// what is counted adds up.
  ///
  /// Not where there is a session, which keeps the importers of its archives.
  ///
  /// - Returns: Whether it does: see `ObjectGraph.reset(to:)`.
  mutating func reset(to archive: any GraphSource, id: Int64, path: String) -> Bool {
    guard graph.reset(to: archive) else { return false }
    (archiveID, self.path) = (id, path)
    profile?.reset(to: archive)
    let lastIDs = context.lastIDs
    workList.reset(objectCount: archive.objectCount)
    rows.reset(objectCount: archive.objectCount, lastIDs: lastIDs)
    positions.reset(lastIDs: lastIDs, tables: tables)
    joins = JoinLinks()
    unownedCollections = UnownedCollections(lastRow: context.lastCollection)
    if plan.validates { claims = context.collectionClaims(after: lastIDs) }
    seenCollections.removeAll(keepingCapacity: true)
    return true
  }

  // MARK: The run

  /// Writes everything that the top-level keys reach, and what they hold: once for all passes.
  mutating func run(writesTopLevel: Bool = true) throws {
    store.keep(graph.source)
    if writesTopLevel {
      try writeTopLevel()
    } else {
      for entry in graph.source.roots {
        try reach(try graph.value(of: entry), depth: 0)
      }
    }
    var next = 0
    while let (uid, id) = try graph.ownObject(from: next) {
      // Rows are handed out in the order of the source, whatever refers to them.
      if writesTopLevel { _ = try reference(to: uid, id) } else { workList.add(uid) }
      next = uid + 1
    }
    while true {
      if let uid = workList.takeNext() {
        try visit(try graph.object(uid))
      } else if let collection = unownedCollections.takeNext() {
        try writeUnowned(collection)
      } else {
        break
      }
    }
    try writeLinks()
    claims.finish(context)
    counts.collections += unownedCollections.count
  }

  /// The row of an object, which is handed out if it has none yet, and its entity.
  ///
  /// - Returns: Nil if the object becomes no row.
  mutating func reference(
    to uid: Int, _ id: ClassID, fitting destinations: [Int] = []
  ) throws -> (entity: Int, row: Int64)? {
    let entity = try plainEntity(of: id)
    if entity >= 0 {
      workList.add(uid)
      return (entity, row(of: uid, entity: entity))
    }
    guard let session else { throw ArchiveError.unplanned }
    let found = try session.withLent(&self) {
      try session.row(of: uid, id, fitting: destinations)
    }
    return found.map { ($0.entity, $0.id) }
  }

  /// The id of the row of an object that becomes a plain row.
  mutating func row(of uid: Int, entity: Int) -> Int64 {
    rows.row(of: uid, table: plan.layout.entities[entity].table)
  }

  private mutating func visit(_ object: GraphObject) throws {
    _ = try plainEntity(of: object.class)
    visited[object.class.index] += 1
    var plain = object
    if recipes[object.class.index] == nil {
      guard let session else { throw ArchiveError.unplanned }
      // Lending the importer takes longer than a small object does.
      let next = try session.withLent(&self) { try session.processAll(from: object) }
      guard let next else { return }
      plain = next
      visited[plain.class.index] += 1
    }
    guard let recipe = recipes[plain.class.index] else { throw ArchiveError.unplanned }
    try write(plain, recipe)
    ticker.tick()
  }

  // MARK: Rows

  /// Writes the row of an object.
  private mutating func write(_ object: GraphObject, _ recipe: RowRecipe) throws {
    let shapePlan = try shapePlan(of: object, recipe)
    let entity = recipe.entity
    let id = rows.row(of: object.uid, table: recipe.table)
    row.clear(recipe.columnCount)
    row.set(0, id)
    if let column = recipe.discriminator { row.set(column, recipe.name) }
    openCollections.removeAll(keepingCapacity: true)
    overflow.removeAll(keepingCapacity: true)

    let tally = try profile?.begin(object, graph)
    try graph.read(object, into: &values)
    for key in shapePlans.plans[shapePlan].keys {
      let position = shapePlans.keys[key].position
      let value = values[position]
      if let tally { try profile?.note(value, position, tally, graph) }
      switch value {
      case .null, .nsNull:
        shapePlans.keys[key].counts.nulls += 1
      case .object(let target, let targetClass):
        guard shapePlans.keys[key].reference >= 0 else {
          overflow.append((position, shapePlans.keys[key].property))
          continue
        }
        try setReference(to: target, targetClass, key)
      case .collection(let collection, let kind):
        openCollections.append(
          OpenCollection(
            id: collection, kind: kind, position: position,
            property: shapePlans.keys[key].property))
      default:
        let column = shapePlans.keys[key].value
        guard column >= 0 else {
          overflow.append((position, shapePlans.keys[key].property))
          continue
        }
        shapePlans.keys[key].counts.values += 1
        if try !bind(column, value, entity, shapePlans.keys[key].property) {
          noteLoss(of: value, object, graph.keys(ofShape: object.shape)[position])
        }
      }
    }
    // Then references come to have their turn in another order than that of a profile.
    guard tally == nil || overflow.isEmpty else { throw ArchiveError.unplanned }
    if !recipe.transforms.isEmpty { try applyTransforms(object, id, recipe, shapePlan) }

    // The lengths of collections stand in the row itself; their elements follow it.
    for collection in openCollections {
      guard let column = plain.storage[entity][collection.property].count else { continue }
      row.set(column, Int64(try graph.elements(of: collection.id, collection.kind).count))
    }
    positions.fill(row, entity: entity, row: id)
    claims.noteRow(row, id, entity, tellsConflicts: recipe.tellsConflicts)
    // Rows that are made otherwise may have led here.
    let links = session?.context
    links?.setLinks(of: RowReference(entity: entity, id: id), row)
    try store.insert(entity: entity)
    links?.links.noteWritten(id, table: recipe.table)
    counts.entities[entity].rows += 1
    positions.noteWritten(entity: entity, row: id)
    if plan.recordsProvenance { try writeProvenance(object, entity, id) }
    for (position, property) in overflow {
      try writeOverflow(object, position, entity, property, owner: id)
    }
    for collection in openCollections {
      let key = graph.keys(ofShape: object.shape)[collection.position]
      for value in try writeElements(collection, of: object, entity, owner: id, tally) {
        noteLoss(of: value, object, key)
      }
    }
    if !recipe.splits.isEmpty { try relateParts(object, id, recipe, shapePlan) }
  }

  /// Sets the column of a plain value, and that of the attributes of a text; returns whether all of
  /// the value is there.
  private mutating func bind(
    _ column: Int, _ value: GraphValue, _ entity: Int, _ property: Int
  ) throws -> Bool {
    guard case .foundation = value else { return row.set(column, to: value, graph) }
    return try bind(column, plain.storage[entity][property].runs, to: value)
  }

  /// Sets the column of a plain value, and that of the attributes of a text; returns whether all of
  /// the value is there.
  mutating func bind(_ column: Int, _ runs: Int?, to value: GraphValue) throws -> Bool {
    guard case .foundation(let uid, _) = value else { return row.set(column, to: value, graph) }
    guard let found = try graph.foundationValue(uid) else { throw ArchiveError.unplanned }
    row.set(column, runs: runs, to: found)
    return true
  }

  private mutating func setReference(
    to target: Int, _ targetClass: ClassID, _ key: Int
  ) throws {
    guard let reference = try self.reference(to: target, targetClass) else { return }
    row.set(shapePlans.keys[key].reference, reference.row)
    let typeColumn = shapePlans.keys[key].referenceType
    if typeColumn >= 0 { row.set(typeColumn, plan.layout.table(of: reference.entity).name) }
    shapePlans.keys[key].counts.links += 1
  }
}
