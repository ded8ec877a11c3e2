import CoreDataStores
import GraphCore

/// Which destination objects there are, what each is made of, and how they are linked.
///
/// Objects that a mapping model makes by itself cost nothing but the indices of their source
/// objects: their values are read from the source when somebody asks. They come first, by entity
/// mapping. Those of policies follow in the order in which they were made; each takes 16 bytes, and
/// values that are not those of its source are in a file.
final class MigrationState: @unchecked Sendable {
  // Unchecked: it changes only as long as the source that it belongs to is being made.

  /// An object that a policy made.
  struct MadeObject: Sendable {
    static let none = UInt32.max
    /// The source object that its values come from.
    var source: UInt32
    var entity: UInt16
    /// The entity mapping by which its values come from there; -1 for one that was inserted.
    var recipe: Int16
    /// Where its own values are in the file; -1 if it has none, -2 if it was deleted.
    var record: Int = -1

    var isDeleted: Bool { record == -2 }
    mutating func delete() { record = -2 }
  }

  /// What a destination object is made of.
  struct Place {
    var entity: Int
    /// The entity mapping that says where values come from; nil for an object that was inserted.
    var recipe: Int?
    var source: Int?
    /// Where its own values are in the file, if it has any.
    var record: Int?
  }

  let program: MigrationProgram
  let source: any CoreDataSource
  /// For each entity mapping without a policy, the source objects.
  @exclusivity(unchecked) var plain: [SourceList]
  /// For each entity mapping, the index of its first object.
  @exclusivity(unchecked) private(set) var bases: [Int] = []
  @exclusivity(unchecked) private(set) var plainCount = 0
  @exclusivity(unchecked) var made: [MadeObject] = []
  /// For each entity mapping with a policy, what has become of source objects.
  var associations: [AssociationList]
  /// The links that are kept, by the pair of relationships.
  var tables: [LinkTable?]
  var records: RecordFile?

  /// More objects have no place on the lists of those that read them.
  static let maxCount = Int(UInt32.max) - 1

  init(_ program: MigrationProgram, _ source: any CoreDataSource) {
    self.program = program
    self.source = source
    unsafe plain = Array(repeating: SourceList(), count: program.mappings.count)
    associations = Array(repeating: AssociationList(), count: program.mappings.count)
    tables = program.destination.pairs.map { _ in nil }
  }

  /// Gives the objects of the plain entity mappings their indices.
  func numberObjects() throws(MigrationError) {
    unsafe bases = []
    unsafe plainCount = 0
    for list in unsafe plain {
      unsafe bases.append(plainCount)
      unsafe plainCount += list.count
    }
    guard unsafe plainCount <= Self.maxCount else {
      throw MigrationError(.tooMany, name: "objects")
    }
  }

  /// The index of the first object of the source that is none of its store's own, but part of a
  /// value; `source.objectCount` without any.
  var firstArchived: Int { source.ownObjectCount }

  /// How many destination objects there are, deleted ones included.
  var count: Int { unsafe plainCount + made.count }

  /// What an object is made of; nil if there is none of the index.
  func place(of index: Int) -> Place? {
    guard index >= 0, index < count else { return nil }
    guard unsafe index < plainCount else {
      let object = unsafe made[index - plainCount]
      guard !object.isDeleted else { return nil }
      return Place(
        entity: Int(object.entity), recipe: object.recipe < 0 ? nil : Int(object.recipe),
        source: object.source == MadeObject.none ? nil : Int(object.source),
        record: object.record < 0 ? nil : object.record)
    }
    let mapping = plainMapping(of: index)
    return unsafe Place(
      entity: program.mappings[mapping].destinationEntity ?? 0, recipe: mapping,
      source: plain[mapping][index - bases[mapping]], record: nil)
  }

  /// The entity mapping that an object below `plainCount` belongs to: the last that begins at its
  /// index or before, since those without objects come first.
  private func plainMapping(of index: Int) -> Int {
    var (low, high) = unsafe (0, bases.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if unsafe bases[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// The objects of the entity mapping that made one; nil if a policy made it, or if there is none.
  func plainObjects(with index: Int) -> PlainObjects? {
    guard index >= 0, unsafe index < plainCount else { return nil }
    let mapping = plainMapping(of: index)
    guard let entity = program.mappings[mapping].destinationEntity else { return nil }
    return unsafe PlainObjects(
      mapping: mapping, entity: entity,
      keyCount: program.destination.entities[entity].keys.count, first: bases[mapping],
      sources: plain[mapping])
  }

  /// The first object that entity mappings without a policy made of a source object.
  @inline(__always)
  func firstDestination(of uid: Int, _ mappings: [Int]) -> Int? {
    for mapping in mappings {
      if let rank = unsafe plain[mapping].rank(of: uid) { return unsafe bases[mapping] + rank }
    }
    return nil
  }

  /// The entity of an object; nil if there is none of the index.
  func entity(of index: Int) -> Int? {
    guard index >= 0, index < count else { return nil }
    guard unsafe index < plainCount else {
      let object = unsafe made[index - plainCount]
      return object.isDeleted ? nil : Int(object.entity)
    }
    return program.mappings[plainMapping(of: index)].destinationEntity ?? 0
  }

  /// Calls a function with what an entity mapping made of a source object.
  @inline(__always)
  func forEachDestination(of uid: Int, _ mapping: Int, _ body: (Int) -> Void) {
    if let rank = unsafe plain[mapping].rank(of: uid) { return unsafe body(bases[mapping] + rank) }
    guard program.mappings[mapping].isEager else { return }
    associations[mapping].forEachDestination(of: uid) { index in
      // A policy may associate an object of an entity mapping without one.
      if unsafe index < plainCount || !made[index - plainCount].isDeleted { body(index) }
    }
  }

  /// Whether an entity mapping has made something of a source object.
  func takes(_ uid: Int, _ mapping: Int) -> Bool {
    var isTaken = false
    forEachDestination(of: uid, mapping) { _ in isTaken = true }
    return isTaken
  }

  /// Calls a function with each source object that an entity mapping has made something of.
  func forEachSource<Failure: Error>(
    of mapping: Int, _ body: (Int) throws(Failure) -> Void
  ) throws(Failure) {
    for rank in unsafe 0..<plain[mapping].count { try unsafe body(plain[mapping][rank]) }
    try associations[mapping].forEachSource(body)
  }

  /// Adds an object of a policy's.
  ///
  /// - Returns: Its index.
  func add(_ object: MadeObject) throws(MigrationError) -> Int {
    guard count < Self.maxCount else { throw MigrationError(.tooMany, name: "objects") }
    unsafe made.append(object)
    return count - 1
  }

  /// How many bytes it takes.
  var byteCount: Int {
    unsafe plain.reduce(0) { $0 + $1.byteCount } + associations.reduce(0) { $0 + $1.byteCount }
      + made.count * MemoryLayout<MadeObject>.stride
      + tables.reduce(0) { $0 + ($1?.byteCount ?? 0) }
  }
}
