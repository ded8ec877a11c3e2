import ArchiveReader
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

/// Memory for the bytes of many values, which stay where they are as long as it lives.
///
/// Unchecked: it is filled by one reader, and does not change any more when others have it.
final class AtomicBytes: @unchecked Sendable {
  /// A piece of the memory.
  private struct Block {
    let bytes: ByteBlock
    /// The number of bytes in the blocks before.
    let offset: Int
  }

  private var blocks: [Block] = []
  /// The last of the blocks that values share.
  private var shared: ByteBlock?
  /// The number of bytes.
  private(set) var count = 0

  /// The size of a block that values share; a value of a quarter of it has a block of its own.
  private static let blockSize = 1 << 18

  /// Adds bytes.
  ///
  /// - Parameter source: The bytes.
  /// - Returns: The same bytes in this memory.
  func add(_ source: some Collection<UInt8>) -> BorrowedBytes {
    count += source.count
    return block(for: max(1, source.count)).add(source)
  }

  /// A block with room for so many bytes.
  private func block(for size: Int) -> ByteBlock {
    guard size < Self.blockSize / 4 else { return block(size) }
    if let shared, size <= shared.room { return shared }
    // The first block is small: the store may be, too.
    let made = block(shared == nil ? max(size, 4_096) : Self.blockSize)
    shared = made
    return made
  }

  private func block(_ size: Int) -> ByteBlock {
    let bytes = ByteBlock(size: size)
    blocks.append(Block(bytes: bytes, offset: blocks.last.map { $0.offset + $0.bytes.size } ?? 0))
    return bytes
  }

  // MARK: Places

  /// The place of bytes that were added; nil if they are others.
  ///
  /// - Complexity: Linear in the number of blocks.
  func place(of bytes: BorrowedBytes) -> ByteRange? {
    for block in blocks {
      guard let place = block.bytes.place(of: bytes) else { continue }
      return ByteRange(offset: block.offset + place, count: bytes.count)
    }
    return nil
  }

  /// The bytes at such a place; nil if there are none.
  func bytes(at place: ByteRange) -> BorrowedBytes? {
    for block in blocks where block.offset <= place.offset {
      let found = block.bytes.bytes(at: place.offset - block.offset, count: place.count)
      if let found { return found }
    }
    return nil
  }
}
