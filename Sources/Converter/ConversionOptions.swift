import ArchiveReader
import CoreDataStores
import Foundation
import Mappings
import Migration
import Stores
import Support

/// How archives are converted.
public struct ConversionOptions: Sendable {
  /// What happens to an archive that cannot be read.
  public enum ErrorPolicy: String, Sendable, CaseIterable {
    /// The run ends, and nothing is written.
    case stop
    /// The archive is left out whole and reported.
    case skip
  }

  /// What happens if something is at the destination already.
  public enum ExistingStore: String, Sendable, CaseIterable {
    /// The run ends, and nothing is written.
    case fail
    /// The new store takes the place of the old file.
    case replace
    /// What is new is added to the store: see Documentation/layouts.md for what counts as new.
    case append
  }

  /// What becomes of dictionaries with text keys.
  public enum DictionaryForm: String, Sendable, CaseIterable {
    /// Those whose keys are fields become rows of an entity, the others pairs.
    case automatic = "auto"
    /// All become rows of entities.
    case records
    /// All become pairs of keys and values.
    case pairs
  }

  /// Which files of directories are looked at.
  public var filter = FileFilter()
  /// What happens to an archive that cannot be read.
  ///
  /// Where nothing is set, a run over files stops, and one over a directory skips.
  public var errorPolicy: ErrorPolicy?
  /// Whether what can still be read of damaged archives is converted.
  public var salvages = false
  /// True if errors of archives that end too early say that an option of the command line may
  /// help.
  package var offersSalvage = false
  /// Whether archives and other property lists that data values hold are converted, too.
  public var opensNested = false
  /// The steps to archives in files, and in data values that are opened, that do not begin as one.
  public var unwrapSteps: [UnwrapStep] = []
  /// The steps of other runs of a store, whose archives are found as well.
  var otherUnwrapSteps: [[UnwrapStep]] = []
  /// The kinds of source that inputs may be.
  ///
  /// Nil for all that there are.
  package var sourceKinds: [any SourceKind]?
  /// The form of the store.
  public var layout = StoreLayout.relational
  /// What happens if something is at the destination already.
  public var existingStore = ExistingStore.fail
  /// A prefix of class names that entities do without.
  public var stripPrefix: String?
  /// True if the store gets a table for full-text search.
  ///
  /// A store that has one keeps it when archives are added.
  public var isSearchable = false
  /// Whether tables and columns get plain names: see Documentation/layouts.md.
  public var plainNames = false
  /// The names of classes whose objects are seen through, if they hold one thing and no more: see
  /// Documentation/layouts.md.
  public var seeThrough: [String] = []
  /// Those that the mapping names.
  var mappedSeeThrough: [String] = []
  /// The names that the mapping gives to positions in typedstreams.
  var positions = PositionRules()
  /// The foreign keys and texts of databases that the mapping names.
  var columnHints = ColumnHints()
  /// Globs of the columns of databases in which archives are looked for, as `TABLE.COLUMN`.
  ///
  /// None for all. Other columns keep their data.
  public var archiveColumns: [String] = []
  /// Globs of the columns of databases that are converted, as `TABLE.COLUMN`.
  ///
  /// None for all. `archiveColumns` and primary keys are converted as well.
  public var carriedColumns: [String] = []
  /// Whether the store records which object each row was.
  public var recordsProvenance = false
  /// True if the store keeps the archives themselves, so that they can be exported from it.
  public var isReversible = false
  /// Whether the store is compared with the archives before it takes its name.
  ///
  /// One that differs from them takes none.
  public var verifies = false
  /// Whether to do everything but keep the store.
  public var isDryRun = false
  /// Files that the caller is going to write: they must be neither an input nor the store, and one
  /// that is there must be of this program, unless `existingStore` says that it is replaced.
  public var furtherOutputs: [String] = []
  /// The Core Data model whose entities the rows belong to, or several that are merged; none to go
  /// by the archives.
  public var modelPaths: [String] = []
  /// The digest of the version that is meant, of several at `modelPaths`; nil for the current one.
  var modelDigest: String?
  /// What a migration may use: the inputs are Core Data stores of other versions of the model, and
  /// become stores of the version at `modelPaths`; nil if stores are converted as they are.
  public var migration: MigrationOptions?
  /// What becomes of dictionaries with text keys; nil for `automatic` if nothing else steers the
  /// conversion, and `pairs`, but for what the mapping names, with a model, a mapping or hooks.
  public var dictionaries: DictionaryForm?
  /// Which dictionaries are records, as far as that is known; nil where none can be.
  var recordRules: RecordRules?
  /// Whether that is found out; else it is what a store remembers.
  var decidesRecords = true
  /// A Core Data store of the same model, from which the version hashes and the compiled model are
  /// taken for a store in that layout.
  public var templatePath: String?
  /// The paths of the model that stores are read by which do not carry theirs, where the mapping
  /// names it.
  var sourceModelPaths: [String] = []
  /// The versions of the models at these paths, once somebody has asked for them.
  var modelVersions = ModelVersionsCache()
  /// The migration of all inputs, once it has been made ready.
  private var storeMigrator: StoreMigrator?
  /// The model itself, instead of one at a path; its entities must not inherit in a circle.
  public var model: Model?
  /// The mapping file; nil if there is none.
  public var mappingPath: String?
  /// The mapping of a preset, in place of a file.
  public var preset: Preset?
  /// Whether a mapping is used though it was made for another version of the model.
  public var acceptsModelDrift = false
  /// Whether the passes that were complete are kept where a later one fails.
  public var keepsCompletePasses = false
  /// Hooks and policies in Swift.
  public var extensions = ImportExtensions()
  /// Called with the progress of policies, from 0 to 1.
  public var onPolicyProgress: (@Sendable (Double) -> Void)?
  /// Called with how far the run has come: when an archive is begun or done, and within large ones
  /// every so many objects.
  ///
  /// One call comes after the other, but on any thread; a call holds the work up until it returns.
  public var onProgress: (@Sendable (ConversionProgress) -> Void)?
  /// How many archives are read at the same time, and how many threads compare a large table.
  ///
  /// What is written, and what is found, does not depend on it.
  public var jobs = min(WorkerThread.processorCount, 64)
  /// Whether to go on with what a run that was ended has left, if there is something.
  public var resumes = false
  /// How much time goes by, at least, before what is done is kept again.
  package var checkpointInterval = Duration.seconds(1)
  /// Called when what is done has been kept, with the number of archives: for tests.
  package var onCheckpoint: (@Sendable (Int) -> Void)?
  /// Whether rows are made one by one even where they could be written straight from the archive:
  /// for tests, which compare the two ways.
  package var avoidsPlainRows = false
  /// When rows are written before the profile is complete: tests let small archives take that way.
  package var speculation = SpeculationThresholds()
  /// The time that expressions see; nil for the time of the run.
  var now: Date?
  /// The time that archives are said to be converted at; nil for that of the clock.
  public var convertedAt: Date?
  /// The shard that the inputs are, of a run that is divided; nil for a whole run.
  public var part: Part?
  /// How many passes are run at most; nil for all.
  var passLimit: Int?
  /// The text of the mapping, instead of a file: as a store remembers it.
  var mappingText: String?
  /// Takes the entries of the report's lists that are too many for memory, for a full report; nil
  /// if they are only counted.
  package var spill: EntrySpill?
  /// How far hostile files are followed.
  public var limits = ReadingLimits.standard

  /// Creates options with their defaults.
  public init() {}
}

extension ConversionOptions {
  /// A shard of a run that is divided, and the plan of all.
  public struct Part: Sendable {
    /// The number of the shard, and of all.
    public var shard: Shard
    /// The path of the plan, which has the options that say what becomes of archives.
    public var planPath: String

    /// Names a shard and the plan of all.
    public init(shard: Shard, planPath: String) {
      (self.shard, self.planPath) = (shard, planPath)
    }
  }
}

extension ConversionOptions {
  /// The only Core Data model: see `modelPaths`.
  public var modelPath: String? {
    get { modelPaths.first }
    set { modelPaths = newValue.map { [$0] } ?? [] }
  }

  /// The paths of the model: those given, else those that the mapping names.
  private var readModelPaths: [String] { modelPaths.isEmpty ? sourceModelPaths : modelPaths }

  /// How entities and properties are named.
  var nameRules: NameRules { NameRules(stripPrefix: stripPrefix, isPlain: plainNames) }

  /// What opens the inputs.
  package var sourceOpener: SourceOpener {
    SourceOpener(
      kinds: sourceKinds ?? standardKinds, limits: limits, salvages: salvages,
      offersSalvage: offersSalvage, records: recordRules ?? RecordRules(),
      wrapperClasses: wrapperClasses, opensNested: opensNested,
      unwrapWays: ([unwrapSteps] + otherUnwrapSteps).filter { !$0.isEmpty }, positions: positions)
  }

  /// The names of all classes whose objects are seen through.
  var wrapperClasses: Set<String> { Set(seeThrough + mappedSeeThrough) }

  /// The paths of what is read besides the inputs: the mapping, the models and the template.
  var definitionPaths: [String] {
    let paths = [mappingPath, templatePath].compactMap(\.self) + modelPaths + sourceModelPaths
    return paths + (migration.map { $0.versionPaths + $0.mappingModelPaths } ?? [])
  }

  /// Refuses files that the caller is going to write where others are.
  func checkFurtherOutputs() throws(ConversionError) {
    guard existingStore != .replace else { return }
    for path in furtherOutputs where !OwnOutput.mayReplace(path) {
      throw .unwritable(
        path: path, reason: "\(OwnOutput.refusal) (use --if-exists replace to overwrite it)")
    }
  }

  /// What is known of the dictionaries of a source, if it is asked for.
  func recordEvidence(in source: any GraphSource) -> RecordEvidence {
    decidesRecords && recordRules != nil
      ? source.recordEvidence(GraphOptions(limits: limits)) : RecordEvidence()
  }

  /// The properties of the columns of databases, as the mapping and the options give them.
  var databaseHints: ColumnHints {
    var hints = columnHints
    (hints.archives, hints.carried) = (archiveColumns, carriedColumns)
    return hints
  }

  private var standardKinds: [any SourceKind] {
    let migrated = makeMigration().map { MigratedStoreKind($0) }
    guard migration == nil else { return migrated.map { [$0] } ?? [] }
    // An export makes keyed archives.
    guard !isReversible else { return [KeyedArchiveKind(positions: positions)] }
    return [
      CoreDataStoreKind(
        modelPaths: readModelPaths, modelVersions, limits: limits, positions: positions,
        hints: databaseHints, isRefused: RelationalLayout.isStore),
      KeyedArchiveKind(positions: positions),
    ]
  }

  /// Makes ready for a run: what it reads of the migration is read once, and policies run once.
  ///
  /// - Parameter configuration: The model and the mapping, as they have been read.
  mutating func prepareMigration(_ configuration: ImportConfiguration) {
    sourceModelPaths = configuration.modelPaths
    mappedSeeThrough = configuration.seeThrough
    // A run that is repeated has the rules that were found the first time.
    if decidesRecords { positions = configuration.positions }
    columnHints = configuration.columnHints
    mappingText = configuration.mappingText
    prepareMigration()
  }

  /// Makes ready for a run of which the mapping's text is known.
  mutating func prepareMigration() {
    // A later comparison has to see the same time.
    if migration != nil, now == nil { now = Date.now }
    storeMigrator = makeMigration()
  }

  /// The mapping file, which may have blocks that stand in for policies.
  private var mappingFile: StoreMigrator.MappingFile? {
    guard mappingPath != nil || mappingText != nil else { return nil }
    return StoreMigrator.MappingFile(
      path: mappingPath ?? ImportConfiguration.storedMapping, text: mappingText)
  }

  private func makeMigration() -> StoreMigrator? {
    if let storeMigrator { return storeMigrator }
    guard let migration, !readModelPaths.isEmpty else { return nil }
    return StoreMigrator(
      to: readModelPaths, migration, acceptsDrift: acceptsModelDrift, mapping: mappingFile,
      policies: extensions.policies, limits: limits, now: now ?? Date.now,
      onPolicyProgress: onPolicyProgress, verifies: verifies)
  }

  /// What tells the migration from others; nil if none was asked for, or its files cannot be read.
  var migrationDigest: String? { try? makeMigration()?.digest() }

  /// The digests of what the migration has at hand; none if none was asked for, or its files cannot
  /// be read.
  var migrationFiles: [String] { (try? makeMigration()?.fileDigests()) ?? [] }

  /// The results for the store that was migrated last; nil if it is another, or none was to be.
  func migrationResults(forStoreAt path: String) -> StoreMigrator.StepResults? {
    storeMigrator?.results(forStoreAt: path)
  }

  /// What the migration of a store is going to do; nil if none was asked for.
  ///
  /// - Parameter path: The path of the store.
  /// - Returns: The version of the store, and the steps.
  /// - Throws: `StoreMigrationError`.
  package func plannedMigration(
    ofStoreAt path: String
  ) throws(StoreMigrationError) -> PlannedStoreMigration? {
    try makeMigration()?.plan(forStoreAt: path)
  }
}
