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
