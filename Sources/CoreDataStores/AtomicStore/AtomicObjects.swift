import GraphCore

extension AtomicObjects {
  /// A value of an atomic store, as it is held in memory.
  enum Value: BitwiseCopyable, Sendable {
    case plain(GraphValue)
    /// The object with a number.
    case object(Int)
    /// Objects, by their places among the members.
    case members(start: Int, count: Int, isOrdered: Bool)
    /// An object in the archive of a binary store, by its UID.
    case archived(Int)
    /// A collection that stands in that archive without being an object.
    case archivedCollection(Int, CollectionKind)
    /// A value that cannot be read, by the place of the error.
    case fault(Int)
  }
}

extension AtomicObjects {
  /// An object of an atomic store.
  struct Object: BitwiseCopyable, Sendable {
    /// The place of its entity in the schema.
    var entity: Int32
    /// The index of its first value: there is one for each key of the entity.
    var firstValue: Int
    /// Its primary key.
    var key: Int64
  }
}

/// The objects of an atomic store: one that is read into memory whole.
///
/// Takes about 32 bytes for each value, and the bytes of texts and data; in a binary store these
/// stay in the file.
final class AtomicObjects: Sendable {
  let schema: AtomicSchema
  /// The objects by their numbers: in the order of the entities, then of the keys.
  let objects: [Object]
  let values: [Value]
  /// The objects that to-many relationships hold: numbers, or below zero, -1 minus the place of an
  /// error.
  let members: [Int32]
  let faults: [ArchiveError]
  /// The losses of a damaged store of which the rest is read.
  let losses: LossList
  /// The bytes of texts and data, kept here.
  let bytes: AtomicBytes

  init(
    schema: AtomicSchema, objects: [Object], values: [Value], members: [Int32],
    faults: [ArchiveError], losses: LossList, bytes: AtomicBytes
  ) {
    (self.schema, self.objects, self.values) = (schema, objects, values)
    (self.members, self.faults, self.losses) = (members, faults, losses)
    self.bytes = bytes
  }

  func entity(of object: Object) -> AtomicSchema.Entity {
    schema.entities[Int(object.entity)]
  }

  /// The memory that they take, about, in bytes.
  var residentBytes: Int {
    objects.count * MemoryLayout<Object>.stride
      + values.count * MemoryLayout<Value>.stride
      + members.count * MemoryLayout<Int32>.stride + bytes.count
  }
}
