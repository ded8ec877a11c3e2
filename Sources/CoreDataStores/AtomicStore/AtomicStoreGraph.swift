import ArchiveReader
import Foundation
import GraphCore

/// The objects of an atomic store, and of the archive in it.
final class AtomicStoreGraph: ObjectGraph {
  let store: any AtomicStoreSource
  let objects: AtomicObjects
  /// The graph of the archive whose objects stand as values in the store; nil without any.
  let inner: ArchiveGraph?
  private(set) var classes: [ClassRecord] = []
  /// For each entity the class that it is, where an object of it was met.
  private var entityClasses: [ClassID?]
  /// For each class of the archive, the one that it is here.
  private var innerClasses: [Int: ClassID] = [:]
  private lazy var reached = inner.flatMap { store.content.archived?.reached(by: $0) } ?? []

  /// The form of elements of the store's own relationships: no form of an archive's.
  private static let membersForm = Int.min

  init(_ store: any AtomicStoreSource, _ options: GraphOptions) {
    self.store = store
    objects = store.content.objects
    inner = store.content.archived.flatMap { $0.archive.makeGraph(options) as? ArchiveGraph }
    entityClasses = Array(repeating: nil, count: objects.schema.entities.count)
  }

  private init(copying other: AtomicStoreGraph) {
    store = other.store
    objects = other.objects
    inner = other.inner?.archiveCopy()
    classes = other.classes
    entityClasses = other.entityClasses
    innerClasses = other.innerClasses
  }

  func copy() -> any ObjectGraph { AtomicStoreGraph(copying: self) }

  var source: any GraphSource { store }
  var metClasses: [ClassID] { classes.indices.map { ClassID(index: $0) } }
  var nonconformingClasses: Set<ClassID> {
    Set((inner?.nonconformingClasses ?? []).map { classID($0) })
  }

  /// The keys of an entity; after the entities come the shapes of the archive.
  func keys(ofShape shape: Int) -> [String] {
    let entities = objects.schema.entities
    if shape < entities.count { return entities[shape].keys }
    return inner?.keys(ofShape: shape - entities.count) ?? []
  }

  // MARK: Objects

  func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
    throw ArchiveError(.noValue, at: .topLevelKey(root.key))
  }

  func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
    guard let innerUID = try innerUID(of: uid) else {
      return .object(uid: uid, class: classID(ofEntity: objects.objects[uid].entity))
    }
    // A part of a value is read with the value.
    guard reached.contains(innerUID) else { return .null }
    return try read { (inner) throws(ArchiveError) in try inner.value(ofObject: innerUID) }
  }

  func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
    if let innerUID = try innerUID(of: uid) {
      let found = try innerObject(innerUID)
      return GraphObject(
        uid: uid, class: classID(found.class), shape: objects.schema.entities.count + found.shape,
        keyCount: found.keyCount, location: innerUID)
    }
    let object = objects.objects[uid]
    let entity = Int(object.entity)
    return GraphObject(
      uid: uid, class: classID(ofEntity: object.entity), shape: entity,
      keyCount: objects.schema.entities[entity].keys.count, location: object.firstValue)
  }

  func values(
    of object: GraphObject, into values: inout MutableSpan<GraphValue>
  ) throws(ArchiveError) {
    for position in 0..<object.keyCount { values[position] = try value(of: object, at: position) }
  }

  func value(of object: GraphObject, at position: Int) throws(ArchiveError) -> GraphValue {
    guard object.uid < objects.objects.count else {
      let found = try innerObject(object.location)
      return try read { (inner) throws(ArchiveError) in try inner.value(of: found, at: position) }
    }
    let place = object.location + position
    switch objects.values[place] {
    case .plain(let value): return value
    case .object(let target):
      return .object(uid: target, class: classID(ofEntity: objects.objects[target].entity))
    case .members(_, _, let isOrdered):
      return .collection(.inline(place), isOrdered ? .orderedSet : .set)
    case .archived(let uid):
      return try read { (inner) throws(ArchiveError) in try inner.value(ofObject: uid) }
    case .archivedCollection(let index, let kind):
      return translated(.collection(.inline(index), kind))
    case .fault(let fault): throw objects.faults[fault]
    }
  }

  func reference(of object: GraphObject, at position: Int) -> Int? {
    guard object.uid < objects.objects.count else {
      guard let found = try? innerObject(object.location) else { return nil }
      return inner?.reference(of: found, at: position).flatMap { number(of: $0) }
    }
    switch objects.values[object.location + position] {
    case .object(let target): return target
    case .archived(let uid): return number(of: uid)
    case .plain, .members, .archivedCollection, .fault: return nil
    }
  }

  // MARK: Collections

  func elements(
    of collection: CollectionID, _ kind: CollectionKind
  ) throws(ArchiveError) -> GraphElements {
    switch collection {
    case .object(let uid):
      guard let innerUID = try innerUID(of: uid), let inner else {
        throw ArchiveError(.badCollection, at: .object(uid, key: nil), name: "it is an object")
      }
      return try translating { () throws(ArchiveError) in
        try inner.elements(of: .object(innerUID), kind)
      }
    case .inline(let place) where place >= objects.values.count:
      guard let inner else { throw ArchiveError(.badCollection, name: "there is none") }
      return try translating { () throws(ArchiveError) in
        try inner.elements(of: .inline(place - objects.values.count), kind)
      }
    case .inline(let place):
      guard objects.values.indices.contains(place),
        case .members(let start, let count, let isOrdered) = objects.values[place],
        kind == (isOrdered ? .orderedSet : .set)
      else { throw ArchiveError(.badCollection, name: "there is none") }
      let location = GraphElements.Location(start: start, form: Self.membersForm)
      return GraphElements(kind: kind, count: count, keys: location, values: location)
    }
  }

  func value(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    guard elements.values.form == Self.membersForm else {
      return try read { (inner) throws(ArchiveError) in
        try inner.value(of: elements, at: position)
      }
    }
    let member = Int(objects.members[elements.values.start + position])
    guard member >= 0 else { throw objects.faults[-1 - member] }
    return .object(uid: member, class: classID(ofEntity: objects.objects[member].entity))
  }

  func key(of elements: GraphElements, at position: Int) throws(ArchiveError) -> GraphValue {
    guard elements.keys.form != Self.membersForm else { return .null }
    return try read { (inner) throws(ArchiveError) in try inner.key(of: elements, at: position) }
  }

  // MARK: Values of Foundation's other classes

  func foundationValue(_ uid: Int) throws(ArchiveError) -> FoundationValue? {
    guard let innerUID = try innerUID(of: uid), let inner else { return nil }
    return try translating { () throws(ArchiveError) in try inner.foundationValue(innerUID) }
  }

  func foundationByteCount(_ uid: Int) throws(ArchiveError) -> Int {
    guard let innerUID = try innerUID(of: uid), let inner else { return 0 }
    return try translating { () throws(ArchiveError) in try inner.foundationByteCount(innerUID) }
  }

  func urlText(_ uid: Int) -> String? {
    guard let innerUID = try? innerUID(of: uid) else { return nil }
    return inner?.urlText(innerUID)
  }

  // MARK: Bookkeeping

  /// The objects of the archive in the store alone: each object of its own belongs to the store.
  func countUnreachedObjects() -> Int { store.content.unreachableObjects }

  func archivedData(
    of object: GraphObject, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    guard object.uid < objects.objects.count else {
      guard let inner else { return nil }
      let found = try innerObject(object.location)
      return try translating { () throws(ArchiveError) in
        try inner.archivedData(of: found, at: position, limits: limits)
      }
    }
    guard let inner, case .archived(let uid) = objects.values[object.location + position] else {
      return try value(of: object, at: position).archive
    }
    return try translating { () throws(ArchiveError) in
      try inner.archivedData(ofObject: uid, limits: limits)
    }
  }

  /// Refuses: each store has shapes of its own.
  func reset(to source: any GraphSource) -> Bool { false }

  // MARK: Classes

  private func classID(ofEntity entity: Int32) -> ClassID {
    if let known = entityClasses[Int(entity)] { return known }
    let found = objects.schema.entities[Int(entity)]
    let id = add(ClassRecord(name: found.name, hierarchy: found.hierarchy, hints: []))
    entityClasses[Int(entity)] = id
    return id
  }

  func classID(_ inner: ClassID) -> ClassID {
    if let known = innerClasses[inner.index] { return known }
    let record = self.inner?.classes[inner.index] ?? ClassRecord(name: "", hierarchy: [], hints: [])
    let id = add(record)
    innerClasses[inner.index] = id
    return id
  }

  private func add(_ record: ClassRecord) -> ClassID {
    classes.append(record)
    return ClassID(index: classes.count - 1)
  }
}

/// The archive in a store, whose objects have numbers after those of the store's own.
extension AtomicStoreGraph {
  /// The UID of an object in the archive; nil if it is one of the store's own.
  func innerUID(of uid: Int) throws(ArchiveError) -> Int? {
    if objects.objects.indices.contains(uid) { return nil }
    let place = uid.subtractingReportingOverflow(objects.objects.count)
    guard !place.overflow, let uids = store.content.archived?.uids,
      uids.indices.contains(place.partialValue)
    else { throw ArchiveError(.danglingReference, name: "\(uid)") }
    return uids[place.partialValue]
  }

  /// The number that an object of the archive has here.
  func number(of innerUID: Int) -> Int? {
    store.content.archived?.place(of: innerUID).map { objects.objects.count + $0 }
  }

  func innerObject(_ uid: Int) throws(ArchiveError) -> GraphObject {
    guard let inner else { throw ArchiveError(.danglingReference, name: "\(uid)") }
    return try translating { () throws(ArchiveError) in try inner.object(uid) }
  }

  /// The value that the archive's graph gives, with the numbers that it has here.
  func read(
    _ body: (ArchiveGraph) throws(ArchiveError) -> GraphValue
  ) throws(ArchiveError) -> GraphValue {
    guard let inner else { return .null }
    return translated(try translating { () throws(ArchiveError) in try body(inner) })
  }

  func translated(_ value: GraphValue) -> GraphValue {
    switch value {
    case .object(let uid, let id):
      return number(of: uid).map { .object(uid: $0, class: classID(id)) } ?? .null
    case .foundation(let uid, let id):
      return number(of: uid).map { .foundation(uid: $0, class: classID(id)) } ?? .null
    case .relativeURL(let uid): return number(of: uid).map { .relativeURL(uid: $0) } ?? .null
    case .className(let id): return .className(classID(id))
    case .collection(.object(let uid), let kind):
      return number(of: uid).map { .collection(.object($0), kind) } ?? .null
    case .collection(.inline(let index), let kind):
      return .collection(.inline(objects.values.count + index), kind)
    default: return value
    }
  }

  /// Puts the numbers of objects here in the place of UIDs in errors.
  func translating<Result>(
    _ body: () throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(ArchiveError) {
      return try body()
    } catch {
      guard case .object(let uid, let key) = error.position else { throw error }
      var error = error
      error.position = number(of: uid).map { .object($0, key: key) }
      throw error
    }
  }
}
