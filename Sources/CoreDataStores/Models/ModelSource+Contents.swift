import ArchiveReader
import DataModel
import Foundation

extension ModelSource {
  /// Reads a model; of several versions the current one.
  ///
  /// - Parameters:
  ///   - path: An `.xcdatamodeld` or `.xcdatamodel` folder, the `contents` or `elements` file in
  ///     the latter, an `.momd` folder, a `.mom` file, or a Core Data store that carries its model.
  ///   - limits: The limits for reading the archive that a model may be.
  /// - Throws: An error that names the file, and the entity, property and line where it can.
  public init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) {
    try self.init(ModelFile(path), limits)
  }

  /// Reads models, and merges them: see `init(merging:)`.
  ///
  /// - Parameters:
  ///   - paths: The path of each, as above.
  ///   - limits: The limits for reading the archives that models may be.
  /// - Throws: An error that names the file, and the entity, property and line where it can.
  public init(
    contentsOf paths: [String], limits: ReadingLimits = .standard
  ) throws(ModelError) {
    var sources: [ModelSource] = []
    for path in paths {
      var source = try ModelSource(contentsOf: path, limits: limits)
      if paths.count > 1 { source.model.notes = source.model.notes.map { $0.placed(in: path) } }
      sources.append(source)
    }
    try self.init(merging: sources)
  }

  /// Reads the model in a file.
  init(_ file: ModelFile, _ limits: ReadingLimits) throws(ModelError) {
    do throws(ModelError) {
      switch file.kind {
      case .xml:
        self.init(try XMLReader.model(in: ModelFile.bytes(of: file.path)), in: file.path)
      case .archive:
        let archived = try ArchivedModel(contentsOf: file.path, limits)
        self.init(archived.model, in: file.path)
        if archived.isCompiled { compiledModel = try ModelFile.bytes(of: file.path) }
        if let folder = file.versionFolder {
          versionHashes = try VersionInfo(contentsOf: folder).versionHashes[file.versionName]
        }
      // It embeds two, neither of which is the current one: see `ModelVersions`.
      case .mapping: throw ModelError(.ambiguousVersion)
      case .store:
        let store = try CoreDataStore(file.path)
        guard let bytes = try store.compiledModel() else { throw ModelError(.missingModel) }
        self.init(try ArchivedModel(bytes, limits).model, in: file.path)
        compiledModel = bytes
        let hashes = try store.metadata().versionHashes
        versionHashes = hashes.isEmpty ? nil : hashes
      }
    } catch {
      throw error.placed(in: file.path)
    }
    if let note = file.note { model.notes.append(note) }
  }

  /// Takes hashes and the compiled model from a store of the same model.
  ///
  /// - Parameter path: The path of the store.
  /// - Throws: `ModelError`; with the code `otherTemplate` if the store is of another model.
  public mutating func adopt(template path: String) throws(ModelError) {
    let store = try CoreDataStore(path)
    let hashes = try store.metadata().versionHashes
    let uncertain = Set(model.entitiesWithUncertainHash)
    let differing = model.entitiesThatDiffer(from: hashes)
      .filter { !uncertain.contains($0) || hashes[$0] == nil }
    guard differing.isEmpty else {
      throw ModelError(.otherTemplate, path: path, name: differing.joined(separator: ", "))
    }
    versionHashes = hashes
    compiledModel = try store.compiledModel() ?? compiledModel
  }

  /// The compiled model that a store of the model carries: the one that stands next to it, else one
  /// that is made of it; nil where the form of something in it is not known.
  package func storedModel() -> Data? { compiledModel ?? CompiledModelWriter.bytes(of: model) }
}

extension Model {
  /// Reads a Core Data model.
  ///
  /// Of several versions the current one is read. The entities and their properties are sorted by
  /// name, in the order of their UTF-8 bytes; an entity has only properties of its own, as
  /// inherited ones stay with the topmost entity that has them. Fetched properties, configurations
  /// and fetch requests are left out. Indexes are those that the model has when it is compiled.
  ///
  /// - Parameters:
  ///   - path: An `.xcdatamodeld` or `.xcdatamodel` folder, the `contents` or `elements` file in
  ///     the latter, an `.momd` folder, a `.mom` file, or a Core Data store that carries its model.
  ///   - limits: The limits for reading the archive that a model may be.
  /// - Throws: An error that names the file, and the entity, property and line where it can.
  public init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) {
    self = try ModelSource(contentsOf: path, limits: limits).model
  }
}
