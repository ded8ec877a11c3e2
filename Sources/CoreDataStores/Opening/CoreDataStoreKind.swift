import ArchiveReader
import DataModel
import GraphCore
import Support

/// Core Data stores of all kinds, SQLite, XML and binary; and any other SQLite database.
package struct CoreDataStoreKind: SourceKind {
  /// Finds the versions of the given model; nil if none was given.
  private let versions: @Sendable () throws(ModelError) -> ModelVersions?
  /// The names of positions in typedstreams.
  private var positions = PositionRules()
  /// Properties of the columns of databases besides those of their schemas.
  private var hints = ColumnHints()
  /// True for a database that is no source.
  private var isRefused: @Sendable (_ path: String) -> Bool = { _ in false }

  /// Makes the kind for a run.
  ///
  /// - Parameters:
  ///   - modelPaths: The path of a model, or of its versions, or those of several that are merged:
  ///     stores are read by the version that they are of. None for those alone that carry theirs.
  ///   - cache: Keeps the model once it was read.
  ///   - limits: The limits for reading the model.
  ///   - positions: The names of positions in typedstreams.
  ///   - hints: Properties of the columns of databases besides those of their schemas.
  ///   - isRefused: True if the database at a path is no source.
  package init(
    modelPaths: [String] = [], _ cache: ModelVersionsCache = ModelVersionsCache(),
    limits: ReadingLimits = .standard, positions: PositionRules = PositionRules(),
    hints: ColumnHints = ColumnHints(),
    isRefused: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
  ) {
    (self.positions, self.hints, self.isRefused) = (positions, hints, isRefused)
    versions = { () throws(ModelError) in
      modelPaths.isEmpty ? nil : try cache.versions(at: modelPaths, limits)
    }
  }

  /// Makes the kind for stores of one version.
  ///
  /// - Parameter version: The version.
  package init(_ version: ModelVersion) {
    let versions = ModelVersions([version], path: version.path)
    self.versions = { versions }
  }

  package func recognizes(_ head: FileHead) -> Bool {
    CoreDataFileKind(head) != nil
  }

  package func companions(of head: FileHead, at path: String) -> [String] {
    CoreDataFileKind(head)?.companions(at: path) ?? []
  }

  /// The inputs of the run that wrote a store, unless an application may have opened it since: Core
  /// Data puts stores into WAL mode.
  package func origins(of head: FileHead, at path: String) -> [FileOrigin] {
    guard head.isDatabase, !head.isInLogMode, StoreSnapshot.journals(of: path).isEmpty,
      let store = try? CoreDataStore(path), let metadata = try? store.metadata(),
      metadata.conversion != nil
    else { return [] }
    return metadata.archives.map { FileOrigin(path: $0.path, sha256: $0.sha256) }
  }

  package func open(
    _ file: ByteStorage, at path: String?, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) -> any GraphSource {
    switch CoreDataFileKind(file.head) {
    case .xml:
      let metadata = try XMLStoreSource.metadata(of: file, limits: limits)
      let (model, notes) = try model(for: metadata, path) { () throws(ArchiveError) in
        try XMLStoreSource.entities(of: file, limits: limits)
      }
      return try XMLStoreSource(
        file, model: model, notes: notes, limits: limits, salvages: salvages)
    case .binary:
      let metadata = try BinaryStoreSource.metadata(of: file, limits: limits)
      let (model, notes) = try model(for: metadata, path) { .names([], isComplete: false) }
      return try BinaryStoreSource(
        file, model: model, notes: notes, limits: limits, salvages: salvages)
    case .sqlite:
      guard let path else { break }
      do throws(ModelError) {
        return try SQLiteStoreSource(
          path: path, versions: try versions(), limits: limits, salvages: salvages)
      } catch {
        guard error.code == .notAStore else { throw ArchiveError(storeError: error) }
      }
      // The reader of archives says what it is instead.
      if isRefused(path) { break }
      do throws(ModelError) {
        return try DatabaseSource(
          path: path, limits: limits, salvages: salvages, positions: positions,
          hints: hints)
      } catch {
        throw ArchiveError(storeError: error)
      }
    case nil:
      break
    }
    return try KeyedArchiveKind().open(file, at: path, limits: limits, salvages: salvages)
  }

  /// The version of the given model that a store is of, and what is to be known of the choice.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the store.
  ///   - path: The path of the store.
  ///   - entities: The entities of its model, as far as its objects tell, where it has no hashes.
  /// - Returns: The model, and notes for the report.
  /// - Throws: `ArchiveError` if there is no model, or not one version that fits.
  private func model(
    for metadata: CoreDataMetadata, _ path: String?,
    _ entities: () throws(ArchiveError) -> StoreEntities
  ) throws(ArchiveError) -> (ModelSource, [StoreNote]) {
    let versions: ModelVersions
    do throws(ModelError) {
      guard let given = try self.versions() else { throw ModelError(.missingCache) }
      versions = given
    } catch {
      throw ArchiveError(storeError: error)
    }
    // The only version needs no choice: what it does not have is an error where it is read.
    if let only = versions.versions.first, versions.versions.count == 1,
      metadata.versionHashes.isEmpty
    {
      return (only.source, [StoreNote(.unknownModel)])
    }
    let known =
      metadata.versionHashes.isEmpty
      ? try entities() : StoreEntities(metadata, names: [], isComplete: false)
    do throws(ModelError) {
      let match = try versions.match(known, of: path ?? "")
      var notes = match.notes.map { StoreNote(.match, name: $0.description) }
      if let note = StoreNote(ofOtherConfigurations: match.comparison.ofOtherConfigurations) {
        notes.append(note)
      }
      return (match.version.source, notes)
    } catch {
      throw ArchiveError(storeError: error)
    }
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
