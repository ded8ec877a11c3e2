import ArchiveReader
import CoreDataStores
import DataModel
import Foundation
import Importer
import Mappings
import Migration
import Stores
import Support
import Verification

/// A Core Data store that a step of a migration has made of another: a temporary one.
///
/// Beside its objects, it says of itself what the old store says.
package final class MigratedSource: CoreDataSource {
  package let modelSource: ModelSource
  package let metadata: CoreDataMetadata
  /// The result of the migration.
  package let summary: MigrationSummary
  /// The result of the comparison with the old store, if that was asked for.
  package let verification: VerificationResult?
  /// The store that the first step was given.
  private let oldSource: any CoreDataSource
  private let source: SQLiteStoreSource
  /// The folder of its file, which is gone with it.
  private let folder: PrivateFolder

  /// The conditions of a run, beside the mapping models.
  package struct Setting {
    /// The policies, by the names that mapping models give their classes; the name of a module may
    /// be left out.
    package var policies: [String: any MigrationPolicy.Type] = [:]
    /// The path of the store, as policies see it.
    package var path = ""
    /// The limits of the store.
    package var limits = ReadingLimits.standard
    /// The time that `now()` gives.
    package var now = Date()
    /// Called with the progress of policies, from 0 to 1.
    package var onPolicyProgress: ((Double) -> Void)?
    /// True if each new store is compared with the old one.
    package var verifies = false

    package init(
      policies: [String: any MigrationPolicy.Type] = [:], path: String = "", now: Date = Date(),
      onPolicyProgress: ((Double) -> Void)? = nil
    ) {
      (self.policies, self.path, self.now) = (policies, path, now)
      self.onPolicyProgress = onPolicyProgress
    }
  }

  /// Migrates a store by a mapping model.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - mappingModel: How objects become those of the new model.
  ///   - destination: The new model.
  ///   - declarations: What stands in for policies, of a mapping file.
  ///   - setting: What else it is run with.
  /// - Throws: `MigrationError`; `ArchiveError` if the store cannot be read, or an object not made.
  package convenience init(
    _ source: any CoreDataSource, by mappingModel: MappingModel, to destination: ModelSource,
    declarations: PolicyDeclarations = PolicyDeclarations(), _ setting: Setting = Setting()
  ) throws {
    let program = try MigrationProgram(
      [mappingModel], from: source.modelSource.model, to: destination.model,
      declarations: declarations)
    try self.init(source, program, to: destination, setting)
  }

  /// Migrates a store by a step of a plan.
  ///
  /// If a version of the model was edited after the mapping model of the step was made, what
  /// concerns entities and properties that are no longer there is left out: see
  /// `MigrationSummary.omissions`.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - step: The step, which leads from the version that the store is of.
  ///   - declarations: What stands in for policies.
  ///   - setting: What else it is run with.
  /// - Throws: `MigrationError`, also if the objects are not as an inferred step needs them;
  ///   `ArchiveError` as above.
  package convenience init(
    _ source: any CoreDataSource, running step: MigrationStep,
    declarations: PolicyDeclarations = PolicyDeclarations(), _ setting: Setting = Setting()
  ) throws {
    let program = try MigrationProgram(
      step, from: source.modelSource.model, declarations: declarations)
    try self.init(source, program, to: step.destination.source, setting)
  }

  private init(
    _ source: any CoreDataSource, _ program: MigrationProgram, to destination: ModelSource,
    _ setting: Setting
  ) throws {
    let policies = try program.policyMakers(setting.policies)
    let step = MappedStep(program, policies)
    folder = try PrivateFolder()
    let run = try StepRun(source, step, to: destination, in: folder, setting) {
      try program.checkConditions($0)
    }
    var summary = MigrationSummary(program)
    summary.note(run.outcome, program, policies)
    try summary.countLosses(
      program, run.outcome, source.makeGraph(GraphOptions(limits: setting.limits)))
    self.summary = summary
    modelSource = destination
    let store: SQLiteStoreSource
    do throws(ModelError) {
      store = try SQLiteStoreSource(path: run.path, model: run.model, isTemporary: true)
    } catch {
      throw ArchiveError(.failedMigration, name: "\(error)")
    }
    self.source = store
    verification =
      try setting.verifies
      ? StepComparison(
        program, from: source, to: store, run.outcome, path: setting.path, limits: setting.limits,
        now: setting.now, archive: step.traits.archive
      ).compare() : nil
    // The store of a step before this one is not needed any more.
    oldSource = (source as? MigratedSource)?.oldSource ?? source
    var metadata = CoreDataMetadata(of: destination)
    metadata.adoptIdentity(of: source.metadata)
    // An identifier that is no UUID stays one, for whoever makes a store of this one.
    metadata.uuid = source.metadata.uuid
    self.metadata = metadata
  }
}

extension MigratedSource {
  package var format: SourceFormat { oldSource.format }
  package var archiver: String { oldSource.archiver }
  package var version: Int64 { oldSource.version }
  package var byteCount: Int { oldSource.byteCount }
  package var residentBytes: Int { oldSource.residentBytes + source.residentBytes }
  package var ownObjectCount: Int { source.ownObjectCount }
  package var objectCount: Int { source.objectCount }
  package var valueCount: Int { source.valueCount }
  package var roots: [GraphRoot] { [] }
  package var holdsEveryObject: Bool { true }
  package var keepsBytes: Bool { false }
  package var forbiddenCharacters: Int { oldSource.forbiddenCharacters }
  package var losses: [ArchiveError] { oldSource.losses }
  package var lossCount: Int { oldSource.lossCount }
  package var unreadKeys: [UnreadKey: Int] { oldSource.unreadKeys }
  package var leftOut: [StoreRemainder] { oldSource.leftOut }
  package var notes: [StoreNote] { oldSource.notes }

  package func check() throws(ArchiveError) { try oldSource.check() }
  package func explained(_ error: ArchiveError) -> ArchiveError { oldSource.explained(error) }
  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph { source.makeGraph(options) }
  package func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)? {
    source.storeKey(ofObject: uid)
  }
  package func makeKeyLookup() -> (_ entity: String, _ key: Int64) -> Int? {
    source.makeKeyLookup()
  }
}
