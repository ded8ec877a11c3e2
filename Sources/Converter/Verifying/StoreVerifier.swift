import ArchiveReader
import CoreDataStores
import Support
import Verification

/// Compares a store with the archives that it was made of, at any later time.
///
/// Archives are known by their bytes, wherever their files are by now. How the store came to be is
/// told by the store itself; only a model, and the hooks of a converter of one's own, have to be
/// there again.
public struct StoreVerifier {
  let path: String
  let inputs: [String]
  private(set) var options: ConversionOptions
  /// The report of the work done so far.
  public internal(set) var report: ConversionReport
  /// The inputs that are archives of the store, by the digests of their bytes.
  var files: [String: [InputFinder.Input]] = [:]
  var usedPaths: Set<String> = []
  /// The archives that stay open, and the options that they were opened with.
  let openArchives = OpenArchives()
  var openOptions: ConversionOptions?
  /// The comparison of a store before the profile of its archive is complete; nil if there is none.
  var speculation: SpeculativeImport?
  var maySpeculate = true
  /// Takes the changes of an archive's rows, to which others are not compared; nil if they are
  /// differences.
  var edits: StoreEdits?
  /// The number of runs that made the store.
  var runCount = 1
  /// The runs that were compared, as far as their archives are there.
  private(set) var runs: [StoreComparison.Run] = []

  /// Prepares a verification.
  ///
  /// - Parameters:
  ///   - store: The path of the store.
  ///   - inputs: Paths of archives and of directories with archives.
  ///   - options: The paths of the mapping and the model, where they are not where they were;
  ///     hooks; limits.
  public init(store: String, inputs: [String], options: ConversionOptions) {
    path = store
    self.inputs = inputs
    self.options = options
    report = ConversionReport(storePath: store, isDryRun: false)
  }

  /// An archive as the store has it.
  struct ListedArchive {
    var id: Int64
    var path: String
    var sha256: String
    var bytes: Int64 = 0
    var parent: Int64?
  }

  /// The options by which files are recognized: each run knows for itself how it read them.
  private var plainOptions: ConversionOptions {
    var plain = options
    plain.migration = nil
    return plain
  }

  /// Compares the store; returns what was found.
  ///
  /// - Returns: The report that the store keeps of its last run, with the result; without one, a
  ///   report with the archives that were compared.
  /// - Throws: `ConversionError` if the store or an input cannot be read.
  public mutating func run() throws(ConversionError) -> ConversionReport {
    let start = ContinuousClock.now
    do {
      try verify()
    } catch let error as ConversionError {
      throw error
    } catch let error as StoreError {
      switch error.code {
      case .isInput, .isStore, .needsConverter: throw .store(error)
      default: throw .unreadable(path: path, reason: error.reason)
      }
    } catch let error as ModelError where error.path == path {
      throw .model(error)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
    report.isVerification = true
    report.identifyRejected()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  private mutating func verify() throws {
    let untouched = self
    let outcome = Result { try compareAll() }
    if let speculation, (try? speculation.confirm(nil)) == nil {
      // It was compared by a plan that is not the right one.
      self = untouched
      maySpeculate = false
      return try compareAll()
    }
    try outcome.get()
  }

  private mutating func compareAll() throws {
    guard FileIdentity(path: path).map(\.isRegularFile) ?? true else {
      throw ConversionError.unreadable(path: path, reason: "not a regular file")
    }
    if let metadata = try coreDataMetadata() { return try compareCoreDataStore(metadata) }
    edits?.reset()
    let comparison = try StoreComparison(
      path: path, comparesPaths: false, jobs: options.jobs, spill: options.spill, edits: edits)
    let records = try RunRecord.all(in: comparison.store, path: path)
    guard !records.isEmpty else {
      throw StoreError(.incompatible, path: path, reason: "its table _run is empty")
    }
    runCount = records.count
    let finder = try findInputs(of: records)
    // The first reading of the archives leaves the other processors time for it.
    let digest =
      edits == nil
      ? (try? ByteStorage(contentsOf: path, leases: true)).map(FileDigest.init(of:)) : nil
    digest?.begin()
    let listed = try listedArchives(comparison.store)
    let own = compareRanges(of: records, listed, comparison)
    var runs: [PreparedRun] = []
    var earlier = EarlierTables()
    for (record, own) in zip(records, own) where !own.isEmpty {
      let run = try prepare(record, Array(own), listed, comparison, after: earlier)
      // Without its archives nobody knows which tables a run needed.
      if let plan = run.run?.plan {
        earlier.add(plan.layout)
        if let names = plan.assignedNames { earlier.names.add(names) }
      } else {
        earlier = try EarlierTables(Database(reading: path))
      }
      runs.append(run)
    }
    self.runs = runs.compactMap(\.run)
    let obstacle = runs.lazy.compactMap { $0.run?.plan.reasonNotToRepeat }.first
    let reason = obstacle ?? reasonToRepeat(runs)
    if obstacle == nil, reason != nil, runs.count == records.count, runs.allSatisfy(\.isWhole) {
      try compareAgain(runs, comparison)
    } else {
      for run in runs { try compare(run, comparison, reasonNotTo: reason) }
      try comparison.finish()
    }
    if edits == nil { try compareOriginals(records, listed, comparison.findings) }
    try ReportComparison(store: comparison.store, findings: comparison.findings)
      .compare(records.map(\.id))
    try comparison.finishChecks()
    try tellOthers(finder, comparison.findings)
    report.verification = comparison.findings.result
    guard edits == nil else { return }
    try report.noteStore()
    try takeOverReport(digest)
  }

  /// The metadata of a store in the layout of Core Data; nil for one in the relational layout.
  private func coreDataMetadata() throws -> CoreDataMetadata? {
    let store = try VerifiedStore(path: path)
    guard store.has("Z_PLIST", in: CoreDataLayout.metadataTable),
      !store.has("id", in: RelationalLayout.runTable)
    else { return nil }
    return try CoreDataStore(path).metadata()
  }

  /// Finds the inputs, and the bytes by which they are known.
  ///
  /// - Parameter records: The runs that made the store.
  /// - Returns: The finder, with the inputs.
  /// - Throws: `ConversionError`, `StoreError` if an input cannot be read, or what made the store
  ///   is not at hand.
  mutating func findInputs(of records: [RunRecord]) throws -> InputFinder {
    try checkMapping(records)
    try checkModel(records)
    try checkHooks(records)
    for steps in records.map(\.unwrapSteps) where !options.otherUnwrapSteps.contains(steps) {
      options.otherUnwrapSteps.append(steps)
    }
    let finder = InputFinder(
      inputs, options.filter, plainOptions.sourceOpener, spill: options.spill)
    for (path, reason) in finder.unreadable {
      throw ConversionError.unreadable(path: path, reason: reason)
    }
    try identify(finder.inputs, records[0])
    try checkOutputs(finder, records)
    return finder
  }

  /// Loads the store's own report, to which the verification is added.
  private mutating func takeOverReport(_ digest: FileDigest?) throws(StoreError) {
    var whole: ConversionReport
    do throws(StoreError) {
      whole = try StoreReports(path: path).report(digest: digest)
    } catch {
      // What is wrong with it is a difference by now.
      guard error.code == .noReport || report.verification?.isPassed == false else { throw error }
      return
    }
    whole.startedAt = report.startedAt
    whole.verification = report.verification
    whole.skipped = report.skipped
    whole.excludedFiles = report.excludedFiles
    // What was rejected is that of now.
    whole.archives.removeAll { $0.outcome == .rejected }
    whole.archives += report.archives.filter { $0.outcome == .rejected }
    report = whole
  }

  /// Reports must not be written over what is read.
  private func checkOutputs(_ finder: InputFinder, _ records: [RunRecord]) throws {
    guard !options.furtherOutputs.isEmpty else { return }
    // The models and mappings of the runs are read where no others are given.
    let definitions = records.flatMap { $0.conversionOptions(options).definitionPaths }
    var read = ReadFiles(
      finder.inputs, definitions: [path] + definitions, plainOptions.sourceOpener)
    for output in options.furtherOutputs {
      if let identity = FileIdentity(path: output), identity == FileIdentity(path: path) {
        throw StoreError(.isStore, path: output)
      }
      try read.check(.file(output))
    }
    for output in options.furtherOutputs where !OwnOutput.mayReplace(output) {
      throw ConversionError.unwritable(path: output, reason: OwnOutput.refusal)
    }
  }

  /// A mapping that is given must be one that the store was made with.
  private func checkMapping(_ records: [RunRecord]) throws {
    guard let given = options.mappingPath else { return }
    let text: String
    do throws(MappingError) {
      text = try MappingText.contents(of: given)
    } catch {
      throw ConversionError.mapping(error)
    }
    guard records.contains(where: { $0.mapping == text }) else {
      throw ConversionError.unwritable(
        path: given, reason: "is not the mapping that the store was made with")
    }
  }

  /// A model that is given must be for a store that was made with one.
  private func checkModel(_ records: [RunRecord]) throws {
    guard let given = options.modelPath, !records.contains(where: \.usedModel) else { return }
    throw ConversionError.unwritable(path: given, reason: "the store was made without a model")
  }

  private func listedArchives(_ store: VerifiedStore) throws -> [ListedArchive] {
    let table = RelationalLayout.archiveTable
    let parent =
      store.has(RelationalLayout.nestingColumn, in: table) ? RelationalLayout.nestingColumn : "NULL"
    let bytes = store.has("bytes", in: table) ? "bytes" : "NULL"
    let rows = try store.rows(
      "SELECT id, path, sha256, \(parent), \(bytes) FROM \(table) ORDER BY id")
    var listed = rows.compactMap { row -> ListedArchive? in
      guard case .integer(let id) = row[0] else { return nil }
      var archive = ListedArchive(id: id, path: "", sha256: "")
      if case .text(let text) = row[1] { archive.path = text }
      if case .text(let text) = row[2] { archive.sha256 = text }
      if case .integer(let id) = row[3] { archive.parent = id }
      if case .integer(let bytes) = row[4] { archive.bytes = bytes }
      return archive
    }
    // Archives of which only the ranges of rows are left.
    let known = Set(listed.map(\.id))
    for row in try store.rows("SELECT DISTINCT archive_id FROM \(RelationalLayout.rowsTable)") {
      guard case .integer(let id) = row[0], !known.contains(id) else { continue }
      listed.append(ListedArchive(id: id, path: "", sha256: ""))
    }
    return listed.sorted { $0.id < $1.id }
  }

  // MARK: The report

  mutating func note(_ archives: [VerifiedArchive], _ conversion: Conversion) {
    for archive in archives where archive.isPresent {
      report.archives.append(
        .init(path: archive.path, outcome: .converted, place: archive.place))
    }
    report.archives += conversion.report.archives.filter { $0.outcome == .rejected }
  }

  /// Tells of inputs that are archives, but none of the store's.
  mutating func tellOthers(
    _ finder: InputFinder, _ findings: VerificationFindings
  ) throws(ConversionError) {
    report.skipped = finder.skipped
    // Files with the bytes of one that the store has were left out as duplicates.
    let known = Set(
      files.values.filter { $0.contains { usedPaths.contains($0.path) } }.joined().map(\.path))
    let surveyor = ArchiveSurveyor(
      options: plainOptions, classesReadAsObjects: [], leftOut: [], openArchives: OpenArchives(),
      meter: nil)
    var kept = ArchiveSurveyor.Kept()
    for input in finder.inputs where !known.contains(input.path) {
      do throws(ArchiveError) {
        // What cannot be converted is missing for that reason.
        let survey = try surveyor.survey(input, &kept).get()
        if survey.metadata != nil {
          let file = try ArchiveFile(path: input.path, plainOptions.sourceOpener)
          try (file.source as? any CoreDataSource)?.checkValues()
        }
        findings.add(
          archive: input.path, entity: RelationalLayout.archiveTable, row: nil, property: "",
          expected: "an archive of the store", found: "is not in the store")
      } catch {
        guard input.isNamed || error.code != .notAnArchive else {
          try report.skip(input.path, .skip)
          continue
        }
        report.archives.append(
          .init(path: input.path, outcome: .rejected, error: "\(error)"))
      }
    }
  }
}
