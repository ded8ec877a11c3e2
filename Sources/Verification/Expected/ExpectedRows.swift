import ArchiveReader
import DataModel
import Importer
import Stores
import Support

/// The expected rows of the objects of an archive in one pass, told from the archive alone.
///
/// Rows have their ids in the order in which the references lead to them, breadth first: see
/// Documentation/layouts.md. This walks the object table in that order and counts. It knows
/// nothing of how rows are written.
///
/// Takes what a `RowLedger` does, and eight bytes more for each member of a collection whose owner
/// it names.
final class ExpectedRows {
  let plan: ImportPlan
  let pass: ImportPlan.Pass
  let archiveID: Int64
  let run: ExpectedRun
  /// For each table, the last row before this turn.
  let firstIDs: [Int64]
  let firstCollection: Int64
  /// True if anything but plain rows is made.
  let usesMapping: Bool
  private(set) var graph: any ObjectGraph
  /// The rows that have been handed out.
  var ledger: RowLedger
  private var lastCollection: Int64
  /// Objects that may have become several rows, an older one, or none.
  var several: [Int: [MadeRow]] = [:]
  /// Collections that no object holds under a key, in the order of their rows.
  private(set) var collections: [(id: CollectionID, kind: CollectionKind)] = []
  private var collectionRows: [CollectionID: Int64] = [:]
  private var nextCollection = 0
  /// The claims of owners on the rows of their collections, in the order in which they began.
  var owners: [Owners] = []
  /// For each class of the graph, what becomes of its objects.
  private var classUses: [ClassUse] = []
  /// For each shape of the graph, what becomes of its keys where plain objects have it.
  var plainKeys: [PlainKeys?] = []
  /// For each entity mapping and shape of the graph, what it reads of objects of the shape.
  private var mappedKeys: [[MappedKeys?]] = []
  /// True if an expression has asked for the time of the run.
  var askedForTime = false

  /// A row that an entity mapping made of an object.
  struct MadeRow {
    var mapping: Int
    var reference: RowReference
    /// True if another object, or an earlier run, had made the row.
    var wasFound: Bool
  }

  /// The treatment of the objects of a class, where the class alone decides it.
  enum ClassUse {
    /// Each becomes a row of its own, as it stands.
    case plain(entity: Int, table: Int)
    /// Each becomes a row of its own, as an entity mapping says.
    case simple(mapping: Int, entity: Int, table: Int)
    case other
  }

  init(
    _ archive: any GraphSource, id: Int64, plan: ImportPlan, pass: ImportPlan.Pass, run: ExpectedRun
  ) {
    self.plan = plan
    self.pass = pass
    self.run = run
    archiveID = id
    usesMapping = pass.usesMapping
    firstIDs = run.lastIDs
    firstCollection = run.lastCollection
    lastCollection = firstCollection
    graph = Self.graph(of: archive, run)
    ledger = RowLedger(
      objectCount: archive.objectCount, behind: firstIDs, notesMappings: usesMapping)
  }

  /// Copies expected rows that are complete, for another thread.
  init(copying other: ExpectedRows) {
    plan = other.plan
    pass = other.pass
    run = other.run
    archiveID = other.archiveID
    usesMapping = other.usesMapping
    firstIDs = other.firstIDs
    firstCollection = other.firstCollection
    lastCollection = other.lastCollection
    graph = other.graph.copy()
    ledger = other.ledger
    several = other.several
    collections = other.collections
    collectionRows = other.collectionRows
    nextCollection = other.nextCollection
    owners = other.owners
    classUses = other.classUses
    plainKeys = other.plainKeys
    mappedKeys = other.mappedKeys
  }

  private static func graph(
    of archive: any GraphSource, _ run: ExpectedRun
  ) -> any ObjectGraph {
    archive.makeGraph(
      GraphOptions(
        limits: run.plan.limits, classesReadAsObjects: run.plan.classesReadAsObjects,
        library: run.library))
  }

  /// Opens the archive again, to compare what it holds.
  func attach(_ archive: any GraphSource) {
    graph = Self.graph(of: archive, run)
    classUses = []
    plainKeys = []
    mappedKeys = []
  }

  // MARK: The walk

  /// Walks the archive.
  ///
  /// - Parameters:
  ///   - handsOutTopLevel: True if the top-level keys lead to rows of this pass.
  ///   - ticker: Counts the objects.
  /// - Throws: `ArchiveError` if the archive cannot be read.
  func walk(handsOutTopLevel: Bool, _ ticker: ObjectTicker) throws {
    var ticker = ticker
    defer { ticker.end() }
    for entry in graph.source.roots {
      let value = try handsOutTopLevel ? unwrapped(graph.value(of: entry)) : graph.value(of: entry)
      if handsOutTopLevel {
        _ = try item(of: value, inCollection: false)
      } else {
        try reach(value)
      }
    }
    var next = 0
    while let (uid, id) = try graph.ownObject(from: next) {
      let value = GraphValue.object(uid: uid, class: id)
      if handsOutTopLevel {
        _ = try item(of: value, inCollection: false)
      } else {
        try reach(value)
      }
      next = uid + 1
    }
    while true {
      if let uid = ledger.takeNext() {
        try visit(try graph.object(uid))
        ticker.tick()
      } else if nextCollection < collections.count {
        let (id, kind) = collections[nextCollection]
        nextCollection += 1
        try handOutElements(of: id, kind)
      } else {
        break
      }
    }
    run.lastIDs = ledger.lastIDs
    run.lastCollection = lastCollection
    run.endTurn()
  }

  private func visit(_ object: GraphObject) throws {
    if case .plain(let entity, let table) = use(of: object.class) {
      let row = RowReference(entity: entity, id: ledger.ownRow(of: object.uid, table))
      return try visitPlain(object, row)
    }
    switch classPlan(of: object.class) {
    case .mapped(let indices): try visitMapped(object, indices)
    case .unmapped: try reachAll(of: object)
    case .plain, .hook, .value, .valueHook, .ignored: break
    }
  }

  /// The treatment of the objects of a class.
  func classPlan(of id: ClassID) -> ImportPlan.ClassUse {
    pass.classes[graph.classes[id.index].name] ?? .unmapped
  }

  /// The treatment of the objects of a class, in short.
  func use(of id: ClassID) -> ClassUse {
    while classUses.count <= id.index {
      classUses.append(newUse(of: ClassID(index: classUses.count)))
    }
    return classUses[id.index]
  }

  private func newUse(of id: ClassID) -> ClassUse {
    switch classPlan(of: id) {
    case .plain(let entity, _):
      return .plain(entity: entity, table: plan.layout.entities[entity].table)
    case .mapped(let indices):
      guard indices.count == 1, pass.entities[indices[0]].isSimple else { return .other }
      let entity = pass.entities[indices[0]].entity
      return .simple(
        mapping: indices[0], entity: entity, table: plan.layout.entities[entity].table)
    case .hook, .value, .valueHook, .ignored, .unmapped:
      return .other
    }
  }

  // MARK: Collections

  /// The row of a collection that no object holds under a key.
  func row(of id: CollectionID, _ kind: CollectionKind) -> Int64 {
    if let known = collectionRows[id] { return known }
    lastCollection += 1
    collectionRows[id] = lastCollection
    collections.append((id, kind))
    return lastCollection
  }

  // MARK: Keys

  /// The keys that an entity mapping reads of an object.
  func mappedKeys(of object: GraphObject, _ index: Int) -> MappedKeys {
    if index < mappedKeys.count, object.shape < mappedKeys[index].count,
      let known = mappedKeys[index][object.shape]
    {
      return known
    }
    while mappedKeys.count <= index { mappedKeys.append([]) }
    while mappedKeys[index].count <= object.shape { mappedKeys[index].append(nil) }
    let keys = MappedKeys(index, pass.entities[index], graph.keys(ofShape: object.shape), run)
    mappedKeys[index][object.shape] = keys
    return keys
  }
}

extension ExpectedRows {
  /// Puts every object that an object refers to on the work list.
  func reachAll(of object: GraphObject) throws {
    try graph.forEachReference(of: object, maxDepth: Self.maxDepth) { ledger.reach($0) }
  }

  /// Puts every object in a value on the work list.
  func reach(_ value: GraphValue) throws {
    try graph.forEachReference(in: value, maxDepth: Self.maxDepth) { ledger.reach($0) }
  }

  /// The greatest depth to which collections inside collections are followed.
  static let maxDepth = 64

  /// The elements of a collection that was met before, maybe by another graph.
  func elements(of id: CollectionID, _ kind: CollectionKind) throws -> GraphElements {
    // A reader finds out what form an object has when it is asked for its value.
    if case .object(let uid) = id { _ = try graph.value(ofObject: uid) }
    return try graph.elements(of: id, kind)
  }
}
