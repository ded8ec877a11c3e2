import ArchiveReader
import CoreDataStores
import Foundation
import Importer
import Support

/// Converts archives into one store.
///
/// Archives are read twice: the first time to take the profile that the tables are laid out by and
/// to find those that are damaged, the second time to write their rows. Of a large one by itself,
/// and of many small ones, a sample predicts the profile: see `Speculation`.
public struct Conversion {
  let inputs: [String]
  let destination: String
  var options: ConversionOptions
  /// Called at each stage, on any thread; the run waits until it returns.
  public var onStage: (@Sendable (ConversionStage) -> Void)?
  /// Called with the path of the finished store, just before it is compared: for tests.
  package var willVerify: (_ path: String) -> Void = { _ in }
  /// Called with the path of a store in the layout of Core Data, just before it is compared: for
  /// tests.
  package var willVerifyCopy: (_ path: String) -> Void = { _ in }
  /// The files that are being built.
  public internal(set) var unfinished = UnfinishedStores()
  /// True if others are building stores in the same folder, which was looked into before.
  var isOneOfMany = false
  /// The report of the work done so far.
  public internal(set) var report: ConversionReport
  var classesReadAsObjects: Set<String> = []
  /// Archives that stay open between the readings.
  var openArchives = OpenArchives()
  /// The state that the readers of all archives share.
  let library = GraphLibrary()
  /// Files that have the same bytes as one before them, with the path of that one.
  var duplicates: [String: String] = [:]
  /// True if the store was begun: of a run that begins it again, only the first attempt goes on
  /// with another run.
  var isBegun = false
  /// The files that were read, and of each its digest, or what is wrong with it.
  var candidates: [String] = []
  var inputStates: [String] = []
  /// Tells how far the conversion has come, if somebody asks for it.
  var meter: ProgressMeter?
  /// The archives that were found inside of each file, by its path, in the order of the store.
  var nestedInputs: [String: [InputFinder.Input]] = [:]
  /// The writing of rows before the profile is complete; nil if there is none.
  var speculation: Speculation?
  /// The results of the first reading of files, by their paths.
  var surveys: [String: Result<ArchiveSurveyor.Survey, ArchiveError>] = [:]
  /// The archives that the store has already: what they hold counts for the plan.
  var knownArchives: [Int64] = []
  /// The rules for the dictionaries that may be records; nil as long as nobody has asked.
  var recordPolicy: RecordRules.Policy?
  /// The tables of the store that is added to.
  var earlierTables = EarlierTables()
  /// A store in the layout of Core Data to be compared, instead of one to be written.
  var comparedStore: String?
  /// The comparisons of the steps by which stores were migrated, by their paths.
  var comparedSteps: [String: VerificationResult] = [:]
  /// The metadata of the Core Data stores among the inputs.
  var storeMetadata: [CoreDataMetadata] = []
  /// True if an archive was left out that the first reading took for sound: no run can resume then.
  var hasLateRejection = false
  /// The treatment of archives that are not sound.
  var errorPolicy = ConversionOptions.ErrorPolicy.stop
  /// The archive inside of others that was opened last, with those that lead to it.
  var openChain: OpenChain?
  /// The part that this is of a run over many shards; nil if it is a whole one.
  var shard: ShardPart?
  /// The findings in the archives of the shard, where the plan goes by those of all.
  var shardProfile: SchemaProfile?
  /// The stores of shards that become one.
  var shardStores: [ShardStore] = []

  /// Prepares a conversion.
  ///
  /// - Parameters:
  ///   - inputs: Paths of archives and of directories with archives.
  ///   - destination: The path of the store.
  ///   - options: The options of the conversion.
  public init(inputs: [String], destination: String, options: ConversionOptions) {
    self.inputs = inputs
    self.destination = destination
    self.options = options
    report = ConversionReport(storePath: destination, isDryRun: options.isDryRun)
    report.storeLayout = options.layout.rawValue
  }

  /// Runs the conversion; returns what was done.
  ///
  /// - Throws: `ConversionError`. Then there is no new store, and what was at the destination is
  ///   untouched. `report` tells what was found up to then.
  public mutating func run() throws(ConversionError) -> ConversionReport {
    let start = ContinuousClock.now
    defer { report.seconds = (ContinuousClock.now - start) / .seconds(1) }
    let untouched = self
    do throws(ConversionError) {
      try convert(probesAll: false)
    } catch {
      // A typedstream has the extension of other archives.
      guard case .rejected(_, let reason) = error, reason.code == .unplanned else { throw error }
      self = untouched
      try convert(probesAll: true)
    }
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  /// Runs the conversion once.
  ///
  /// - Parameter probesAll: True if each file of a directory is looked into, not some of many.
  /// - Throws: `ConversionError`; one with the code `unplanned` if that has to be done.
  private mutating func convert(probesAll: Bool) throws(ConversionError) {
    if let part = options.part { try take(part) }
    let configuration = try ImportConfiguration(options)
    options.prepareMigration(configuration)
    var finder =
      shard == nil
      ? InputFinder(
        inputs, options.filter, options.sourceOpener, probesOnlySample: !probesAll,
        spill: options.spill)
      : InputFinder(found: inputs, options.sourceOpener)
    let newestBy = configuration.newestBy
    if finder.inputs.count > 1, !newestBy.isEmpty {
      finder.sort { input in
        newestBy.compactMap {
          DatabaseSource.newestDate(in: input.path, $0.table.value, $0.column.value)
        }.max()
      }
    }
    try checkDestination(finder)
    report.modelNotes = configuration.model?.notes.map { "\($0)" } ?? []
    try checkLayout(configuration)
    if options.existingStore == .append, FileIdentity(path: destination) != nil {
      do throws(StoreError) {
        earlierTables = try EarlierTables(Database(reading: destination))
      } catch {
        // What is wrong in the store is reported when it is opened to be added to.
        guard error.isDamage else {
          throw .unreadable(path: destination, reason: error.reason)
        }
      }
      if earlierTables.isSearchable { options.isSearchable = true }
    }
    beginRecords(configuration)
    beginPositions(finder.inputs)
    let policy = try noteUnreadable(finder)
    errorPolicy = policy
    classesReadAsObjects = configuration.claimedClasses
    // What is known before the profile, and what broke the rules: the profile is taken again then.
    var known = report
    var rejected: Set<String> = []
    var identified: [String: ConversionReport.Archive] = [:]
    // A run that adds to a store, or goes on with one, has to know beforehand what is new.
    if options.existingStore != .append, !options.resumes, shard == nil,
      isOneOfMany || !UnfinishedFiles.exist(for: destination)
    {
      speculate(finder.inputs, configuration, writes: true)
      speculate(finder.inputs, configuration, policy)
    }
    while true {
      let basis =
        if let known = speculation?.basis { known } else {
          try basis(of: finder.inputs, policy, configuration, rejected)
        }
      let sound = report
      // An archive inside of another is known by its place, and has no file to identify.
      let identify = { [nestedInputs] (report: inout ConversionReport) in
        report.sortArchives(by: finder.inputs, nested: nestedInputs)
        report.skipped.sort()
        report.identifyRejected(&identified)
      }
      let complete = {
        [speculation, shardProfile, planOptions]
        (
          report: inout ConversionReport, findings: ImportFindings
        ) in
        let profile = shardProfile ?? speculation?.profile ?? basis.profile
        report.add(findings)
        report.add(profile, plan: basis.plan, claimed: configuration.claimedClasses)
        report.unusedNames = configuration.unusedNames(profile, planOptions)
        identify(&report)
      }
      let outcome: Result<ImportFindings, ConversionError>
      do throws(ConversionError) {
        outcome = .success(try write(basis, configuration, complete: complete))
      } catch {
        outcome = .failure(error)
      }
      // What was kept is there for a run that resumes, which will find whether it counts.
      if case .failure(.store) = outcome,
        speculation?.batches?.keepsProgress(options.speculation) == true
      {
        _ = try outcome.get()
      }
      guard confirmSpeculation(configuration) else {
        report = sound
        meter?.note(.prediction)
        continue
      }
      // Values of a Core Data store are read when they are written: what is damaged is left out, and
      // the others are converted again.
      if case .failure(.rejected(let path, let error)) = outcome, policy == .skip,
        error != .changed, error.code != .unplanned, rejected.insert(path).inserted
      {
        let others = duplicates.filter { $0.value == path }.keys
        rejected.formUnion(others)
        for path in [path] + others.sorted() {
          known.archives.append(.init(path: path, outcome: .rejected, error: "\(error)"))
        }
        hasLateRejection = true
        report = known
        meter?.note(.rejection)
        continue
      }
      let findings = try outcome.get()
      guard findings.errorCount > 0 else {
        complete(&report, findings)
        break
      }
      report = sound
      report.reject(findings)
      identify(&report)
      // Archives that break the model's rules are left out whole, and the others converted again.
      guard policy == .skip, findings.errors.allSatisfy({ $0.archive != nil }),
        !findings.failedArchives.isSubset(of: rejected)
      else { throw .invalid(findings.errors, count: findings.errorCount) }
      rejected.formUnion(findings.failedArchives)
      known.reject(findings)
      known.reject(duplicates: duplicates, of: findings)
      // The others with the same bytes break the same rules.
      rejected.formUnion(duplicates.filter { rejected.contains($0.value) }.keys)
      report = known
      meter?.note(.rejection)
    }
  }

  /// The basis of an import, from the profile of all archives.
  private mutating func basis(
    of inputs: [InputFinder.Input], _ policy: ConversionOptions.ErrorPolicy,
    _ configuration: ImportConfiguration, _ rejected: Set<String>
  ) throws(ConversionError) -> Speculation.Basis {
    var (accepted, profile) = try takeProfile(of: inputs, policy, leavingOut: rejected)
    if let plan = shard?.plan {
      if rejected.isEmpty { try checkShardInputs() }
      (shardProfile, profile) = (profile, plan.profile)
    }
    let plan = try plan(for: profile, configuration)
    let paths = configuration.modelPaths.joined(separator: ", ")
    if let model = configuration.model, let unmet = UnmetModel(path: paths, model, plan, profile) {
      throw .unmet(unmet)
    }
    return Speculation.Basis(archives: accepted, profile: profile, plan: plan)
  }

  /// The plan for what a profile found.
  func plan(
    for profile: SchemaProfile, _ configuration: ImportConfiguration
  ) throws(ConversionError) -> ImportPlan {
    let plan = try configuration.plan(profile, planOptions)
    try checkLayout(plan)
    guard earlierTables.count(with: plan.layout) <= options.limits.tables else {
      throw .rejected(path: destination, options.limits.exceeded(.tables))
    }
    return plan
  }

  /// The options of a plan.
  var planOptions: PlanCompiler.Options {
    var plan = PlanCompiler.Options(names: options.nameRules)
    plan.classesReadAsObjects = classesReadAsObjects
    plan.limits = options.limits
    plan.recordsProvenance = options.recordsProvenance
    // In the layout of Core Data, they stay the store's own.
    plan.keepsMetadata =
      options.layout == .relational && storeMetadata.contains { !$0.applicationValues.isEmpty }
    plan.avoidsPlainRows = options.avoidsPlainRows
    plan.archivesTransformables = options.layout == .coreData
    plan.recordRules = options.recordRules
    plan.earlierTables = earlierTables
    return plan
  }

  func checkDestination(_ finder: InputFinder) throws(ConversionError) {
    // Of many stores, all were compared before the first was begun.
    if !isOneOfMany { try checkOutputs(finder) }
    guard let store = FileIdentity(path: destination) else {
      // A link that leads nowhere is something, too.
      guard
        fileStatus(destination, followsLinks: false) == nil || options.existingStore != .fail
          || options.isDryRun
      else { throw .store(StoreError(.exists, path: destination)) }
      return try checkPlace()
    }
    guard store.isRegularFile else {
      throw .store(StoreError(.file, path: destination, reason: "it is not a regular file"))
    }
    guard options.existingStore != .fail || options.isDryRun else {
      throw .store(StoreError(.exists, path: destination))
    }
    try checkPlace()
  }

  /// Refuses outputs that would take the place of what is read, of the store, or of what somebody
  /// else wrote.
  private func checkOutputs(_ finder: InputFinder) throws(ConversionError) {
    var read = ReadFiles(finder.inputs, options)
    let store = FileIdentity(path: destination)
    let places = Set(
      ([""] + StoreSideFiles.journalSuffixes).map { Self.absolute(destination + $0) })
    do throws(StoreError) {
      for output in options.furtherOutputs {
        let identity = FileIdentity(path: output)
        guard !places.contains(Self.absolute(output)), identity == nil || identity != store else {
          throw StoreError(.isStore, path: output)
        }
        try read.check(.file(output))
      }
      if store?.isRegularFile ?? true { try read.check(.store(destination)) }
    } catch {
      throw .store(error)
    }
    try options.checkFurtherOutputs()
  }

  /// Refuses a place where no store can be written, before anything is read.
  private func checkPlace() throws(ConversionError) {
    do throws(StoreError) {
      try StoreFile.check(destination, options.isDryRun ? nil : options.existingStore)
    } catch {
      throw .store(error)
    }
  }

  /// A path that does not depend on the current folder.
  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
