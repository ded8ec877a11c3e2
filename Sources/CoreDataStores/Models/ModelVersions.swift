import ArchiveReader
import DataModel
import Foundation
import Support
import Synchronization

/// The versions of a Core Data model, in whatever form there are.
///
/// Which of them a store is of, `match` tells.
public struct ModelVersions: Sendable {
  /// The path that the versions were read from.
  public let path: String
  /// The versions, in the order of their folders, and by name in each.
  public let versions: [ModelVersion]
  /// The errors of files that should be versions, or tell of versions, and cannot be read.
  public let errors: [ModelError]
  /// Why the current version of a model is not among them.
  private let currentError: ModelError?
  /// The name of all versions together in errors.
  package let label: String

  /// The greatest number of versions that a merged model has.
  private static let maxMerged = 1_000

  /// The current version; nil where none is known to be, or there are several models.
  public var current: ModelVersion? {
    let current = versions.filter(\.isCurrent)
    return current.count == 1 ? current.first : nil
  }

  /// Makes a list of versions.
  public init(_ versions: [ModelVersion], path: String = "") {
    self.init(versions, path: path, errors: [])
  }

  /// Makes a list of versions, with the errors of those that are not in it.
  package init(
    _ versions: [ModelVersion], path: String, label: String? = nil, errors: [ModelError],
    currentError: ModelError? = nil
  ) {
    (self.path, self.versions, self.errors) = (path, versions, errors)
    self.currentError = currentError
    // The file in an `.xcdatamodel` has the same name in all of them.
    let folder = path.split(separator: "/").last { !["contents", "elements"].contains($0) }
    self.label = label ?? folder.map(String.init) ?? "the model"
  }

  /// The versions of a model that is merged from several.
  ///
  /// A store may be of any version of each, and have been made before one of the models was there:
  /// all combinations are versions, but for those that declare an entity differently.
  ///
  /// - Parameters:
  ///   - lists: The versions of each model.
  ///   - current: The current version, merged; nil if none is.
  /// - Throws: `ModelError` if there are too many combinations.
  package init(
    merging lists: [ModelVersions], current: ModelVersion? = nil
  ) throws(ModelError) {
    if let only = lists.first, lists.count == 1 {
      self = only
      return
    }
    var combinations: [[ModelVersion]] = [[]]
    for list in lists {
      let versions = list.versions.filter { $0.embedding == nil }
      combinations += combinations.flatMap { known in versions.map { known + [$0] } }
      guard combinations.count <= Self.maxMerged else {
        throw ModelError(.tooMany, path: list.path, name: "combinations of versions")
      }
    }
    var merged = [current].compactMap(\.self)
    var known = Set(merged.map(\.hashes))
    for combination in combinations where !combination.isEmpty {
      guard var version = try? ModelVersion(merging: combination) else { continue }
      version.isCurrent = false
      if known.insert(version.hashes).inserted { merged.append(version) }
    }
    self.init(
      merged, path: lists.map(\.path).joined(separator: ", "),
      label: lists.map(\.label).joined(separator: " and "), errors: lists.flatMap(\.errors))
  }

  /// Reads all versions of a model that is merged from several: of each, the version that is meant
  /// is part of the current one.
  ///
  /// - Parameters:
  ///   - paths: The path of each model, as above.
  ///   - limits: The limits for reading the archives that models may be.
  /// - Throws: `ModelError` if one cannot be read.
  public init(
    contentsOf paths: [String], limits: ReadingLimits = .standard
  ) throws(ModelError) {
    var lists: [ModelVersions] = []
    for path in paths { lists.append(try ModelVersions(contentsOf: path, limits: limits)) }
    var current: ModelVersion?
    if lists.count > 1 {
      current = try ModelVersion(
        merging: lists.map { (list) throws(ModelError) in
          try list.meantVersion()
        })
      current?.isCurrent = true
    }
    try self.init(merging: lists, current: current)
  }

  /// The version that is meant where one has to be: the current one, or the only one there is.
  ///
  /// - Throws: `ModelError` if it cannot be read, or it is not known which version it is.
  package func meantVersion() throws(ModelError) -> ModelVersion {
    if let currentError { throw currentError }
    let candidates = versions.filter { $0.embedding == nil }
    if candidates.count == 1 { return candidates[0] }
    if let current { return current }
    let several = candidates.filter(\.isCurrent).map(\.name)
    guard several.isEmpty else {
      throw ModelError(.severalModels, path: path, name: ModelFile.list(several))
    }
    throw ModelError(candidates.isEmpty ? .missingModel : .ambiguousVersion, path: path)
  }

  /// Reads all versions that a path leads to.
  ///
  /// - Parameters:
  ///   - path: An `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.xcmappingmodel` folder, a file in
  ///     one of them, a Core Data store that carries its model, or a folder with any of these; a
  ///     folder is searched for models and mapping models, not for stores.
  ///   - limits: The limits for reading the archive that a model may be.
  /// - Throws: `ModelError` if not one version can be read.
  public init(
    contentsOf path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) {
    let list = try ModelFileList(path)
    var versions: [ModelVersion] = []
    var errors = list.errors
    var currentError = list.currentError
    for listed in list.versions {
      do throws(ModelError) {
        guard listed.file.kind == .mapping else {
          var version = ModelVersion(
            name: listed.file.versionName, path: listed.file.path,
            source: try ModelSource(listed.file, limits), isCurrent: listed.isCurrent)
          version.isCarriedByStore = listed.file.kind == .store
          versions.append(version)
          continue
        }
        for embedded in try EmbeddedModel.models(in: ModelFile.bytes(of: listed.file.path)) {
          do throws(ModelError) {
            versions.append(try ModelVersion(embedded, in: listed.file, limits))
          } catch {
            errors.append(error.placed(in: listed.file.path))
          }
        }
      } catch {
        let error = error.placed(in: listed.file.path)
        errors.append(error)
        if listed.isCurrent, currentError == nil { currentError = error }
      }
    }
    guard !versions.isEmpty else {
      throw currentError ?? errors.first ?? ModelError(.missingModel, path: path)
    }
    self.init(versions, path: path, errors: errors, currentError: currentError)
  }
}

extension ModelVersion {
  /// Reads a model that a mapping model embeds.
  fileprivate init(
    _ embedded: EmbeddedModel, in file: ModelFile, _ limits: ReadingLimits
  ) throws(ModelError) {
    let role = embedded.role
    guard let archive = embedded.archive else {
      throw ModelError(.badValue, name: "\(role.rawValue)modeldata")
    }
    var source = ModelSource(try ArchivedModel(archive, limits).model, in: file.path)
    source.model.notes = source.model.notes.map { $0.placed(in: file.path) }
    self.init(
      name: embedded.name ?? file.versionName, path: file.path, source: source)
    embedding = Embedding(mapping: file.versionName, role: role)
  }
}

/// Reads the versions of models at most once, for the many stores that are opened with them.
package final class ModelVersionsCache: Sendable {
  private let results = Mutex<[[String]: Result<ModelVersions, ModelError>]>([:])

  package init() {}

  /// The versions at the paths of one model, or of several that are merged: see `ModelVersions.init(contentsOf:limits:)`.
  ///
  /// - Throws: `ModelError`, the same each time.
  package func versions(
    at paths: [String], _ limits: ReadingLimits
  ) throws(ModelError) -> ModelVersions {
    let result = results.withLock { results in
      if let known = results[paths] { return known }
      let result = Result { () throws(ModelError) in
        try ModelVersions(contentsOf: paths, limits: limits)
      }
      results[paths] = result
      return result
    }
    return try result.get()
  }
}

/// A version of a Core Data model.
public struct ModelVersion: Sendable {
  /// The name of the version: of its file or folder, without the ending.
  public var name: String
  /// The path of the file that it was read from.
  public var path: String
  /// The model, with the hashes and the compiled form that stand next to it.
  public var source: ModelSource
  /// True if its folder of versions names it as the current one, or it is the only one there.
  public var isCurrent: Bool
  /// True if a store carries the version: the hashes beside it are those of the store's rows, and
  /// need not be those of the model, which is that of the program that wrote last.
  package internal(set) var isCarriedByStore = false
  /// The mapping model that embeds it, and on which side; nil for a version in a file of its own.
  package var embedding: Embedding?

  /// The place of a version that is embedded in a mapping model.
  package struct Embedding: Sendable, Hashable {
    /// The name of the mapping model.
    package var mapping: String
    /// The role of the version in the mapping model.
    package var role: EmbeddedModel.Role

    package init(mapping: String, role: EmbeddedModel.Role) {
      self.mapping = mapping
      self.role = role
    }
  }

  /// Creates a version.
  public init(name: String, path: String, source: ModelSource, isCurrent: Bool = false) {
    self.name = name
    self.path = path
    self.source = source
    self.isCurrent = isCurrent
  }
}

extension ModelVersion {
  /// Merges versions of several models into one of the model that these make up.
  ///
  /// - Parameter versions: The versions, one at least.
  /// - Throws: `ModelError` if they declare an entity differently.
  package init(merging versions: [ModelVersion]) throws(ModelError) {
    if let only = versions.first, versions.count == 1 {
      self = only
      return
    }
    self.init(
      name: versions.map(\.name).joined(separator: " + "), path: versions.first?.path ?? "",
      source: try ModelSource(
        merging: versions.map { version in
          var source = version.source
          if version.isCarriedByStore { source.versionHashes = nil }
          return source
        }))
  }

  /// The hashes of its entities: those that Core Data computed, else those computed from the model.
  package var hashes: [String: Data] {
    isCarriedByStore ? source.model.versionHashes() : source.hashes()
  }

  /// The names of the entities whose hash in `hashes` may differ from the one of Core Data, sorted.
  package var uncertainHashes: [String] {
    isCarriedByStore ? source.model.entitiesWithUncertainHash : source.uncertainHashes
  }
}

extension ModelVersion: CustomStringConvertible {
  /// The name in quotes, with the mapping model that embeds the version.
  public var description: String {
    guard let embedding else { return "'\(name)'" }
    return "'\(name)' (the \(embedding.role.rawValue) of '\(embedding.mapping)')"
  }

  /// The name next to another version: with the path if both have one name; nil if it is that
  /// version, read from the same file.
  func name(beside other: ModelVersion) -> String? {
    guard description == other.description else { return description }
    let file = FileIdentity(path: path)
    guard path != other.path, file == nil || file != FileIdentity(path: other.path) else {
      return nil
    }
    return "\(description) (\(path))"
  }
}
