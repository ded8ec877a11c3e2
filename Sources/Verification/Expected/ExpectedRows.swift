import ArchiveReader
import DataModel
import Importer
import RelationalStores

/// Which rows the objects of an archive must have become in one pass, told from the archive alone.
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
  /// Whether anything but plain rows is made.
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
  /// What owners say of the rows that their collections hold, in the order in which they began to.
  private(set) var owners: [Owners] = []
  /// For each class of the graph, what becomes of its objects.
  private var classUses: [ClassUse] = []
  /// For each shape of the graph, what becomes of its keys where plain objects have it.
  private var plainKeys: [PlainKeys?] = []
  /// For each entity mapping and shape of the graph, what it reads of objects of the shape.
  private var mappedKeys: [[MappedKeys?]] = []
  /// Whether an expression has asked for the time of the run.
  var askedForTime = false

  /// A row that an entity mapping made of an object.
  struct MadeRow {
    var mapping: Int
    var reference: RowReference
    /// Whether another object, or an earlier run, had made it.
    var wasFound: Bool
  }

  /// What the objects of a class become, where the class alone decides it.
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
  /// - Parameter handsOutTopLevel: Whether the top-level keys lead to rows of this pass.
  /// - Throws: `ArchiveError` if the archive cannot be read.
  func walk(handsOutTopLevel: Bool) throws {
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

  /// What becomes of the objects of a class.
  func classPlan(of id: ClassID) -> ImportPlan.ClassUse {
    pass.classes[graph.classes[id.index].name] ?? .unmapped
  }

  /// What becomes of the objects of a class, in short.
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

  /// Hands out the rows that a plain object leads to: single ones in the order of its keys, then
  /// those that its own table has no room for, then those of its collections.
  private func visitPlain(_ object: GraphObject, _ owner: RowReference) throws {
    let keys = keys(of: object, owner.entity)
    var overflow: [GraphValue] = []
    var open: [(use: PlainKeys.Use, id: CollectionID, kind: CollectionKind)] = []
    for use in keys.leading {
      // What has a row of its own waits for its turn, or had it.
      if run.links == nil, let uid = graph.reference(of: object, at: use.position),
        ledger.hasRow(uid)
      {
        continue
      }
      let value = try graph.value(of: object, at: use.position)
      switch value {
      case .object(let uid, let id):
        guard use.storage.reference != nil else {
          overflow.append(value)
          continue
        }
        let target = try row(of: uid, id)
        if let target, let links = run.links, let index = use.toOne {
          links.relate(index, of: owner, toOne: target)
        }
      case .collection(let id, let kind):
        open.append((use, id, kind))
      default:
        break
      }
    }
    for value in overflow { _ = try item(of: value, inCollection: true) }
    for (use, id, kind) in open { try visitElements(of: id, kind, owner, use) }
  }

  private func visitElements(
    of id: CollectionID, _ kind: CollectionKind, _ owner: RowReference, _ use: PlainKeys.Use
  ) throws {
    let elements = try graph.elements(of: id, kind)
    let relationship = run.links == nil ? nil : use.toMany
    let members = run.links == nil ? use.storage.members.map(owners(of:)) : nil
    var related: [RowReference] = []
    for position in 0..<elements.count {
      if kind.isKeyed {
        _ = try item(of: try graph.key(of: elements, at: position), inCollection: true)
      }
      let found = try item(of: try graph.value(of: elements, at: position), inCollection: true)
      guard case .row(let row) = found else { continue }
      if relationship != nil { related.append(row) }
      if let members { owners[members].add(row, position: Int64(position), owner: owner) }
    }
    if let relationship {
      run.links?.relate(relationship, of: owner, toMany: related, keepsOrder: kind.isOrdered)
    }
  }

  /// Where it is noted what owners say of the members of a relationship.
  private func owners(of place: RelationalLayout.MemberStorage) -> Int {
    let table = plan.layout.entities[place.entity].table
    if let known = owners.firstIndex(where: { $0.table == table && $0.column == place.reference }) {
      return known
    }
    owners.append(Owners(place, table, plan.layout, firstIDs))
    return owners.count - 1
  }

  private func handOutElements(of id: CollectionID, _ kind: CollectionKind) throws {
    let elements = try graph.elements(of: id, kind)
    for position in 0..<elements.count {
      if kind.isKeyed {
        _ = try item(of: try graph.key(of: elements, at: position), inCollection: true)
      }
      _ = try item(of: try graph.value(of: elements, at: position), inCollection: true)
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

  /// What becomes of the keys of a plain object.
  func keys(of object: GraphObject, _ entity: Int) -> PlainKeys {
    if object.shape < plainKeys.count, let known = plainKeys[object.shape],
      known.classID == object.class
    {
      return known
    }
    while plainKeys.count <= object.shape { plainKeys.append(nil) }
    var names: [String: String] = [:]
    if case .plain(_, let properties) = classPlan(of: object.class) { names = properties }
    let keys = PlainKeys(
      object.class, graph.keys(ofShape: object.shape), names, entity: entity, run)
    plainKeys[object.shape] = keys
    return keys
  }

  /// What an entity mapping reads of an object.
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
