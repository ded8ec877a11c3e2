import ArchiveReader
import Stores
import Support

/// Writes the objects of one archive into a store, as plain rows: those of an `ImportSession`
/// become others, too.
///
/// Each object that is a row is taken from the work list, decoded key by key, and inserted; what
/// it refers to gets a row reference and a place on the list. No second graph of objects is made.
class ArchiveImporter {
  // Properties that are not checked for exclusive access are touched for each object. That is safe:
  // one thread uses an importer, and what is called while one of them is changed, which is methods
  // of its own type and of the graph, does not come back to it.

  final let plan: ImportPlan
  final let pass: ImportPlan.Pass
  final let store: StoreWriter
  /// The context that errors, losses and conflicts are noted in.
  final let context: ImportContext
  final private(set) var archiveID: Int64
  /// The path of the archive.
  final private(set) var path: String
  final let graph: any ObjectGraph
  @safe @exclusivity(unchecked) final var workList: WorkList
  @safe @exclusivity(unchecked) final var rows: RowReferences
  @safe @exclusivity(unchecked) final var counts: ImportCounts
  @safe @exclusivity(unchecked) final var positions: MemberPositions
  @safe @exclusivity(unchecked) final var joins = JoinLinks()
  final var unownedCollections: UnownedCollections
  /// Takes the profile of what is written, where that was only predicted; nil where it is known.
  @safe @exclusivity(unchecked) final var profile: SchemaProfiler?
  /// For each class of plain rows, the keys that its entity has no property for, with their number,
  /// and those that are left behind on purpose.
  final var unreadKeys: [ImportFindings.ClassKey: Int] = [:]
  final var ignoredKeys: [ImportFindings.ClassKey: Int] = [:]

  final let row: RowBuffer
  final let elementRow: RowBuffer
  /// For each class of the graph, what becomes of its objects, and how where they are written
  /// straight from the archive.
  @safe @exclusivity(unchecked) final var plansOfClasses: [ImportPlan.ClassUse] = []
  @safe @exclusivity(unchecked) final var recipes: [RowRecipe?] = []
  /// For each of these, the entity of those that are; -1 for others.
  @safe @exclusivity(unchecked) final var plainEntities: [Int] = []
  /// For each of these, how many objects had their turn.
  @safe @exclusivity(unchecked) final var visited: [Int] = []
  @safe @exclusivity(unchecked) final var shapePlans = ShapePlans()
  /// The values of transformed attributes, on their way into the row: done between two rows.
  @safe @exclusivity(unchecked) final var pendingValues: [PendingValue] = []
  /// The values of the object whose row is being written.
  @safe @exclusivity(unchecked) final var values: [GraphValue] = []
  @safe @exclusivity(unchecked) final var openCollections: [OpenCollection] = []
  /// Keys of the object whose row is being written that go to the table of overflow.
  @safe @exclusivity(unchecked) final var overflow: [(position: Int, property: Int)] = []
  /// Counts the objects that had their turn.
  @safe @exclusivity(unchecked) final var ticker = ObjectTicker(nil)
  /// Collections under keys that were written once.
  final var seenCollections: Set<Int> = []

  final let plain: ShapePlans.PlainProperties
  /// True if some objects become other rows than plain ones.
  final let makesOthers: Bool
  /// For each entity, its table.
  final private let tables: [Int]
  /// For each property of each entity, by its number, what was written so far.
  @safe @exclusivity(unchecked) final var propertyCounts: [[ImportCounts.PropertyCounts]]
  /// The members that the collections of their owners claim.
  @safe @exclusivity(unchecked) final var inverseLinks: InverseLinkChecker

  /// A collection of the object whose row is being written.
  struct OpenCollection {
    var id: CollectionID
    var kind: CollectionKind
    /// The position of its key among those of the object, and of its property among the entity's.
    var position: Int
    var property: Int
  }

  /// The keys that lead to objects, where it is recorded which object a row was.
  final var routes: ObjectRoutes?

  /// The number of collections inside collections that are followed.
  static let maxDepth = 64

  init(
    _ archive: any GraphSource, id: Int64, path: String, pass: ImportPlan.Pass,
    _ context: ImportContext,
    library: GraphLibrary? = nil, isReused: Bool = false, takesProfile: Bool = false
  ) {
    plan = context.plan
    plain = context.plain
    self.pass = pass
    makesOthers = pass.needsSession
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
    workList = WorkList(objectCount: archive.objectCount)
    rows = RowReferences(
      objectCount: archive.objectCount, lastIDs: lastIDs, isOneToOne: !makesOthers,
      knowsWayBack: plan.validates)
    counts = ImportCounts(entityCount: plan.layout.entities.count)
    tables = plan.layout.entities.map(\.table)
    positions = MemberPositions(lastIDs: lastIDs, tables: tables)
    unownedCollections = UnownedCollections(lastRow: context.lastCollection)
    inverseLinks = context.inverseLinkChecker(after: lastIDs)
    propertyCounts = plain.storage.map { Array(repeating: .init(), count: $0.count) }
  }

  /// Goes on with another archive: the known classes and shapes hold for it too, and the counts add
  /// up.
  ///
  /// - Returns: True if it can: see `ObjectGraph.reset(to:)`.
  final func reset(to archive: any GraphSource, id: Int64, path: String) -> Bool {
    guard graph.reset(to: archive) else { return false }
    (archiveID, self.path) = (id, path)
    profile?.reset(to: archive)
    let lastIDs = context.lastIDs
    workList.reset(objectCount: archive.objectCount)
    rows.reset(objectCount: archive.objectCount, lastIDs: lastIDs)
    positions.reset(lastIDs: lastIDs, tables: tables)
    joins = JoinLinks()
    unownedCollections = UnownedCollections(lastRow: context.lastCollection)
    if plan.validates { inverseLinks = context.inverseLinkChecker(after: lastIDs) }
    seenCollections.removeAll(keepingCapacity: true)
    return true
  }

  // MARK: Objects that do not become plain rows

  /// Processes an object that does not become a plain row.
  func processOther(_ object: GraphObject) throws { throw ArchiveError.unplanned }

  /// The row of such an object, which is handed out if it has none yet; nil if it becomes none.
  func rowOfOther(
    _ uid: Int, _ id: ClassID, fitting destinations: [Int]
  ) throws -> RowReference? {
    throw ArchiveError.unplanned
  }

  /// The value itself, or the one under the key of an object whose class stands for it.
  func unwrapped(_ value: GraphValue) throws -> GraphValue { value }

  /// The element that stands for such an object in a collection.
  func elementOfOther(_ uid: Int, _ id: ClassID) throws -> CollectionElement.Value {
    throw ArchiveError.unplanned
  }

  /// Links the row of an object to those that the parts of one of its values find or make.
  func relateParts(
    of object: GraphObject, _ owner: RowReference, _ plan: ImportPlan.RelationshipPlan,
    by split: ImportPlan.SplitPlan
  ) throws {
    throw ArchiveError.unplanned
  }

  // MARK: The run

  /// Writes everything that the top-level keys reach, and what they hold: once for all passes.
  final func run(writesTopLevel: Bool = true) throws {
    store.keep(graph.source)
    if writesTopLevel {
      try writeTopLevel()
    } else {
      for entry in graph.source.roots {
        try reach(try graph.value(of: entry))
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
    inverseLinks.finish(&context.links)
    counts.collections += unownedCollections.count
  }

  /// The row of an object, which is handed out if it has none yet, and its entity.
  ///
  /// - Returns: Nil if the object becomes no row.
  final func reference(
    to uid: Int, _ id: ClassID, fitting destinations: [Int] = []
  ) throws -> (entity: Int, row: Int64)? {
    let entity = try plainEntity(of: id)
    if entity >= 0 {
      workList.add(uid)
      return (entity, row(of: uid, entity: entity))
    }
    return try rowOfOther(uid, id, fitting: destinations).map { ($0.entity, $0.id) }
  }

  /// The id of the row of an object that becomes a plain row.
  final func row(of uid: Int, entity: Int) -> Int64 {
    rows.row(of: uid, table: plan.layout.entities[entity].table)
  }

  final private func visit(_ object: GraphObject) throws {
    _ = try plainEntity(of: object.class)
    visited[object.class.index] += 1
    if let recipe = recipes[object.class.index] {
      try write(object, recipe)
    } else {
      try processOther(object)
    }
    if profile != nil, ticker.isDue { ticker.share = workList.share(of: graph) }
    ticker.tick()
  }
}
