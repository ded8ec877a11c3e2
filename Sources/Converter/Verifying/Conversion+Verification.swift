import ArchiveReader
import Importer
import Support

extension Conversion {
  /// Compares the finished store with the archives; the result is in the report.
  mutating func verify(
    _ path: String, _ archives: [VerifiedArchive], _ inputs: [InputFinder.Input],
    _ plan: ImportPlan,
    _ profile: SchemaProfile, _ configuration: ImportConfiguration, after known: StoreContent,
    passes: Int,
    files: [InputFinder.Input]
  ) throws {
    willVerify(path)
    meter?.begin(.verifying)
    let comparison = try StoreComparison(
      path: path, comparesPaths: true, jobs: options.jobs, spill: options.spill)
    comparison.countsCommon = (shard?.shard.number ?? 1) == 1
    let base = known.lastRun > 0 ? destination : nil
    try comparison.begin(
      after: known, plan.layout,
      try base.map { base throws(StoreError) in
        try StoreSchema(try Database(reading: base))
      })
    if let first = archives.first, let last = archives.last {
      let record: [String: StoredValue] = [
        "mapping": configuration.mappingText.map { .text($0) } ?? .null,
        "model_digest": (configuration.model?.digest()).map { .text($0) } ?? .null,
        "fingerprint": .text(configuration.fingerprint(options)),
        "first_archive": .integer(first.id), "last_archive": .integer(last.id),
      ]
      let run = StoreComparison.Run(
        plan: plan, profile: profile, passes: passes, archives: archives,
        opensNested: options.opensNested, isSearchable: options.isSearchable,
        keepsOriginals: options.isReversible, record: record)
      let hasRows = known.lastIDs.contains { $0 > 0 }
      if let reason = plan.reasonNotToRepeat {
        try compare(run, inputs, by: comparison, reasonNotTo: reason)
        try comparison.finish()
      } else if plan.reasonToRepeat != nil || plan.findsRows && hasRows {
        try comparison.note(run)
        var options = options
        options.passLimit = passes
        let repeated = RepeatedRuns.Run(
          inputs: files.filter { $0.nesting == nil }.map(\.path), options: options)
        try comparison.compareAgain(
          try RepeatedRuns([repeated], addingTo: base), [plan])
      } else {
        try compare(run, inputs, by: comparison)
        try comparison.finish()
      }
    }
    mergeSteps(into: comparison.findings)
    try comparison.finishChecks()
    report.verification = comparison.findings.result
  }

  /// Compares a store in the layout of Core Data with what inputs become in the relational layout,
  /// which is compared with them, value by value.
  ///
  /// - Parameters:
  ///   - path: The store.
  ///   - inputs: What it was made of.
  ///   - options: How.
  ///   - willVerify: Called with the path of that conversion's store, just before it is compared.
  /// - Returns: The report of the conversion that it was compared with.
  /// - Throws: `ConversionError`, `ArchiveError` if that cannot be made.
  static func comparing(
    _ path: String, with inputs: [String], _ options: ConversionOptions,
    willVerify: @escaping (_ path: String) -> Void = { _ in }
  ) throws -> ConversionReport {
    var options = options
    (options.layout, options.existingStore) = (.coreData, .fail)
    (options.verifies, options.isDryRun) = (true, true)
    let folder = try PrivateFolder()
    var conversion = Conversion(
      inputs: inputs, destination: "\(folder.path)/store.sqlite", options: options)
    conversion.comparedStore = path
    conversion.willVerify = willVerify
    return try conversion.run()
  }

  /// Adds what the comparison of migration steps has found, in the order of the stores.
  func mergeSteps(into findings: VerificationFindings) {
    comparedSteps.sorted { $0.key < $1.key }.forEach { findings.merge($0.value) }
  }

  /// Compares one run.
  mutating func compare(
    _ run: StoreComparison.Run, _ inputs: [InputFinder.Input], by comparison: StoreComparison,
    reasonNotTo reason: String? = nil
  ) throws {
    meter?.begin(.verifying, inputs.filter { $0.nesting == nil }.map(\.path))
    let places = Dictionary(
      zip(inputs.map(\.path), inputs), uniquingKeysWith: { first, _ in first })
    let opener = FileOpener.ArchiveOpener(
      openArchives: openArchives, isLast: true, options: options)
    do {
      try comparison.compare(run, reasonNotTo: reason) { [meter] in
        ComparedFiles(places, opener, meter)
      }
    } catch let error as ArchiveError {
      throw ConversionError.unreadable(path: destination, reason: "\(error)")
    }
    meter?.begin(.checking)
  }
}
