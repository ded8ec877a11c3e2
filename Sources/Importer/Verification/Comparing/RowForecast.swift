import ArchiveReader

/// Which rows the objects of an archive must have become in one pass, told from the archive alone.
///
/// Rows have their ids in the order in which the references lead to them, breadth first: see
/// Documentation/layouts.md. This walks the object table in that order and counts. It knows
/// nothing of how rows are written.
///
/// Takes eight bytes for each object that is a row, and four for each other; eight more for each
/// member of a collection whose owner it names.
final class RowForecast {
  let plan: ImportPlan
  let pass: PassPlan
  let archiveID: Int64
  let run: RunForecast
  /// For each table, the last row before this turn.
  let firstIDs: [Int64]
  let firstCollection: Int64
  var reader: ObjectReader
  var workList: WorkList
  /// For each UID, the number of its row among those of this turn, counted from 1; 0 for none.
  private(set) var numbers: [UInt32]
  /// For each table, the object that each row of this turn was; `noObject` for none.
  private(set) var objects: [[UInt32]]
  /// For each table, the entity mapping that made each row, where there are any; else `noMapping`.
  private(set) var mappings: [[UInt16]]
  /// Objects that may have become several rows, an older one, or none.
  var several: [Int: [MadeRow]] = [:]
  /// Collections that no object holds under a key, in the order of their rows.
  private(set) var collections: [(id: CollectionID, kind: CollectionKind)] = []
  private var collectionRows: [CollectionID: Int64] = [:]
  private var nextCollection = 0
  /// What owners say of the rows that their collections hold, by table and column.
  private(set) var claims: [MemberPlace: MemberClaims] = [:]
  private var keyUses: [KeyUses] = []
  /// How many objects had their turn.
  private(set) var visited = 0
  /// The object whose turn it is.
  var current: Int?

  static let noObject = UInt32.max
  static let noMapping = UInt16.max

  /// A row that an entity mapping made of an object.
  struct MadeRow {
    var mapping: Int
    var reference: RowReference
    /// Whether another object, or an earlier run, had made it.
    var wasFound: Bool
  }

  /// The column of a members' table that names the owner.
  struct MemberPlace: Hashable {
    var table: Int
    var column: Int
  }

  /// What becomes of the keys of a shape.
  struct KeyUses {
    fileprivate var classID = ClassID(index: -1)
    /// For each key, the place of its property among those of the entity; -1 for what is not read.
    fileprivate(set) var places: [Int] = []
    var leadsAnywhere: [Bool] = []
  }

  init(
    _ archive: KeyedArchive, id: Int64, plan: ImportPlan, pass: PassPlan, run: RunForecast
  ) {
    self.plan = plan
    self.pass = pass
    self.run = run
    archiveID = id
    firstIDs = run.lastIDs
    firstCollection = run.lastCollection
    reader = Self.reader(of: archive, plan)
    workList = WorkList(objectCount: archive.objectCount)
    numbers = Array(repeating: 0, count: archive.objectCount)
    objects = plan.layout.tables.map { _ in [] }
    mappings = plan.layout.tables.map { _ in [] }
  }

  private static func reader(of archive: KeyedArchive, _ plan: ImportPlan) -> ObjectReader {
    ObjectReader(
      archive, limits: plan.limits, opaqueClasses: plan.opaqueClasses, foundationValues: true)
  }

  /// Opens the archive again, to compare what it holds.
  func attach(_ archive: KeyedArchive) {
    reader = Self.reader(of: archive, plan)
    keyUses = []
  }

  // MARK: The walk

  /// Walks the archive.
  ///
  /// - Parameter handsOutTopLevel: Whether the top-level keys lead to rows of this pass.
  /// - Throws: `ArchiveError` if the archive cannot be read.
  func walk(handsOutTopLevel: Bool) throws {
    for entry in reader.archive.topLevel {
      let value = try reader.value(of: entry)
      if handsOutTopLevel {
        _ = try item(of: value, inCollection: false)
      } else {
        try reach(value, depth: 0)
      }
    }
    while true {
      if let uid = workList.takeNext() {
        current = uid
        try visit(try reader.object(uid))
        visited += 1
      } else if nextCollection < collections.count {
        let (id, kind) = collections[nextCollection]
        nextCollection += 1
        current = nil
        try handOutElements(of: id, kind)
      } else {
        break
      }
    }
    current = nil
    try endTurn()
  }

  private func visit(_ object: ArchivedObject) throws {
    switch classPlan(of: object.class) {
    case .plain(let entity, let names): try visitPlain(object, entity, names)
    case .mapped(let numbers): try visitMapped(object, numbers)
    case .unmapped: try reachAll(of: object)
    case .hook, .value, .valueHook, .ignored: break
    }
  }

  /// What becomes of the objects of a class.
  func classPlan(of id: ClassID) -> ClassPlan {
    pass.classes[reader.classes[id.index].name] ?? .unmapped
  }

  /// Hands out the rows that a plain object leads to: single ones in the order of its keys, then
  /// those that its own table has no room for, then those of its collections.
  private func visitPlain(
    _ object: ArchivedObject, _ entity: Int, _ names: [String: String]
  ) throws {
    let owner = ownRow(of: object.uid, entity, mapping: nil)
    let uses = keyUses(of: object, entity, names)
    var overflow: [ArchivedValue] = []
    var open: [(property: RunForecast.Property, id: CollectionID, kind: CollectionKind)] = []
    for position in keyUses[uses].places.indices where keyUses[uses].leadsAnywhere[position] {
      let property = run.properties[entity][keyUses[uses].places[position]]
      let value = try reader.value(of: object, at: position)
      switch value {
      case .object(let uid, let id):
        guard property.place.reference != nil else {
          overflow.append(value)
          continue
        }
        let target = try row(of: uid, id)
        if let target, let links = run.links, let number = property.toOne {
          links.relate(number, of: RowReference(entity: entity, id: owner), toOne: target)
        }
      case .collection(let id, let kind):
        open.append((property, id, kind))
      default:
        break
      }
    }
    for value in overflow { _ = try item(of: value, inCollection: true) }
    for (property, id, kind) in open {
      try visitElements(of: id, kind, RowReference(entity: entity, id: owner), property)
    }
  }

  private func visitElements(
    of id: CollectionID, _ kind: CollectionKind, _ owner: RowReference,
    _ property: RunForecast.Property
  ) throws {
    let elements = try reader.elements(of: id, kind)
    var members: [RowReference] = []
    for position in 0..<elements.count {
      if kind.isKeyed {
        _ = try item(of: try reader.key(of: elements, at: position), inCollection: true)
      }
      let found = try item(of: try reader.value(of: elements, at: position), inCollection: true)
      guard case .row(let row) = found else { continue }
      if property.toMany != nil, run.links != nil { members.append(row) }
      if let place = property.place.members, run.links == nil {
        claim(row, owner, place, Int64(position))
      }
    }
    if let links = run.links, let number = property.toMany {
      links.relate(number, of: owner, toMany: members)
    }
  }

  /// Notes that the collection of an owner holds a row.
  private func claim(
    _ member: RowReference, _ owner: RowReference, _ place: RelationalLayout.MemberPlace,
    _ position: Int64
  ) {
    let table = plan.layout.entities[place.entity].table
    let ownerTable = plan.layout.entities[owner.entity].table
    let number = member.id - firstIDs[table]
    claims[
      MemberPlace(table: table, column: place.reference), default: MemberClaims(place.position)
    ]
    .add(
      Int(truncatingIfNeeded: number), position: position, owner: owner.id - firstIDs[ownerTable])
  }

  private func handOutElements(of id: CollectionID, _ kind: CollectionKind) throws {
    let elements = try reader.elements(of: id, kind)
    for position in 0..<elements.count {
      if kind.isKeyed {
        _ = try item(of: try reader.key(of: elements, at: position), inCollection: true)
      }
      _ = try item(of: try reader.value(of: elements, at: position), inCollection: true)
    }
  }

  // MARK: Rows

  /// The row of an object that becomes one of its own; it is handed out if it has none yet.
  func ownRow(of uid: Int, _ entity: Int, mapping: Int?) -> Int64 {
    let table = plan.layout.entities[entity].table
    if numbers[uid] == 0 {
      let row = newRow(entity, uid: uid, mapping: mapping)
      numbers[uid] = UInt32(truncatingIfNeeded: row - firstIDs[table])
    }
    return firstIDs[table] + Int64(numbers[uid])
  }

  /// The next row of an entity's table.
  func newRow(_ entity: Int, uid: Int?, mapping: Int?) -> Int64 {
    let table = plan.layout.entities[entity].table
    run.lastIDs[table] += 1
    objects[table].append(uid.map { UInt32(truncatingIfNeeded: $0) } ?? Self.noObject)
    if pass.isSteered {
      mappings[table].append(mapping.map { UInt16(truncatingIfNeeded: $0) } ?? Self.noMapping)
    }
    return run.lastIDs[table]
  }

  /// The row of a collection that no object holds under a key.
  func row(of id: CollectionID, _ kind: CollectionKind) -> Int64 {
    if let known = collectionRows[id] { return known }
    run.lastCollection += 1
    collectionRows[id] = run.lastCollection
    collections.append((id, kind))
    return run.lastCollection
  }

  /// The object that a row of this turn was, and the entity mapping that made it.
  func origin(ofRow number: Int, table: Int) -> (uid: Int?, mapping: Int?) {
    let uid = objects[table][number]
    var mapping: Int?
    if pass.isSteered, mappings[table][number] != Self.noMapping {
      mapping = Int(mappings[table][number])
    }
    return (uid == Self.noObject ? nil : Int(uid), mapping)
  }

  // MARK: Keys

  /// The properties that the keys of an object feed: where they stand in `keyUses`.
  private func keyUses(
    of object: ArchivedObject, _ entity: Int, _ names: [String: String]
  ) -> Int {
    while keyUses.count <= object.shape { keyUses.append(KeyUses()) }
    guard keyUses[object.shape].classID != object.class else { return object.shape }
    var found = KeyUses(classID: object.class)
    for key in reader.shapes[object.shape].keys {
      let place = key == "$class" ? nil : names[key].flatMap { run.place(of: $0, entity) }
      found.places.append(place ?? -1)
      found.leadsAnywhere.append(place.map { run.properties[entity][$0].leadsAnywhere } ?? false)
    }
    keyUses[object.shape] = found
    return object.shape
  }

  /// For each key of a plain object, the place of its property among the entity's; -1 for none.
  func places(
    of object: ArchivedObject, _ entity: Int, _ names: [String: String]
  ) -> [Int] {
    keyUses[keyUses(of: object, entity, names)].places
  }
}
