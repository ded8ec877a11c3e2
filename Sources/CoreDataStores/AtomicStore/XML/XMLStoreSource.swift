import ArchiveReader
import DataModel
import GraphCore

/// A Core Data store in XML (`NSXMLStoreType`).
///
/// The names of entities and properties are matched to the model without regard to case, since the
/// store does not keep it; values are read as the model says. An XML store that has no hashes, or
/// others than the model, can be read: what does not fit is an error where it stands.
package final class XMLStoreSource: AtomicStoreSource {
  package let modelSource: ModelSource
  package let metadata: CoreDataMetadata
  package let notes: [StoreNote]
  package let content: AtomicStoreContent
  package let byteCount: Int

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file, which are not needed any more afterwards.
  ///   - model: The model that its objects are of.
  ///   - notes: The notes on the choice of the model.
  ///   - limits: The limits for hostile files.
  ///   - salvages: True if a damaged store is read as far as possible; the rest is in `losses`.
  /// - Throws: `ArchiveError` with the line if the store is damaged, or not of the model.
  /// - Complexity: Linear in the size of the file, but for sorting the objects.
  package init(
    _ file: ByteStorage, model: ModelSource, notes: [StoreNote] = [],
    limits: ReadingLimits = .standard, salvages: Bool = false
  ) throws(ArchiveError) {
    let (objects, metadata) = try Reader.read(
      file, schema: AtomicSchema(model.model), limits: limits, salvages: salvages)
    try file.check()
    (modelSource, self.notes) = (model, notes)
    self.metadata = metadata
    content = AtomicStoreContent(objects: objects, archived: nil)
    byteCount = file.count
  }

  /// The metadata of a store, by which its model can be found.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limits for hostile files.
  /// - Returns: The metadata, empty where the store has none.
  /// - Throws: `ArchiveError` if the file is no XML store, or damaged before its first object.
  package static func metadata(
    of file: ByteStorage, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> CoreDataMetadata {
    let metadata = try Reader.metadata(of: file, limits: limits)
    try file.check()
    return metadata
  }

  /// The entities of the model of a store without hashes, as far as its objects tell.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - limits: The limits for hostile files.
  /// - Returns: The entities, with the names of their properties.
  /// - Throws: `ArchiveError` if the file is damaged, or has too many names.
  package static func entities(
    of file: ByteStorage, limits: ReadingLimits = .standard
  ) throws(ArchiveError) -> StoreEntities {
    let properties = try Reader.properties(of: file, limits: limits)
    try file.check()
    return .properties(properties)
  }

  package var format: SourceFormat { .xmlStore }
  package var residentBytes: Int { content.objects.residentBytes }

  package func check() throws(ArchiveError) {}

  package func place(of bytes: BorrowedBytes) -> ByteRange? {
    content.objects.bytes.place(of: bytes)
  }

  /// A reader that copies the bytes of data values.
  package func makeDataReader() -> NestedDataReader {
    { [self] data throws(ArchiveError) in
      guard data.byteCount > 0, let bytes = content.objects.bytes.bytes(at: data.bytes) else {
        throw ArchiveError(.noValue)
      }
      return ByteStorage(bytes)
    }
  }
}
