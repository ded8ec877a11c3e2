import ArchiveReader
import DataModel
import GraphCore
import Synchronization

/// Core Data stores of all kinds: SQLite, XML and binary.
package struct CoreDataStoreKind: SourceKind {
  private let versions: GivenVersions
  private let limits: ReadingLimits

  /// Makes the kind for a run.
  ///
  /// - Parameters:
  ///   - modelPath: The path of a model, or of its versions: stores are read by the one that they are
  ///     of. Nil for those alone that carry their model.
  ///   - limits: How far the model is read.
  package init(modelPath: String? = nil, limits: ReadingLimits = .standard) {
    versions = GivenVersions(modelPath, limits)
    self.limits = limits
  }

  package func recognizes(_ head: UnsafeRawBufferPointer) -> Bool { CoreDataFileKind(head) != nil }

  package func open(
    _ file: ByteStorage, at path: String?, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) -> any GraphSource {
    switch CoreDataFileKind(file.bytes) {
    case .xml:
      let metadata = try XMLStoreSource.metadata(of: file, limits: limits)
      return try XMLStoreSource(
        file, model: try model(for: metadata, path), limits: limits, salvages: salvages)
    case .binary:
      let metadata = try BinaryStoreSource.metadata(of: file, limits: limits)
      return try BinaryStoreSource(
        file, model: try model(for: metadata, path), limits: limits, salvages: salvages)
    case .sqlite:
      guard let path else { break }
      do throws(ModelError) {
        return try SQLiteStoreSource(
          path: path, versions: try versions.read(), limits: limits, salvages: salvages)
      } catch {
        // Nothing tells that it is Core Data's: the reader of archives says what else it is.
        if error.code == .notAStore || error.code == .unreadable { break }
        throw ArchiveError(storeError: error)
      }
    case nil:
      break
    }
    return try KeyedArchiveKind().open(file, at: path, limits: limits, salvages: salvages)
  }

  /// The version of the given model that a store is of, by what it says of itself.
  private func model(
    for metadata: CoreDataMetadata, _ path: String?
  ) throws(ArchiveError) -> ModelSource {
    do throws(ModelError) {
      guard let versions = try versions.read() else {
        throw ModelError(.missingCache)
      }
      let entities = StoreEntities(metadata, names: [], isComplete: false)
      return try versions.match(entities, of: path ?? "").version.source
    } catch {
      throw ArchiveError(storeError: error)
    }
  }
}

/// The versions of a model at a path, read once when somebody asks for them.
private final class GivenVersions: Sendable {
  private let path: String?
  private let limits: ReadingLimits
  private let found = Mutex<Result<ModelVersions, ModelError>?>(nil)

  init(_ path: String?, _ limits: ReadingLimits) {
    (self.path, self.limits) = (path, limits)
  }

  /// The versions; nil if no model was given.
  func read() throws(ModelError) -> ModelVersions? {
    guard let path else { return nil }
    let result = found.withLock { found in
      if let found { return found }
      let result = Result { () throws(ModelError) in
        try ModelVersions(contentsOf: path, limits: limits)
      }
      found = result
      return result
    }
    return try result.get()
  }
}

extension ArchiveError {
  /// The error of a store that was opened as a source, whose path stands before it elsewhere.
  init(storeError error: ModelError) {
    var error = error
    error.path = ""
    self.init(.unreadableStore, name: "\(error)")
  }
}
