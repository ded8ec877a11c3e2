import ArchiveReader
import DataModel
import GraphCore
import Support

/// Stores whose model is not at hand.
extension StoreInspection {
  /// Inspects a store as far as that goes without its model.
  ///
  /// - Parameters:
  ///   - file: The bytes of the store.
  ///   - path: The path of the store.
  ///   - limits: The limits for hostile files.
  /// - Throws: `ArchiveError` if it is no store, or says nothing of itself.
  /// - Complexity: Linear in the number of objects; of an SQLite store no value is read.
  package init(
    withoutModel file: ByteStorage, at path: String, limits: ReadingLimits
  ) throws(ArchiveError) {
    switch CoreDataFileKind(file.head) {
    case .sqlite:
      do throws(ModelError) {
        try self.init(try StoreOpening(StoreSnapshot(path), toleratesDamage: true), limits)
      } catch {
        throw ArchiveError(storeError: error)
      }
    case .xml:
      let metadata = try XMLStoreSource.metadata(of: file, limits: limits)
      let counts = try? XMLStoreSource.objectCounts(of: file, limits: limits)
      self.init(.xmlStore, metadata, try Self.entities(metadata, counts, isFolded: true))
    case .binary:
      let metadata = try BinaryStoreSource.metadata(of: file, limits: limits)
      let counts = try? BinaryStoreSource.objectCounts(of: file, limits: limits)
      self.init(.binaryStore, metadata, try Self.entities(metadata, counts, isFolded: false))
    case nil:
      throw ArchiveError(.notAnArchive)
    }
  }

  private init(_ opening: StoreOpening, _ limits: ReadingLimits) throws(ModelError) {
    let (found, tables) = try opening.entities(limits)
    let known = Set(found.map(\.name))
    let others = opening.metadata.versionHashes.keys.filter { !known.contains($0) }
    self.init(.sqliteStore, opening.metadata, found + others.map { Entity(name: $0) })
    leftOut = try opening.remainder(besides: tables)
    notes = opening.notes
  }

  /// The entities that a store has hashes of, and those of its objects.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the store.
  ///   - counts: The number of objects under each name; nil where they cannot be counted.
  ///   - isFolded: True if the names of objects have lost their case.
  /// - Returns: The entities.
  /// - Throws: `ArchiveError` if names of entities differ in case alone.
  private static func entities(
    _ metadata: CoreDataMetadata, _ counts: [String: Int]?, isFolded: Bool
  ) throws(ArchiveError) -> [Entity] {
    var objects = Dictionary(
      uniqueKeysWithValues: metadata.versionHashes.keys.map { ($0, counts == nil ? nil : 0) })
    let names = objects.keys.sorted { $0.precedesInBytes($1) }
    let folded = FoldedNames(names, in: .capital)
    for (name, count) in counts ?? [:] {
      let place = isFolded ? try folded.place(of: name) : nil
      objects[place.map { names[$0] } ?? name] = count
    }
    return objects.map { Entity(name: $0, objects: $1) }
  }
}
