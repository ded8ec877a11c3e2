import ArchiveReader

/// Writes the objects of one archive into a store.
///
/// Each object that is a row is taken from the work list, decoded key by key, and inserted; what
/// it refers to gets a row reference and a place on the list. No second graph of objects is made.
struct ArchiveImporter {
  let plan: ImportPlan
  let pass: PassPlan
  let store: StoreWriter
  let archiveID: Int64
  var reader: ObjectReader
  var workList: WorkList
  var rows: RowReferences
  var counts: ImportCounts
  var positions: MemberPositions
  var joins = JoinLinks()
  var looseCollections: LooseCollections
  /// Where more than plain rows are made; nil if nothing else is.
  var session: ImportSession?
  /// For each plain class, the keys that its entity has no property for, with their number.
  var unreadKeys: [ImportFindings.ClassKey: Int] = [:]

  private let row: RowBuffer
  let elementRow: RowBuffer
  /// For each class of the reader, what becomes of its objects.
  private var plansOfClasses: [ClassPlan] = []
  /// For each of these, how many objects had their turn.
  private(set) var visited: [Int] = []
  /// For each shape, the class met last and what becomes of each key there.
  private var shapePlans: [ShapePlan] = []
  private var openCollections: [OpenCollection] = []
  /// Keys of the object whose row is being written that go to the table of overflow.
  private var overflow: [(position: Int, property: Int)] = []
  private var seenCollections: Set<Int> = []

  /// What becomes of the keys of a shape.
  private struct ShapePlan {
    var classID: ClassID
    var entity: Int
    /// For each key, the number of its property in `properties`; -1 for `$class`, and for keys
    /// that are left behind.
    var properties: [Int]
    /// Keys that are left behind.
    var unread: [String] = []
  }

  /// A property of an entity: where it goes, and what has been written so far.
  private struct Property {
    var place: RelationalLayout.PropertyPlace
    var counts = ImportCounts.PropertyCounts()
  }

  private var properties: [[Property]] = []
  private var propertyNumbers: [[String: Int]] = []

  /// A collection of the object whose row is being written.
  private struct OpenCollection {
    var id: CollectionID
    var kind: CollectionKind
    /// Where its key stands among those of the object, and its property among the entity's.
    var position: Int
    var property: Int
  }

  init(
    _ archive: KeyedArchive, id: Int64, plan: ImportPlan, pass: PassPlan, store: StoreWriter,
    lastIDs: [Int64], lastCollection: Int64, isPlaceholder: Bool = false
  ) {
    self.plan = plan
    self.pass = pass
    self.store = store
    row = store.row
    elementRow = store.elementRow
    archiveID = id
    reader = ObjectReader(archive, limits: plan.limits, opaqueClasses: plan.opaqueClasses)
    let objectCount = isPlaceholder ? 0 : archive.objectCount
    workList = WorkList(objectCount: objectCount)
    rows = RowReferences(
      objectCount: objectCount, lastIDs: lastIDs, knowsWayBack: plan.validates)
    counts = ImportCounts(entityCount: plan.layout.entities.count)
    positions = MemberPositions(lastIDs: lastIDs, tables: plan.layout.entities.map(\.table))
    looseCollections = LooseCollections(lastRow: lastCollection)
    for entity in plan.layout.entities {
      let keys = entity.properties.keys.sorted()
      properties.append(keys.map { Property(place: entity.properties[$0] ?? .init()) })
      propertyNumbers.append(Dictionary(uniqueKeysWithValues: zip(keys, keys.indices)))
    }
  }

  // MARK: The run

  /// Writes everything that the top-level keys reach, and what they hold: once for all passes.
  mutating func run(writesTopLevel: Bool = true) throws {
    store.keep(reader.archive)
    if writesTopLevel {
      try writeTopLevel()
    } else {
      for entry in reader.archive.topLevel {
        try reach(try reader.value(of: entry.node), depth: 0)
      }
    }
    while true {
      if let uid = workList.takeNext() {
        try visit(try reader.object(uid))
      } else if let collection = looseCollections.takeNext() {
        try writeLoose(collection)
      } else {
        break
      }
    }
    try writeLinks()
    for entity in counts.entities.indices {
      for (key, number) in propertyNumbers[entity] {
        counts.entities[entity].properties[key] = properties[entity][number].counts
      }
    }
    counts.collections = looseCollections.count
  }

  /// The row of an object, which is handed out if it has none yet, and its entity.
  ///
  /// - Returns: Nil if the object becomes no row.
  mutating func reference(
    to uid: Int, _ id: ClassID, fitting destinations: [Int] = []
  ) throws -> (entity: Int, row: Int64)? {
    if case .plain(let entity, _) = try plan(of: id) {
      workList.add(uid)
      return (entity, row(of: uid, entity: entity))
    }
    guard let session else { throw changed() }
    let found = try session.withLent(&self) {
      try session.row(of: uid, id, fitting: destinations)
    }
    return found.map { ($0.entity, $0.id) }
  }

  /// The id of the row of an object that becomes a plain row.
  mutating func row(of uid: Int, entity: Int) -> Int64 {
    rows.row(of: uid, table: plan.layout.entities[entity].table)
  }

  private mutating func visit(_ object: ArchivedObject) throws {
    let classPlan = try plan(of: object.class)
    visited[object.class.index] += 1
    if case .plain = classPlan { return try write(object) }
    guard let session else { throw changed() }
    try session.withLent(&self) { try session.process(object, classPlan) }
  }

  // MARK: Rows

  private mutating func write(_ object: ArchivedObject) throws {
    let shapePlan = try self.shapePlan(of: object)
    let entity = shapePlan.entity
    let place = plan.layout.entities[entity]
    let id = rows.row(of: object.uid, table: place.table)
    row.clear(plan.layout.tables[place.table].columns.count)
    row.set(0, id)
    if let column = place.discriminator { row.set(column, place.name) }
    for key in shapePlan.unread {
      let name = reader.classes[object.class.index].name
      unreadKeys[.init(className: name, key: key), default: 0] += 1
    }
    openCollections.removeAll(keepingCapacity: true)
    overflow.removeAll(keepingCapacity: true)

    for (position, property) in shapePlan.properties.enumerated() where property >= 0 {
      let value = try reader.value(of: object, at: position)
      switch value {
      case .null, .nsNull:
        properties[entity][property].counts.nulls += 1
      case .object where properties[entity][property].place.reference == nil:
        overflow.append((position, property))
      case .object(let target, let targetClass):
        try setReference(to: target, targetClass, entity, property)
      case .collection(let collection, let kind):
        openCollections.append(
          OpenCollection(id: collection, kind: kind, position: position, property: property))
      default:
        guard let column = properties[entity][property].place.value else {
          overflow.append((position, property))
          continue
        }
        let isExact = row.set(column, to: value, reader)
        properties[entity][property].counts.values += 1
        if !isExact { noteLoss(of: value, object, reader.shapes[object.shape].keys[position]) }
      }
    }

    // The lengths of collections stand in the row itself; their elements follow it.
    for collection in openCollections {
      guard let column = properties[entity][collection.property].place.count else { continue }
      row.set(column, Int64(try reader.elements(of: collection.id, collection.kind).count))
    }
    positions.fill(row, entity: entity, row: id)
    // Rows that are made otherwise may have led here.
    session?.context.setLinks(of: RowReference(entity: entity, id: id), row)
    try store.insert(entity: entity)
    session?.context.links.noteWritten(id, table: place.table)
    counts.entities[entity].rows += 1
    positions.noteWritten(entity: entity, row: id)
    if plan.recordsProvenance { try writeProvenance(object, entity, id) }
    for (position, property) in overflow {
      try writeOverflow(object, position, entity, property, owner: id)
    }
    for collection in openCollections {
      let key = reader.shapes[object.shape].keys[collection.position]
      for value in try writeElements(collection, entity, owner: id) {
        noteLoss(of: value, object, key)
      }
    }
  }

  /// Writes a property for which the entity's table has no room.
  private mutating func writeOverflow(
    _ object: ArchivedObject, _ position: Int, _ entity: Int, _ property: Int, owner: Int64
  ) throws {
    guard let number = properties[entity][property].place.overflow else { throw changed() }
    let table = plan.layout.elementTables[number]
    let key = reader.shapes[object.shape].keys[position]
    let value = try elementValue(try reader.value(of: object, at: position))
    var written = WrittenElement()
    try begin(
      CollectionElement(key: .value(.text(ArchivedKey.plain(key))), value: value), in: table,
      owner: owner, &written)
    properties[entity][property].counts.values += written.values
    properties[entity][property].counts.links += written.links
    for value in written.inexact { noteLoss(of: value, object, key) }
    try store.insert(elementTable: number)
  }

  private mutating func setReference(
    to target: Int, _ targetClass: ClassID, _ entity: Int, _ property: Int
  ) throws {
    let place = properties[entity][property].place
    guard let column = place.reference else { throw changed() }
    guard let reference = try self.reference(to: target, targetClass) else { return }
    row.set(column, reference.row)
    if let typeColumn = place.referenceType {
      row.set(typeColumn, plan.layout.table(of: reference.entity).name)
    }
    properties[entity][property].counts.links += 1
  }

  // MARK: Collections under keys

  /// Writes the elements of a collection; returns those of which something was lost.
  private mutating func writeElements(
    _ collection: OpenCollection, _ entity: Int, owner: Int64
  ) throws -> [ArchivedValue] {
    let place = properties[entity][collection.property].place
    if case .object(let uid) = collection.id, !seenCollections.insert(uid).inserted {
      properties[entity][collection.property].counts.sharedCollections += 1
    }
    let elements = try reader.elements(of: collection.id, collection.kind)
    let isJoin = place.elements.map { plan.layout.elementTables[$0].inversePosition != nil }
    if isJoin == true || place.members != nil || place.inverseElements != nil {
      try noteMembers(elements, place, owner: owner)
      properties[entity][collection.property].counts.links += elements.count
      return []
    }
    guard let number = place.elements else { throw changed() }
    let table = plan.layout.elementTables[number]
    var written = WrittenElement()
    for position in 0..<elements.count {
      try begin(try element(elements, position), in: table, owner: owner, &written)
      try store.insert(elementTable: number)
    }
    properties[entity][collection.property].counts.values += written.values
    properties[entity][collection.property].counts.links += written.links
    return written.inexact
  }

  /// Notes the members of a to-many relationship whose links are written later or elsewhere: in
  /// the members' own rows, or in a join table together with those of the inverse.
  private mutating func noteMembers(
    _ elements: CollectionElements, _ place: RelationalLayout.PropertyPlace, owner: Int64
  ) throws {
    for position in 0..<elements.count {
      guard case .object(let uid, let id) = try reader.value(of: elements, at: position) else {
        throw changed()
      }
      guard let member = try reference(to: uid, id) else { continue }
      if let members = place.members {
        guard member.entity == members.entity else { throw changed() }
        guard let column = members.position else { continue }
        positions.set(Int64(position), entity: member.entity, column: column, row: member.row)
      } else if let table = place.inverseElements {
        guard plan.layout.elementTables[table].inversePosition != nil else { continue }
        joins.notePosition(Int64(position), table: table, owner: member.row, member: owner)
      } else if let table = place.elements {
        let kept = elements.kind.isOrdered ? Int64(position) : nil
        joins.add(.init(owner: owner, member: member.row, position: kept), table: table)
      }
    }
  }

  /// An element of a collection, its rows handed out.
  mutating func element(
    _ elements: CollectionElements, _ position: Int
  ) throws -> CollectionElement {
    CollectionElement(
      position: elements.kind.isOrdered ? position : nil,
      key: elements.kind.isKeyed
        ? try elementValue(try reader.key(of: elements, at: position)) : nil,
      value: try elementValue(try reader.value(of: elements, at: position)))
  }

  private mutating func elementValue(_ value: ArchivedValue) throws -> ElementValue {
    switch value {
    case .null, .nsNull:
      return .nothing
    case .object(let uid, let id):
      if case .plain(let entity, _) = try plan(of: id) {
        workList.add(uid)
        return .row(RowReference(entity: entity, id: row(of: uid, entity: entity)))
      }
      guard let session else { throw changed() }
      return try session.withLent(&self) { try session.elementValue(value) }
    case .collection(let id, let kind):
      return .collection(looseCollections.row(of: id, kind))
    default:
      return .plain(value)
    }
  }

  /// Begins the row of an element in `elementRow`; the caller inserts it.
  ///
  /// Mutating, so that `self` is not copied before the element is read: the reader may meet a class
  /// with it.
  mutating func begin(
    _ element: CollectionElement, in table: RelationalLayout.ElementTable, owner: Int64,
    _ written: inout WrittenElement
  ) throws {
    elementRow.clear(table.table.columns.count)
    elementRow.set(table.owner, owner)
    guard elementRow.set(element, in: table, plan, reader, &written) else { throw changed() }
  }

  // MARK: Classes and shapes

  /// What becomes of the objects of a class.
  mutating func plan(of id: ClassID) throws -> ClassPlan {
    while plansOfClasses.count <= id.index {
      let name = reader.classes[plansOfClasses.count].name
      plansOfClasses.append(pass.classes[name] ?? .unmapped)
      visited.append(0)
    }
    return plansOfClasses[id.index]
  }

  private mutating func shapePlan(of object: ArchivedObject) throws -> ShapePlan {
    while shapePlans.count <= object.shape {
      shapePlans.append(ShapePlan(classID: ClassID(index: -1), entity: -1, properties: []))
    }
    if shapePlans[object.shape].classID == object.class { return shapePlans[object.shape] }
    guard case .plain(let entity, let names) = try plan(of: object.class) else { throw changed() }
    var found = ShapePlan(classID: object.class, entity: entity, properties: [])
    for key in reader.shapes[object.shape].keys {
      if key != "$class", let name = names[key], let number = propertyNumbers[entity][name] {
        found.properties.append(number)
      } else {
        found.properties.append(-1)
        if key != "$class" { found.unread.append(key) }
      }
    }
    shapePlans[object.shape] = found
    return found
  }

  /// The tables were laid out for what the archive held when it was first read.
  func changed() -> ArchiveError {
    ArchiveError(.unreadable, name: "it changed while it was read")
  }
}
