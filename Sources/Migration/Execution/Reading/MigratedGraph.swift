import CoreDataStores
import DataModel
import Foundation
import GraphCore

/// The objects of the new model, read from the old store for one thread.
///
/// The classes are the entities, and a class has one shape: its attributes by name, then its
/// relationships by name. Values that are copied are those of the source, where they lie; one
/// source object is read for each destination object. What expressions read besides is read by a
/// graph of its own, so that it does not push out the bytes of values that are still at hand.
final class MigratedGraph: ObjectGraph {
  let state: MigrationState
  let reader: SourceReader
  let resolver: LinkResolver
  private let migrated: MigratedSource?
  private let options: GraphOptions
  private let now: Date
  let bytes = ComputedBytes()
  private(set) var classes: [ClassRecord]
  private(set) var metClasses: [ClassID] = []
  @exclusivity(unchecked) private var isMet: [Bool]
  /// For each class of the source, the one that it is here: those of parts of values.
  private var archivedClasses: [Int: ClassID] = [:]
  /// For each entity mapping and shape of the source, where the values of properties are.
  @exclusivity(unchecked) private var recipes: [[Recipe?]]
  /// The objects of the entity mappings that were asked for last: those that are read, and those
  /// that links lead to.
  @exclusivity(unchecked) private var readObjects = MigrationState.PlainObjects.none
  @exclusivity(unchecked) private var linkedObjects = MigrationState.PlainObjects.none
  /// The values of the source object that is read.
  @exclusivity(unchecked) var sourceValues: [GraphValue] = []
  private var records: RecordFile.Reader?
  /// The values of the record that was read last.
  private var lastRecord: (place: Int, values: [Int: ImportValue])?
  /// The members of the relationship that was asked for last.
  var lastMembers: (collection: Int, members: [Int])?

  init(
    _ state: MigrationState, _ options: GraphOptions, now: Date, source: MigratedSource? = nil
  ) {
    self.state = state
    self.options = options
    self.now = now
    migrated = source
    reader = SourceReader(state.source.makeGraph(options), options.limits)
    let scope = MigrationScope(
      state, state.source.makeGraph(options), options.limits, now: now)
    resolver = LinkResolver(state: state, scope: scope)
    classes = state.program.destination.entities.map(\.record)
    unsafe isMet = Array(repeating: false, count: classes.count)
    unsafe recipes = Array(repeating: [], count: state.program.mappings.count)
  }

  private init(copying other: MigratedGraph) {
    (state, options, now, migrated) = (other.state, other.options, other.now, other.migrated)
    // Classes and shapes of parts of values have the indices that they have in the source's graph.
    reader = SourceReader(other.reader.graph.copy(), options.limits)
    let scope = MigrationScope(
      state, other.resolver.scope.reader.graph.copy(), options.limits, now: now)
    resolver = LinkResolver(state: state, scope: scope)
    (classes, archivedClasses) = (other.classes, other.archivedClasses)
    unsafe isMet = Array(repeating: false, count: classes.count)
    unsafe recipes = Array(repeating: [], count: state.program.mappings.count)
  }

  func copy() -> any ObjectGraph { MigratedGraph(copying: self) }

  /// The migrated source; while policies run, there is none yet.
  var source: any GraphSource { migrated ?? state.source }
  var nonconformingClasses: Set<ClassID> {
    Set(reader.graph.nonconformingClasses.compactMap { archivedClasses[$0.index] })
  }

  /// The keys of an entity; after the entities come the shapes of the source.
  func keys(ofShape shape: Int) -> [String] {
    let entities = state.program.destination.entities
    guard shape >= entities.count else { return entities[shape].keys }
    return reader.graph.keys(ofShape: shape - entities.count)
  }

  // MARK: Objects

  func value(of root: GraphRoot) throws(ArchiveError) -> GraphValue {
    throw ArchiveError(.danglingReference, name: root.key)
  }

  func value(ofObject uid: Int) throws(ArchiveError) -> GraphValue {
    if unsafe readObjects.contains(uid) {
      return unsafe .object(uid: uid, class: classID(readObjects.entity))
    }
    if let archived = try archivedObject(uid) {
      return translated(
        try repositioned(nil) { () throws(ArchiveError) in
          try reader.graph.value(ofObject: archived)
        })
    }
    return .object(uid: uid, class: classID(try place(of: uid).entity))
  }

  func object(_ uid: Int) throws(ArchiveError) -> GraphObject {
    if findReadObjects(uid) {
      let entity = unsafe readObjects.entity
      return unsafe GraphObject(
        uid: uid, class: classID(entity), shape: entity, keyCount: readObjects.keyCount,
        location: uid)
    }
    if let archived = try archivedObject(uid) {
      let found = try repositioned(nil) { () throws(ArchiveError) in
        try reader.graph.object(archived)
      }
      return GraphObject(
        uid: uid, class: archivedClassID(found.class),
        shape: state.program.destination.entities.count + found.shape, keyCount: found.keyCount,
        location: archived)
    }
    let entity = try place(of: uid).entity
    return GraphObject(
      uid: uid, class: classID(entity), shape: entity,
      keyCount: state.program.destination.entities[entity].keys.count, location: uid)
  }

  func place(of index: Int) throws(ArchiveError) -> MigrationState.Place {
    guard let place = state.place(of: index) else {
      throw ArchiveError(.danglingReference, name: "\(index)")
    }
    return place
  }

  /// The index in the source of an object that is a part of a value; nil for a destination object.
  func archivedObject(_ uid: Int) throws(ArchiveError) -> Int? {
    guard uid >= state.count else { return nil }
    let (archived, overflow) = (uid - state.count).addingReportingOverflow(state.firstArchived)
    guard !overflow, archived < state.source.objectCount else {
      throw ArchiveError(.danglingReference, name: "\(uid)")
    }
    return archived
  }

  /// The class that an entity is, which has been met from now on.
  @inline(__always)
  func classID(_ entity: Int) -> ClassID {
    let id = ClassID(index: entity)
    if unsafe !isMet[entity] {
      unsafe isMet[entity] = true
      metClasses.append(id)
    }
    return id
  }

  /// The class that one of the source's is, which is none of an entity.
  func archivedClassID(_ id: ClassID) -> ClassID {
    let known = archivedClasses[id.index]
    let found = known ?? ClassID(index: classes.count)
    if known == nil {
      classes.append(reader.graph.classes[id.index])
      archivedClasses[id.index] = found
    }
    while unsafe isMet.count < classes.count { unsafe isMet.append(false) }
    return classID(found.index)
  }

  // MARK: Objects of entity mappings without a policy

  /// Whether an object is one of an entity mapping without a policy: then `readObjects` has it.
  @inline(__always)
  private func findReadObjects(_ index: Int) -> Bool {
    if unsafe readObjects.contains(index) { return true }
    guard let found = state.plainObjects(with: index) else { return false }
    unsafe readObjects = found
    return true
  }

  /// The objects of the entity mapping that made one; nil if a policy made it.
  @inline(__always)
  func plainObjects(with index: Int) -> MigrationState.PlainObjects? {
    unsafe findReadObjects(index) ? readObjects : nil
  }

  /// The class of an object that a link leads to.
  @inline(__always)
  func classID(ofLinked index: Int) throws(ArchiveError) -> ClassID {
    if unsafe !linkedObjects.contains(index) {
      guard let found = state.plainObjects(with: index) else {
        return classID(try place(of: index).entity)
      }
      unsafe linkedObjects = found
    }
    return unsafe classID(linkedObjects.entity)
  }

  // MARK: The source

  /// Where a source object has the values for the properties of an entity mapping.
  @inline(__always)
  func recipe(_ mapping: Int, _ object: GraphObject) -> Recipe {
    if unsafe object.shape < recipes[mapping].count,
      let known = unsafe recipes[mapping][object.shape]
    {
      return known
    }
    while unsafe recipes[mapping].count <= object.shape { unsafe recipes[mapping].append(nil) }
    // While policies run, links may still be kept.
    let found = Recipe(
      state.program, mapping,
      isLookedUp: { migrated != nil && state.program.isLazy[$0] && state.tables[$0] == nil },
      position: { reader.position(of: $0, in: object) })
    unsafe recipes[mapping][object.shape] = found
    return found
  }

  /// The values in a record.
  func record(at place: Int) throws(ArchiveError) -> [Int: ImportValue] {
    if let lastRecord, lastRecord.place == place { return lastRecord.values }
    let values = ValueRecord.values(try recordBytes(at: place))
    lastRecord = (place, values)
    return values
  }

  /// The bytes of a record, without its length.
  func recordBytes(at place: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
    if let records { return try records.record(at: place) }
    guard let file = state.records else { return [] }
    let reader = RecordFile.Reader(file)
    records = reader
    return try reader.record(at: place)
  }

  // MARK: Bookkeeping

  /// None: each object belongs to the store.
  func countUnreachedObjects() -> Int { 0 }

  func archivedData(
    of object: GraphObject, at position: Int, limits: ReadingLimits
  ) throws(ArchiveError) -> Data? {
    if object.uid >= state.count {
      let found = try reader.graph.object(object.location)
      return try reader.graph.archivedData(of: found, at: position, limits: limits)
    }
    let place = try place(of: object.uid)
    if let mapping = place.recipe, let uid = place.source,
      case .copy(_, fits: true, _) = state.program.mappings[mapping].values[position],
      try place.record.map({ (record) throws(ArchiveError) in try self.record(at: record) })?[
        position] == nil
    {
      let found = try reader.graph.object(uid)
      if let there = recipe(mapping, found).sources[position],
        let copy = try reader.graph.archivedData(of: found, at: there, limits: limits)
      {
        return copy
      }
    }
    return try value(of: object, at: position).archive
  }

  /// A graph goes on with its own source alone: others have other entities.
  func reset(to source: any GraphSource) -> Bool {
    guard source === migrated else { return false }
    metClasses = []
    unsafe isMet = Array(repeating: false, count: classes.count)
    return true
  }
}
