import ArchiveReader
import DataModel
import Foundation

/// A Core Data model with what stands next to it in the file or folder that it was read from.
public struct ModelSource: Sendable {
  /// The model.
  public var model: Model
  /// The path of the file that it was read from; nil for a model that a program made, or that the
  /// store carries that is read by it.
  public private(set) var path: String?
  /// The bytes of the compiled model, where it is one: the content of a `.mom` file.
  public var compiledModel: Data?
  /// The version hashes that stand next to it: in `VersionInfo.plist`, or in the store.
  public var versionHashes: [String: Data]?

  /// Makes a source of a model without anything beside it.
  public init(_ model: Model) {
    self.model = model
  }

  /// Reads a model; of several versions the current one.
  ///
  /// - Parameters:
  ///   - path: An `.xcdatamodeld` or `.xcdatamodel` folder, the `contents` or `elements` file in
  ///     the latter, an `.momd` folder, a `.mom` file, or a Core Data store that carries its model.
  ///   - limits: How far the archive that a model may be is read.
  /// - Throws: An error that names the file, and the entity, property and line where it can.
  public init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) {
    try self.init(ModelFile(path), limits)
  }

  /// Reads the model in a file.
  init(_ file: ModelFile, _ limits: ReadingLimits) throws(ModelError) {
    do throws(ModelError) {
      switch file.kind {
      case .xml: model = try XMLModelReader.model(in: ModelFile.bytes(of: file.path))
      case .archive:
        let archived = try ArchivedModel(contentsOf: file.path, limits)
        model = archived.model
        if archived.isCompiled { compiledModel = try ModelFile.bytes(of: file.path) }
        if let folder = file.versionFolder {
          versionHashes = try VersionInfo(contentsOf: folder).versionHashes[file.versionName]
        }
      // It embeds two, neither of which is the current one: see `ModelVersions`.
      case .mapping: throw ModelError(.ambiguousVersion)
      case .store:
        let store = try CoreDataStore(file.path)
        guard let bytes = try store.compiledModel() else { throw ModelError(.missingModel) }
        model = try ArchivedModel(bytes, limits).model
        compiledModel = bytes
        versionHashes = try store.metadata().versionHashes
      }
    } catch {
      throw error.placed(in: file.path)
    }
    path = file.path
  }

  /// Makes a source of a model that is part of the file at a path.
  init(_ model: Model, in path: String) {
    (self.model, self.path) = (model, path)
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

  /// The hashes of the entities: those that stand next to the model, else those computed from it.
  public func hashes() -> [String: Data] {
    let known = versionHashes ?? [:]
    return Dictionary(
      uniqueKeysWithValues: model.versionHashes().map { ($0, known[$0] ?? $1) })
  }

  /// The names of the entities whose hash may differ from the one of Core Data, sorted.
  ///
  /// None is among them whose hash stands next to the model.
  public var uncertainHashes: [String] {
    model.entitiesWithUncertainHash.filter { versionHashes?[$0] == nil }
  }

  /// The names of the entities whose computed hash is not the one that stands next to the model.
  public var differingHashes: [String] {
    guard let versionHashes else { return [] }
    let uncertain = Set(model.entitiesWithUncertainHash)
    return model.entitiesThatDiffer(from: versionHashes).filter { !uncertain.contains($0) }
  }
}
