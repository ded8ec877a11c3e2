import ArchiveReader
import Importer
import Mappings
import Migration

extension StoreVerifier {
  /// A run whose archives have been looked at.
  struct PreparedRun {
    var record: RunRecord
    /// Why it cannot be compared, if it cannot.
    var reason: String?
    var run: StoreComparison.Run?
    var inputs: [InputFinder.Input] = []
    var conversion: Conversion?
    /// The files that it read, those that the store had already included.
    var files: [String] = []

    /// Whether all that it needs is there.
    var isWhole: Bool { run?.archives.allSatisfy(\.isPresent) ?? false }
  }

  /// A store that hooks made cannot be compared without them.
  func checkHooks(_ records: [RunRecord]) throws(StoreError) {
    let present = Set(options.extensions.hookNames)
    let missing = Set(records.flatMap { $0.options.hooks ?? [] }).subtracting(present).sorted()
    guard !missing.isEmpty else { return }
    throw needsConverter("hooks in Swift", missing)
  }

  /// The error where the program lacks what made the rows of a store.
  private func needsConverter(_ kind: String, _ names: [String]) -> StoreError {
    let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    return StoreError(
      .needsConverter, path: path,
      reason: "its rows were made by \(kind) that this program does not have (\(list))")
  }

  /// A migrated store cannot be compared without the versions, mapping models and policies that it
  /// was migrated by.
  private func checkMigration(
    _ record: RunRecord, _ options: ConversionOptions, _ inputs: [InputFinder.Input]
  ) throws {
    guard let digest = record.options.migration else { return }
    do throws(StoreMigrationError) {
      for input in inputs {
        try options.plannedMigration(ofStoreAt: input.path)?.check()
      }
    } catch {
      throw StoreError(
        .unreadable, path: path, reason: "the migration cannot be repeated: \(error)")
    }
    guard options.migrationDigest == digest else {
      throw StoreError(
        .unreadable, path: path,
        reason: "run \(record.id) used different mapping models or versions (name them with "
          + "--mapping-model and --versions)")
    }
  }

  /// The plan of a run; where policies are missing that its mapping names, they are told.
  private func plan(
    for profile: SchemaProfile, _ conversion: Conversion, _ configuration: ImportConfiguration
  ) throws -> ImportPlan {
    do throws(ConversionError) {
      return try conversion.plan(for: profile, configuration)
    } catch {
      guard case .mapping(let found) = error,
        found.problems.allSatisfy({ $0.code == .unknownPolicy })
      else { throw error }
      throw needsConverter("policies in Swift", found.problems.compactMap(\.name))
    }
  }

  /// The options by which a run is repeated.
  ///
  /// - Parameters:
  ///   - record: What the store remembers of the run.
  ///   - inputs: Its inputs, as far as they are at hand.
  /// - Returns: The options.
  /// - Throws: `StoreError` if a model, a mapping model or a policy is not what it was.
  func runOptions(
    _ record: RunRecord, _ inputs: [InputFinder.Input]
  ) throws -> ConversionOptions {
    var options = record.conversionOptions(options)
    options.extensions = options.extensions.limited(to: Set(record.options.hooks ?? []))
    options.passLimit = record.options.completedPasses
    guard try ImportConfiguration(options).model?.digest() == record.modelDigest else {
      throw StoreError(
        .unreadable, path: path,
        reason: "run \(record.id) used a different model (name it with --model)")
    }
    try checkMigration(record, options, inputs)
    return options
  }

  mutating func prepare(
    _ record: RunRecord, _ own: [ListedArchive], _ listed: [ListedArchive],
    _ comparison: StoreComparison, after earlier: EarlierTables
  ) throws -> PreparedRun {
    var runOptions = try runOptions(record, own.compactMap { files[$0.sha256]?.first })
    // The stores of a migration's steps are compared, too, when they are made.
    runOptions.verifies = true
    var conversion = Conversion(inputs: inputs, destination: path, options: runOptions)
    conversion.earlierTables = earlier
    if openOptions?.limits == runOptions.limits, openOptions?.salvages == runOptions.salvages,
      openOptions?.recordRules == runOptions.recordRules,
      openOptions?.wrapperClasses == runOptions.wrapperClasses,
      openOptions?.unwrapSteps == runOptions.unwrapSteps,
      openOptions?.databaseHints == runOptions.databaseHints
    {
      conversion.openArchives = openArchives
    }
    let configuration = try ImportConfiguration(runOptions)
    let found = take(own.filter { $0.parent == nil }, comparison)
    let inputs = found.compactMap { $0 }
    guard !inputs.isEmpty else {
      return PreparedRun(record: record, reason: "none of its archives is among the inputs")
    }
    // The run had looked at those, too, before it passed over them.
    let before =
      record.options.known == nil
      ? []
      : listed.filter { $0.parent == nil && record.hasSeen($0.id) }
        .compactMap { files[$0.sha256]?.first }
    conversion.meterReading(of: before + inputs)
    if !maySpeculate { conversion.meter?.note(.prediction) }
    if runCount > 1 { conversion.meter?.note(.run(Int(record.id), of: runCount)) }
    var (accepted, profile, plan) =
      if before.isEmpty, let speculation = speculate(inputs, &conversion, configuration, comparison)
      {
        speculation
      } else {
        try survey(inputs, &conversion, configuration)
      }
    if !before.isEmpty {
      var wider = conversion
      (_, profile, plan) = try survey(before + inputs, &wider, configuration)
      conversion.classesReadAsObjects = wider.classesReadAsObjects
    }
    conversion.mergeSteps(into: comparison.findings)
    var archives = archives(own, found, accepted, comparison)
    if let edits {
      for index in archives.indices where archives[index].id != edits.archive {
        archives[index].isPresent = false
      }
    }
    let run = StoreComparison.Run(
      plan: plan, profile: profile, passes: record.options.completedPasses ?? plan.passes.count,
      archives: archives, opensNested: runOptions.opensNested,
      isSearchable: runOptions.isSearchable, keepsOriginals: runOptions.isReversible,
      record: ["fingerprint": .text(configuration.fingerprint(conversion.options))])
    return PreparedRun(
      record: record, run: run, inputs: accepted, conversion: conversion,
      files: (before + inputs).map(\.path))
  }

  /// Why runs have to be made again to be compared; nil if the archives alone tell what they made.
  func reasonToRepeat(_ runs: [PreparedRun]) -> String? {
    let plans = runs.compactMap { $0.run?.plan }
    if let reason = plans.lazy.compactMap(\.reasonToRepeat).first { return reason }
    // What one run made, a later one may have changed.
    guard runs.count > 1, plans.contains(where: \.findsRows) else { return nil }
    return "rows are matched by identity with those of other runs"
  }

  mutating func compare(
    _ prepared: PreparedRun, _ comparison: StoreComparison, reasonNotTo reason: String?
  ) throws {
    guard let run = prepared.run, var conversion = prepared.conversion else {
      return try comparison.passOver(
        archives: prepared.record.archives, reason: prepared.reason ?? "")
    }
    try conversion.compare(run, prepared.inputs, by: comparison, reasonNotTo: reason)
    note(run.archives, conversion)
  }

  /// Makes all runs again, in their order, and compares the store with the one that they make.
  mutating func compareAgain(
    _ runs: [PreparedRun], _ comparison: StoreComparison
  ) throws {
    var repeated: [RepeatedRuns.Run] = []
    var plans: [ImportPlan] = []
    for prepared in runs {
      guard let run = prepared.run, let conversion = prepared.conversion else { continue }
      try comparison.note(run)
      plans.append(run.plan)
      repeated.append(RepeatedRuns.Run(inputs: prepared.files, options: conversion.options))
      note(run.archives, conversion)
    }
    runs.last?.conversion?.meter?.begin(.verifying)
    try comparison.compareAgain(try RepeatedRuns(repeated, addingTo: nil), plans)
  }

  /// What a sample predicts of the only archive of a store, if its tables agree.
  private mutating func speculate(
    _ inputs: [InputFinder.Input], _ conversion: inout Conversion,
    _ configuration: ImportConfiguration,
    _ comparison: StoreComparison
  ) -> ([InputFinder.Input], profile: SchemaProfile, plan: ImportPlan)? {
    guard maySpeculate, speculation == nil else { return nil }
    conversion.classesReadAsObjects = configuration.claimedClasses
    conversion.speculate(inputs, configuration, writes: false)
    guard let speculation = conversion.speculation?.archive else { return nil }
    guard comparison.fits(speculation.basis.plan) else {
      _ = conversion.confirmSpeculation(configuration)
      return nil
    }
    self.speculation = speculation
    return (inputs, speculation.basis.profile, speculation.basis.plan)
  }

  private func survey(
    _ inputs: [InputFinder.Input], _ conversion: inout Conversion,
    _ configuration: ImportConfiguration
  ) throws -> ([InputFinder.Input], profile: SchemaProfile, plan: ImportPlan) {
    conversion.classesReadAsObjects = configuration.claimedClasses
    let (accepted, profile) = try conversion.takeProfile(of: inputs, .skip)
    return (accepted.map(\.input), profile, try plan(for: profile, conversion, configuration))
  }
}
