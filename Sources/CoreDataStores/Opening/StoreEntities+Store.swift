import ArchiveReader
import DataModel
import Support

extension StoreEntities {
  /// Reads what a Core Data store of any kind says of its entities.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - limits: The limits for reading its metadata, and the objects of an XML store without
  ///     hashes.
  /// - Throws: `ModelError` if it is no Core Data store, or what is read of it is damaged.
  package init(
    storeAt path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) {
    guard !ModelFile.isDatabase(path) else {
      self = try CoreDataStore(path).entities()
      return
    }
    let file = try Self.reading(path, .unreadable) { () throws(ArchiveError) in
      try ByteStorage(contentsOf: path)
    }
    let kind = CoreDataFileKind(file.head)
    let metadata = try Self.reading(path, .damagedMetadata) { () throws(ArchiveError) in
      switch kind {
      case .xml: try XMLStoreSource.metadata(of: file, limits: limits)
      case .binary: try BinaryStoreSource.metadata(of: file, limits: limits)
      case .sqlite, nil: CoreDataMetadata?.none
      }
    }
    guard let metadata else {
      throw ModelError(.notAStore, path: path, name: "it has the form of none")
    }
    guard kind != .xml || !metadata.versionHashes.isEmpty else {
      self = try Self.reading(path, .unreadable) { () throws(ArchiveError) in
        try XMLStoreSource.entities(of: file, limits: limits)
      }
      return
    }
    self.init(metadata, names: [], isComplete: false)
  }

  private static func reading<Result>(
    _ path: String, _ code: ModelError.Code, _ read: () throws(ArchiveError) -> Result
  ) throws(ModelError) -> Result {
    do throws(ArchiveError) {
      return try read()
    } catch {
      let reason = error.code == .unreadable ? error.name : nil
      throw ModelError(code, path: path, name: reason ?? "\(error)")
    }
  }
}
