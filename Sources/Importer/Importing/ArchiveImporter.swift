import ArchiveReader

/// Writes the objects of one archive into a store.
///
/// Each object that is a row is taken from the work list, decoded key by key, and inserted; what
/// it refers to gets a row reference and a place on the list. No second graph of objects is made.
struct ArchiveImporter {
  let plan: ImportPlan
  let store: StoreWriter
  let archiveID: Int64
  var reader: ObjectReader
  var workList: WorkList
  var rows: RowReferences
  var counts: ImportCounts
  var positions: MemberPositions
  var joins = JoinLinks()
  var looseCollections: LooseCollections

  private let row: RowBuffer
  let elementRow: RowBuffer
  /// For each class of the reader, the number of its entity.
  private var entityOfClass: [Int] = []
  /// For each shape, the class met last and what becomes of each key there.
  private var shapePlans: [ShapePlan] = []
  private var openCollections: [OpenCollection] = []
  /// Keys of the object whose row is being written that go to the table of overflow.
  private var overflow: [(position: Int, property: Int)] = []
  private var seenCollections: Set<Int> = []

  /// What becomes of the keys of a shape.
  private struct ShapePlan {
    var entity: Int
    /// For each key, the number of its property in `properties`; -1 for `$class`.
    var properties: [Int]
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
    _ archive: KeyedArchive, id: Int64, plan: ImportPlan, store: StoreWriter, bases: [Int64],
    collectionBase: Int64
  ) {
    self.plan = plan
    self.store = store
    row = store.row
    elementRow = store.elementRow
    archiveID = id
    reader = ObjectReader(archive, limits: plan.limits, opaqueClasses: plan.opaqueClasses)
    workList = WorkList(objectCount: archive.objectCount)
    rows = RowReferences(objectCount: archive.objectCount, bases: bases)
    counts = ImportCounts(entityCount: bases.count)
    positions = MemberPositions(bases: bases)
    looseCollections = LooseCollections(base: collectionBase)
    for entity in plan.layout.entities {
      let keys = entity.properties.keys.sorted()
      properties.append(keys.map { Property(place: entity.properties[$0] ?? .init()) })
      propertyNumbers.append(Dictionary(uniqueKeysWithValues: zip(keys, keys.indices)))
    }
  }

  // MARK: The run

  /// Writes everything that the top-level keys reach.
  mutating func run() throws {
    store.keep(reader.archive)
    try writeTopLevel()
    while true {
      if let uid = workList.takeNext() {
        try write(try reader.object(uid))
      } else if let collection = looseCollections.takeNext() {
        try writeLoose(collection)
      } else {
        break
      }
    }
    try writeLinks()
    for entity in counts.entities.indices {
      counts.entities[entity].rows = rows.counts[entity]
      for (key, number) in propertyNumbers[entity] {
        counts.entities[entity].properties[key] = properties[entity][number].counts
      }
    }
    counts.collections = looseCollections.count
    try writeRanges()
  }

  /// The row of an object, which is handed out if it has none yet, and its entity.
  mutating func reference(
    to uid: Int, _ id: ClassID
  ) throws -> (entity: Int, row: Int64) {
    let entity = try self.entity(of: id)
    workList.add(uid)
    return (entity, rows.row(of: uid, entity: entity))
  }

  // MARK: Rows

  private mutating func write(_ object: ArchivedObject) throws {
    let shapePlan = try self.shapePlan(of: object)
    let entity = shapePlan.entity
    let table = plan.layout.entities[entity].table
    let id = rows.row(of: object.uid, entity: entity)
    row.clear(table.columns.count)
    row.set(0, id)
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
    try store.insert(entity: entity)
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
    elementRow.clear(table.table.columns.count)
    elementRow.set(table.owner, owner)
    let key = reader.shapes[object.shape].keys[position]
    if let column = table.key { elementRow.set(column, ArchivedKey.plain(key)) }
    let value = try reader.value(of: object, at: position)
    var written = WrittenElement()
    try setElement(value, value: table.value, table.reference, table.referenceType, &written)
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
    let reference = try self.reference(to: target, targetClass)
    row.set(column, reference.row)
    if let typeColumn = place.referenceType {
      row.set(typeColumn, plan.layout.entities[reference.entity].table.name)
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
    var inexact: [ArchivedValue] = []
    for position in 0..<elements.count {
      elementRow.clear(table.table.columns.count)
      elementRow.set(table.owner, owner)
      let written = try setElement(elements, position, table)
      properties[entity][collection.property].counts.values += written.values
      properties[entity][collection.property].counts.links += written.links
      inexact += written.inexact
      try store.insert(elementTable: number)
    }
    return inexact
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
      let member = try reference(to: uid, id)
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

  /// What an element set.
  struct WrittenElement {
    var values = 0
    var links = 0
    var inexact: [ArchivedValue] = []
  }

  /// Sets the columns of an element, but for its owner.
  mutating func setElement(
    _ elements: CollectionElements, _ position: Int, _ table: RelationalLayout.ElementTable
  ) throws -> WrittenElement {
    var written = WrittenElement()
    if let column = table.position, elements.kind.isOrdered {
      elementRow.set(column, Int64(position))
    }
    if elements.kind.isKeyed {
      var ofKey = WrittenElement()
      let key = try reader.key(of: elements, at: position)
      try setElement(key, value: table.key, table.keyReference, table.keyType, &ofKey)
      written.inexact = ofKey.inexact
    }
    let value = try reader.value(of: elements, at: position)
    try setElement(value, value: table.value, table.reference, table.referenceType, &written)
    return written
  }

  private mutating func setElement(
    _ value: ArchivedValue, value column: Int?, _ reference: Int?, _ type: Int?,
    _ written: inout WrittenElement
  ) throws {
    switch value {
    case .null, .nsNull:
      return
    case .object(let uid, let id):
      guard let reference else { throw changed() }
      let target = try self.reference(to: uid, id)
      elementRow.set(reference, target.row)
      if let type { elementRow.set(type, plan.layout.entities[target.entity].table.name) }
      written.links += 1
    case .collection(let id, let kind):
      guard let reference, let type else { throw changed() }
      elementRow.set(reference, looseCollections.row(of: id, kind))
      elementRow.set(type, RelationalLayout.collectionTable)
      written.links += 1
    default:
      guard let column else { throw changed() }
      if !elementRow.set(column, to: value, reader) { written.inexact.append(value) }
      written.values += 1
    }
  }

  // MARK: Classes and shapes

  private mutating func entity(of id: ClassID) throws -> Int {
    while entityOfClass.count <= id.index {
      entityOfClass.append(plan.entities[reader.classes[entityOfClass.count].name] ?? -1)
    }
    let entity = entityOfClass[id.index]
    guard entity >= 0 else { throw changed() }
    return entity
  }

  private mutating func shapePlan(of object: ArchivedObject) throws -> ShapePlan {
    let entity = try self.entity(of: object.class)
    while shapePlans.count <= object.shape {
      shapePlans.append(ShapePlan(entity: -1, properties: []))
    }
    if shapePlans[object.shape].entity == entity { return shapePlans[object.shape] }
    var numbers: [Int] = []
    for key in reader.shapes[object.shape].keys {
      guard key != "$class" else {
        numbers.append(-1)
        continue
      }
      guard let number = propertyNumbers[entity][key] else { throw changed() }
      numbers.append(number)
    }
    shapePlans[object.shape] = ShapePlan(entity: entity, properties: numbers)
    return shapePlans[object.shape]
  }

  /// The tables were laid out for what the archive held when it was first read.
  func changed() -> ArchiveError {
    ArchiveError(.unreadable, name: "it changed while it was read")
  }
}
