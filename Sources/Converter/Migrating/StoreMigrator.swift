import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import GraphCore
import Importer
import Mappings
import Migration
import Support
import Synchronization

/// The migration of Core Data stores to a version of their model.
///
/// The versions and mapping models are read once, when the first store is planned.
package final class StoreMigrator: Sendable {
  private let modelPaths: [String]
  private let further: MigrationOptions
  private let acceptsDrift: Bool
  private let mapping: MappingFile?
  private let policies: [String: any MigrationPolicy.Type]
  private let limits: ReadingLimits
  private let now: Date
  private let onPolicyProgress: (@Sendable (Double) -> Void)?
  private let verifies: Bool
  private let files = Mutex<Result<Files, StoreMigrationError>?>(nil)
  /// The store that was migrated last: a run opens it several times, and its policies run once.
  private let last = Mutex<Migrated?>(nil)

  /// A mapping file, of which the blocks that stand in for policies are used.
  package struct MappingFile: Sendable {
    /// Its path, for messages at least.
    var path: String
    /// Its text, if it is known already.
    var text: String?

    /// Names a mapping file.
    package init(path: String, text: String? = nil) { (self.path, self.text) = (path, text) }
  }

  /// What is read for all stores.
  private struct Files: Sendable {
    var planner: MigrationPlanner
    var declarations: PolicyDeclarations
  }

  /// A store that has been migrated.
  private struct Migrated: Sendable {
    var path: String
    var identity: FileIdentity?
    var source: any CoreDataSource
    var result: StepResults
  }

  /// The results of the steps of a migration.
  package struct StepResults: Sendable {
    /// The report on the steps.
    var report: MigrationReport
    /// The comparison of each step's store with the one before; nil if none was asked for.
    var verification: VerificationResult?
  }

  /// Prepares a migration; nothing is read yet.
  ///
  /// - Parameters:
  ///   - modelPaths: The version to migrate to, or a folder of versions, whose current one is meant;
  ///     several are merged.
  ///   - further: Further versions, and mapping models.
  ///   - acceptsDrift: Whether mapping models are used for versions that were edited after them.
  ///   - mapping: The mapping file, if there is one.
  ///   - policies: The policies, by the names that mapping models give their classes.
  ///   - limits: How far files are followed.
  ///   - now: The time that `now()` gives.
  ///   - onPolicyProgress: Called with the progress of policies in each step, from 0 to 1.
  ///   - verifies: True if the store of each step is compared with the one before.
  package init(
    to modelPaths: [String], _ further: MigrationOptions, acceptsDrift: Bool = false,
    mapping: MappingFile? = nil, policies: [String: any MigrationPolicy.Type] = [:],
    limits: ReadingLimits = .standard,
    now: Date = Date.now, onPolicyProgress: (@Sendable (Double) -> Void)? = nil,
    verifies: Bool = false
  ) {
    (self.modelPaths, self.further) = (modelPaths, further)
    self.acceptsDrift = acceptsDrift
    self.mapping = mapping
    self.policies = policies
    self.limits = limits
    self.now = now
    self.onPolicyProgress = onPolicyProgress
    self.verifies = verifies
  }

  /// Finds the version that a store is of, and the steps that lead to the target.
  ///
  /// What keeps a step from running is found here, too: nothing has been done then.
  ///
  /// - Parameter path: The path of the store.
  /// - Returns: The version and the steps.
  /// - Throws: `StoreMigrationError`.
  package func plan(
    forStoreAt path: String
  ) throws(StoreMigrationError) -> PlannedStoreMigration {
    let files = try readFiles()
    let planner = files.planner
    let match: ModelMatch
    do throws(ModelError) {
      match = try planner.sourceVersion(ofStoreAt: path, limits: limits)
    } catch {
      throw .model(error)
    }
    let plan: MigrationPlan
    do throws(MigrationPlanError) {
      plan = try planner.plan(from: match.version, acceptsDrift: acceptsDrift)
    } catch {
      throw .plan(error)
    }
    do throws(MappingError) {
      try files.declarations.check(
        plan.steps.flatMap(\.mappingModels), registered: Set(policies.keys))
    } catch {
      throw .mapping(error)
    }
    var failures: [StoreMigrationError.Failure] = []
    for step in plan.steps {
      do throws(MigrationError) {
        try MigrationProgram.check(step, policies: policies, declarations: files.declarations)
      } catch {
        failures.append(StoreMigrationError.Failure(step: "\(step)", error: error))
      }
    }
    return PlannedStoreMigration(
      match: match, target: planner.target, plan: plan, failures: failures)
  }

  /// Opens a store as one of the target version.
  ///
  /// Its policies run now.
  ///
  /// - Parameters:
  ///   - file: The bytes of the store.
  ///   - path: Its path.
  ///   - limits: How far the store is followed.
  ///   - salvages: Whether what can still be read of a damaged store is read.
  /// - Returns: The migrated store; the store itself if it is of the target version already.
  /// - Throws: `ArchiveError` if it cannot be read or migrated.
  func open(
    _ file: ByteStorage, at path: String, limits: ReadingLimits, salvages: Bool
  ) throws(ArchiveError) -> any GraphSource {
    let identity = FileIdentity(path: path)
    if let known = last.withLock({ $0 }), known.path == path, known.identity == identity {
      return known.source
    }
    let planned: PlannedStoreMigration
    let declarations: PolicyDeclarations
    do throws(StoreMigrationError) {
      declarations = try readFiles().declarations
      planned = try plan(forStoreAt: path)
      try planned.check()
    } catch {
      throw ArchiveError(error)
    }
    let opened = try CoreDataStoreKind(planned.match.version)
      .open(file, at: path, limits: limits, salvages: salvages)
    guard var source = opened as? any CoreDataSource else {
      throw ArchiveError(.failedMigration, name: "it is no Core Data store")
    }
    var setting = MigratedSource.Setting(
      policies: policies, path: path, now: now, onPolicyProgress: onPolicyProgress)
    (setting.limits, setting.verifies) = (limits, verifies)
    var results = StepResults(
      report: MigrationReport(
        path: path, source: planned.match.version.name, destination: planned.target.name,
        steps: []))
    for step in planned.plan.steps {
      let migrated: MigratedSource
      do {
        migrated = try MigratedSource(source, running: step, declarations: declarations, setting)
      } catch {
        throw ArchiveError(error, in: step)
      }
      results.report.steps.append(MigrationReport.Step(step, migrated.summary))
      if var found = migrated.verification {
        // The values and links of a verification are those of the store that is left.
        (found.valuesCompared, found.linksCompared) = (0, 0)
        results.verification = results.verification?.adding(found) ?? found
      }
      source = migrated
    }
    let migrated = Migrated(path: path, identity: identity, source: source, result: results)
    last.withLock { $0 = migrated }
    return source
  }

  /// The results for the store that was migrated last; nil if it is another.
  package func results(forStoreAt path: String) -> StepResults? {
    last.withLock { $0?.path == path ? $0?.result : nil }
  }

  /// What tells migrations with other versions or mapping models from this one, wherever the files
  /// are.
  ///
  /// - Returns: A digest in hexadecimal.
  /// - Throws: `StoreMigrationError` if a file cannot be read.
  package func digest() throws(StoreMigrationError) -> String {
    let planner = try readFiles().planner
    let versions = planner.versions.map { $0.source.model.digest() }.sorted()
    let mappingModels = planner.mappingModels.map(\.digest.hexadecimal).sorted()
    return MessageDigest.sha256(
      ofTexts: [planner.target.source.model.digest()] + versions + [""] + mappingModels)
  }

  /// The digests of the versions and of the mapping models, by which the migration can be repeated
  /// when there are more.
  ///
  /// - Throws: `StoreMigrationError` if a file cannot be read.
  package func fileDigests() throws(StoreMigrationError) -> [String] {
    try readFiles().planner.fileDigests
  }

  private func readFiles() throws(StoreMigrationError) -> Files {
    let result = files.withLock { files in
      if let files { return files }
      let result = Result { () throws(StoreMigrationError) in
        Files(planner: try readPlanner(), declarations: try readDeclarations())
      }
      files = result
      return result
    }
    return try result.get()
  }

  private func readPlanner() throws(StoreMigrationError) -> MigrationPlanner {
    do throws(ModelError) {
      let planner = try MigrationPlanner(
        modelPaths: modelPaths, versionPaths: further.versionPaths,
        mappingModelPaths: further.mappingModelPaths, limits: limits)
      return further.recorded.map(planner.restricted) ?? planner
    } catch {
      throw .model(error)
    }
  }

  private func readDeclarations() throws(StoreMigrationError) -> PolicyDeclarations {
    guard let file = mapping else { return PolicyDeclarations() }
    do throws(MappingError) {
      let mapping =
        if let text = file.text {
          try Mapping(yaml: text, path: file.path)
        } else {
          try Mapping(contentsOf: file.path)
        }
      return PolicyDeclarations(mapping, path: file.path)
    } catch {
      throw .mapping(error)
    }
  }
}

extension ArchiveError {
  /// The error that ended a step.
  fileprivate init(_ error: any Error, in step: MigrationStep) {
    switch error {
    case let error as ArchiveError: self = error
    case let error as MigrationError:
      self.init(
        StoreMigrationError.steps([StoreMigrationError.Failure(step: "\(step)", error: error)]))
    default: self.init(.failedMigration, name: ImportError.words(of: error))
    }
  }
}
