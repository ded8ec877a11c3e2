import ArchiveReader
import DataModel
import Foundation
import GraphCore
import Support

/// A Core Data store in its binary form (`NSBinaryStoreType`).
///
/// The values of an object have no names in the store, only positions. So it is read only by a
/// model that has the same version hash as the store for each entity of it.
package final class BinaryStoreSource: AtomicStoreSource {
  package let modelSource: ModelSource
  package let metadata: CoreDataMetadata
  package let notes: [StoreNote]
  package let content: AtomicStoreContent
  package let byteCount: Int
  package let unreadKeys: [UnreadKey: Int]
  /// The archive of the objects, which the values are read from.
  private let data: KeyedArchive

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file, which the source keeps.
  ///   - model: The model that its objects are of.
  ///   - notes: The notes on the choice of the model.
  ///   - limits: The limits for hostile files.
  ///   - salvages: True if damaged data is read as far as possible; the rest is in `losses`.
  ///     Without its metadata, nothing can be read of a store.
  /// - Throws: `ArchiveError` if the store is damaged, or of another model.
  /// - Complexity: Linear in the size of the file, but for sorting the objects.
  package init(
    _ file: ByteStorage, model: ModelSource, notes: [StoreNote] = [],
    limits: ReadingLimits = .standard, salvages: Bool = false
  ) throws(ArchiveError) {
    let envelope = try Envelope(file)
    let list = try Self.list(in: file, envelope, limits)
    metadata = list.metadata
    try Self.compare(metadata, with: model)
    do throws(ArchiveError) {
      data = try KeyedArchive.read(
        try Self.part(envelope.data, of: file), limits: limits, salvages: salvages)
    } catch {
      throw error.moved(by: envelope.data.lowerBound)
    }
    let (objects, unread) = try Reader.read(
      data, schema: AtomicSchema(model.model), storedEntities: Set(metadata.versionHashes.keys),
      limits: limits, salvages: salvages)
    try file.check()
    (modelSource, self.notes) = (model, notes)
    let archived = ArchivedObjects(data, valuesOf: objects.values)
    let unreachable = [list.unreachableObjects, try data.unreachableObjects(limits)].boundedSum
    content = AtomicStoreContent(
      objects: objects, archived: archived, unreachableObjects: unreachable)
    unreadKeys = unread.merging(list.unreadKeys) { [$0, $1].boundedSum }
    byteCount = file.count
  }

  /// The metadata of a store, by which its model can be found.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limits for hostile files.
  /// - Returns: The metadata.
  /// - Throws: `ArchiveError` if the file is no binary store, or its metadata is damaged.
  package static func metadata(
    of file: ByteStorage, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> CoreDataMetadata {
    try list(in: file, try Envelope(file), limits).metadata
  }

  /// The archive of the metadata, read.
  private struct MetadataList {
    let metadata: CoreDataMetadata
    /// Surplus of the archive beside the metadata.
    let unreadKeys: [UnreadKey: Int]
    let unreachableObjects: Int
  }

  private static func list(
    in file: ByteStorage, _ envelope: Envelope, _ limits: ReadingLimits
  ) throws(ArchiveError) -> MetadataList {
    do throws(ArchiveError) {
      let archive = try KeyedArchive.read(try part(envelope.metadata, of: file), limits: limits)
      let graph = archive.makeGraph(GraphOptions(limits: limits))
      guard let root = archive.roots.first(where: { $0.key == "metadata" }) else {
        throw ArchiveError(.missingValue)
      }
      var reader = MetadataReader(graph, limits: limits)
      guard let values = try reader.values(of: try graph.value(of: root)) else {
        throw ArchiveError(.wrongKind, name: "a dictionary")
      }
      try archive.check()
      return MetadataList(
        metadata: CoreDataMetadata(values: values, uuid: ""),
        unreadKeys: archive.unreadKeys(besides: root),
        unreachableObjects: try archive.unreachableObjects(limits))
    } catch {
      throw ArchiveError(
        .damagedMetadata, at: .byte(envelope.metadata.lowerBound), name: error.description)
    }
  }

  /// The bytes of one of the two archives in a file.
  static func part(
    _ range: Range<Int>, of file: ByteStorage
  ) throws(ArchiveError) -> ByteStorage {
    guard !range.isEmpty, let part = ByteStorage(range, of: file) else {
      throw ArchiveError(.empty)
    }
    return part
  }

  /// Refuses a model that is not the store's.
  ///
  /// It may have more entities: a store of a configuration has those of the configuration alone.
  private static func compare(
    _ metadata: CoreDataMetadata, with model: ModelSource
  ) throws(ArchiveError) {
    guard !metadata.versionHashes.isEmpty else {
      throw ArchiveError(.damagedMetadata, name: "it has no version hashes to tell the model by")
    }
    let own = model.hashes()
    let uncertain = Set(model.uncertainHashes)
    let differing = metadata.versionHashes.filter { name, hash in
      own[name] != hash && !(own[name] != nil && uncertain.contains(name))
    }.keys.sorted { $0.precedesInBytes($1) }
    guard differing.isEmpty else {
      throw ArchiveError(.otherModel, name: differing.joined(separator: ", "))
    }
  }

  package var format: SourceFormat { .binaryStore }
  package var residentBytes: Int { data.residentBytes + content.objects.residentBytes }

  package func check() throws(ArchiveError) { try data.check() }

  package func place(of bytes: BorrowedBytes) -> ByteRange? { data.place(of: bytes) }

  package func makeDataReader() -> NestedDataReader { data.makeDataReader() }
}

extension ArchiveError {
  /// The same error in a file in which the bytes that it was found in begin at an offset.
  fileprivate func moved(by offset: Int) -> ArchiveError {
    guard case .byte(let byte) = position else { return self }
    var error = self
    error.position = .byte(byte + offset)
    return error
  }
}

extension KeyedArchive {
  /// Surplus of the archive's frame besides one top-level key: the number of values under
  /// each key.
  func unreadKeys(besides root: GraphRoot) -> [UnreadKey: Int] {
    var keys = unreadKeys
    for other in roots where other.index != root.index {
      keys[UnreadKey(owner: "$top", key: ArchivedName.plain(other.key)), default: 0] += 1
    }
    return keys
  }
}

extension BinaryStoreSource {
  /// The 64 bytes at the beginning of a binary store, which lead to the two archives in it.
  ///
  /// All numbers have their high byte first: "CoreData", the version 1 and a number that all stores
  /// have in four bytes each; then in eight bytes each the offset and length of the metadata, those
  /// of the data, the highest primary key ever given, and 0. Measured on 18 stores of framework
  /// versions 358 to 1526.
  struct Envelope {
    /// The range of the archive of the metadata.
    let metadata: Range<Int>
    /// The range of the archive of the objects.
    let data: Range<Int>

    static let signature = Array("CoreData".utf8)
    static let size = 64

    /// Reads the envelope of a file.
    ///
    /// - Parameter file: The bytes of the file.
    /// - Throws: `ArchiveError` with the offset if it is damaged.
    init(_ file: ByteStorage) throws(ArchiveError) {
      let count = file.count
      guard unsafe file.bytes.starts(with: Self.signature) else {
        throw ArchiveError(.damagedStore, at: .byte(0), name: "it does not begin with CoreData")
      }
      guard count >= Self.size else {
        throw ArchiveError(.damagedStore, at: .byte(count), name: "its header is incomplete")
      }
      let version: UInt32 = Self.number(at: 8, in: file)
      guard version == 1 else {
        throw ArchiveError(
          .damagedStore, at: .byte(8), name: "version \(version) of its header is unknown")
      }
      metadata = try Self.range(at: 16, in: file, "metadata")
      data = try Self.range(at: 32, in: file, "data")
      guard !metadata.overlaps(data) else {
        throw ArchiveError(.damagedStore, at: .byte(16), name: "its metadata and data overlap")
      }
    }

    /// The part that an offset and a length lead to.
    private static func range(
      at place: Int, in file: ByteStorage, _ name: String
    ) throws(ArchiveError) -> Range<Int> {
      let offset: UInt64 = number(at: place, in: file)
      let length: UInt64 = number(at: place + 8, in: file)
      let size = file.count
      guard let start = Int(exactly: offset), let count = Int(exactly: length), start >= Self.size,
        start <= size, count <= size - start
      else {
        throw ArchiveError(
          .damagedStore, at: .byte(place), name: "its \(name) is outside of the file")
      }
      return start..<start + count
    }

    /// The number at a place in the envelope.
    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
      at place: Int, in file: ByteStorage
    ) -> Number {
      unsafe Number(bigEndian: file.bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
  }
}
