import CoreDataStores
import DataModel
import GraphCore

/// What a migration is planned with: the versions of a model, and mapping models.
package struct MigrationPlanner: Sendable {
  /// The version that stores are migrated to.
  package let target: ModelVersion
  /// The versions that the model's files have, the target among them.
  package let versions: [ModelVersion]
  /// The versions that only the mapping models have, and lead from.
  package let embeddedVersions: [ModelVersion]
  /// The mapping models.
  package let mappingModels: [AvailableMappingModel]
  /// What should be a version, and cannot be read.
  package let errors: [ModelError]
  /// The name of all versions together in errors.
  let label: String

  /// Reads the versions and the mapping models.
  ///
  /// - Parameters:
  ///   - modelPaths: The model to migrate to: a version, or a folder of versions, of which the
  ///     current one is meant. Of a version in an `.xcdatamodeld` or `.momd`, the others there are
  ///     read, too. Several are merged.
  ///   - versionPaths: Where else there are versions: see `ModelVersions`.
  ///   - mappingModelPaths: Mapping models, and folders to search for them: see `MappingModelFile`.
  ///   - limits: How far archives are followed.
  /// - Throws: `ModelError` if one cannot be read, or it is not known which version is meant.
  package init(
    modelPaths: [String], versionPaths: [String] = [], mappingModelPaths: [String] = [],
    limits: ReadingLimits = .standard
  ) throws(ModelError) {
    var targets: [ModelVersion] = []
    var lists: [ModelVersions] = []
    for path in modelPaths {
      var list = try ModelVersions(contentsOf: path, limits: limits)
      let target = try list.meantVersion()
      if list.versions.count == 1, let folder = Self.versionFolder(of: target.path) {
        list = try ModelVersions(contentsOf: folder, limits: limits)
      }
      targets.append(target)
      lists.append(list)
    }
    var mappingModels: [AvailableMappingModel] = []
    for path in mappingModelPaths {
      for file in try Self.mappingModels(at: path) {
        mappingModels.append(try AvailableMappingModel(contentsOf: file, limits: limits))
      }
    }
    let isMerged = lists.count > 1
    let labels = lists.map(\.label)
    for path in versionPaths {
      lists.append(try ModelVersions(contentsOf: path, limits: limits))
    }
    let target = try ModelVersion(merging: targets)
    if isMerged { lists = [try ModelVersions(merging: lists, current: target)] }
    self.init(
      target: target,
      versions: lists.flatMap(\.versions).filter { $0.embedding == nil },
      mappingModels: mappingModels, errors: lists.flatMap(\.errors),
      label: labels.joined(separator: " and "))
  }

  /// Plans with what has been read.
  init(
    target: ModelVersion, versions: [ModelVersion], mappingModels: [AvailableMappingModel],
    errors: [ModelError], label: String
  ) {
    (self.target, self.versions) = (target, versions)
    (self.mappingModels, self.errors, self.label) = (mappingModels, errors, label)
    let names = Set(versions.map(\.name))
    embeddedVersions = mappingModels.flatMap(\.embeddedVersions).filter {
      $0.embedding?.role == .source && !names.contains($0.name)
    }
  }

  /// The mapping models that a path leads to.
  private static func mappingModels(at path: String) throws(ModelError) -> [String] {
    guard try ModelFile.isFolder(path) else { return [path] }
    let list = try ModelFileList(path)
    // One that is too far down would be replaced by an inferred step, and nobody would know.
    if let error = list.errors.first(where: { $0.code == .tooDeepFolder }) { throw error }
    guard !list.mappingModels.isEmpty else { throw ModelError(.missingMappingModel, path: path) }
    return list.mappingModels
  }

  /// The folder of versions that a version is in; nil if it stands by itself.
  private static func versionFolder(of path: String) -> String? {
    let endings = [".xcdatamodeld", ".momd"]
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // The file, or the folder that it is in, may be the version.
    for _ in 0..<2 where parts.count > 1 {
      parts.removeLast()
      if let last = parts.last, endings.contains(where: { last.hasSuffix($0) }) {
        return parts.joined(separator: "/")
      }
    }
    return nil
  }

  /// Finds the version that a store is of: among those of the model's files or, if it is of none of
  /// them, among those that the store carries and the mapping models embed.
  ///
  /// - Parameters:
  ///   - store: What the store says of its entities.
  ///   - path: Its path.
  ///   - carried: The versions that the store carries.
  /// - Returns: The version, and what is to be known of the match.
  /// - Throws: `ModelError` with the code `noMatchingVersion` or `ambiguousMatch`.
  package func sourceVersion(
    of store: StoreEntities, at path: String, carried: [ModelVersion] = []
  ) throws(ModelError) -> ModelMatch {
    do throws(ModelError) {
      return try ModelVersions(versions, path: "", label: label, errors: errors).match(
        store, of: path)
    } catch {
      let embedded = mappingModels.flatMap(\.embeddedVersions)
      guard error.code == .noMatchingVersion, !(carried + embedded).isEmpty else { throw error }
      return try ModelVersions(
        versions + carried + embedded, path: "", label: label, errors: errors
      )
      .match(store, of: path)
    }
  }

  /// Finds the version that a store of any kind is of, as above.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - limits: How far its metadata, and the model that it may carry, are read.
  /// - Returns: The version, and what is to be known of the match.
  /// - Throws: `ModelError` if it is no store, or it is not known which version it is of.
  package func sourceVersion(
    ofStoreAt path: String, limits: ReadingLimits = .standard
  ) throws(ModelError) -> ModelMatch {
    let store = try StoreEntities(storeAt: path, limits: limits)
    // Only SQLite stores carry their model, and not all of them.
    let carried =
      ModelFile.isDatabase(path) ? try? ModelVersions(contentsOf: path, limits: limits) : nil
    return try sourceVersion(of: store, at: path, carried: carried?.versions ?? [])
  }

  /// Finds the steps that lead to the target: see `MigrationPlan`.
  ///
  /// - Parameters:
  ///   - source: The version that the store is of.
  ///   - acceptsDrift: Whether mapping models are used for versions that were edited after them.
  /// - Returns: The steps.
  /// - Throws: `MigrationPlanError`.
  package func plan(
    from source: ModelVersion, acceptsDrift: Bool = false
  ) throws(MigrationPlanError) -> MigrationPlan {
    let plan = try MigrationPlan(
      from: source, to: target, versions: versions + embeddedVersions,
      mappingModels: mappingModels, acceptsDrift: acceptsDrift)
    try check(plan, from: source)
    return plan
  }

  /// Refuses to remove the objects of an entity where the version of the store is known from the
  /// store alone: a model may have been forgotten.
  private func check(
    _ plan: MigrationPlan, from source: ModelVersion
  ) throws(MigrationPlanError) {
    guard source.isCarriedByStore, let step = plan.steps.first, step.isInferred,
      !versions.contains(where: { $0.hashes == source.hashes })
    else { return }
    // One that becomes abstract is still there.
    let kept = step.destination.source.model.entities.flatMap { [$0.name, $0.renamingIdentifier] }
    let removed = step.mappingModels.flatMap(\.entityMappings).filter { $0.kind == .remove }
      .compactMap(\.sourceEntityName).filter { !kept.contains($0) }
    guard removed.isEmpty else { throw .forgottenEntities(removed, source: "\(source)") }
  }
}
