import ArchiveReader
import Importer
import Support

extension Speculation {
  /// Lets the rows of many small archives be written while they are read for the first time.
  ///
  /// Some of the archives predict the profile of all, and so the plan. Several threads make the
  /// rows of groups of files by it, and take the profile of what they make. As long as all that was
  /// found has the outline that was predicted, the plan is the right one; otherwise nothing that
  /// was written counts, and it is started over with what is known by then.
  ///
  /// What `SpeculativeImport` is for one large archive.
  final class Batches {
    /// The basis of the import: the profile is that of some of the archives, and none is known to
    /// be sound.
    let basis: Speculation.Basis
    let inputs: [InputFinder.Input]
    /// The files, group by group.
    let groups: [ArraySlice<InputFinder.Input>]
    let policy: ConversionOptions.ErrorPolicy
    private let outline: SchemaFingerprint
    /// The predicted profile, merged with the profiles found since: its outline stays the same as
    /// long as the prediction holds.
    private var known: SchemaProfile
    /// After how many groups the outlines are compared next.
    private var nextComparison = 1
    private var groupCount = 0
    /// The number of groups that were written in vain before.
    private let wastedCount: Int
    private var brokenGroupCount = 0
    /// True if dictionaries are records as they were predicted to be.
    private let confirmsRecords: (RecordEvidence) -> Bool

    /// The results of reading the files.
    var found = ArchiveSurveyor.SurveyedFiles()
    /// The archives that were written: how many, and what of them is compared, if they are.
    private(set) var writtenCount = 0
    private(set) var compared: [VerifiedArchive] = []
    /// True if the profile found is the predicted one.
    private(set) var isConfirmed = false

    /// The number of groups that may be broken, beside an eighth of all.
    private static let maxBroken = 4

    init(
      _ inputs: [InputFinder.Input], _ profile: SchemaProfile, _ plan: ImportPlan,
      _ policy: ConversionOptions.ErrorPolicy, wasted: Int = 0,
      confirmsRecords: @escaping (RecordEvidence) -> Bool
    ) {
      self.confirmsRecords = confirmsRecords
      self.inputs = inputs
      self.policy = policy
      groups = ArchiveBatch.Groups(inputs.map(\.byteCount), isEach: false).ranges.map { inputs[$0] }
      wastedCount = wasted
      basis = Speculation.Basis(archives: [], profile: profile, plan: plan)
      outline = SchemaFingerprint(profile)
      known = profile
    }

    /// The digest of the predicted profile, for a run that goes on with this one.
    var prediction: String { outline.digest }

    /// The size of the files, in bytes.
    var byteCount: Int { inputs.reduce(0) { $0 + $1.byteCount } }

    /// True if they are so many that progress is kept on the way.
    func keepsProgress(_ thresholds: ConversionOptions.SpeculationThresholds) -> Bool {
      byteCount > thresholds.unkeptBytes
    }

    /// Notes the digests of a group of files; returns false, and notes none, if one was met before.
    func claim(_ group: ArchiveBatch.Worker.PreparedFiles) -> Bool {
      for (index, result) in group.archives.enumerated() {
        guard case .success(let archive) = result,
          let first = found.firsts.updateValue(archive.input.path, forKey: archive.sha256)
        else { continue }
        // It may be the one of a file in the same group.
        found.firsts[archive.sha256] = first
        for case .success(let other) in group.archives[..<index] {
          found.firsts[other.sha256] = nil
        }
        return false
      }
      return true
    }

    /// Notes an archive that was written.
    func note(_ job: Conversion.ImportJob, isCompared: Bool) {
      writtenCount += 1
      if isCompared { compared.append(job.verified) }
    }

    /// Notes a group of files.
    ///
    /// - Parameters:
    ///   - profile: The profile of the files.
    ///   - isBroken: True if they had to be read one by one.
    /// - Throws: `WrongGuess` if the profile is not what was predicted, or too many groups are
    ///   broken.
    func note(_ profile: SchemaProfile, isBroken: Bool) throws(Speculation.WrongGuess) {
      known.merge(profile)
      groupCount += 1
      if isBroken { brokenGroupCount += 1 }
      guard brokenGroupCount <= Self.maxBroken + groupCount / 8 else {
        throw Speculation.WrongGuess()
      }
      guard groupCount == nextComparison else { return }
      nextComparison += 1 + groupCount / 8
      guard SchemaFingerprint(known) == outline, confirmsRecords(known.records) else {
        throw Speculation.WrongGuess()
      }
    }

    /// Compares what was predicted with the profile of all archives.
    func confirm() throws(Speculation.WrongGuess) {
      isConfirmed =
        SchemaFingerprint(found.profile) == outline && confirmsRecords(found.profile.records)
      guard isConfirmed else { throw Speculation.WrongGuess() }
    }

    /// The profile known by now, and the number of groups written in vain: nil if it is not worth
    /// it to begin again.
    var lesson: (profile: SchemaProfile, wasted: Int)? {
      var profile = found.profile
      profile.merge(basis.profile)
      let wasted = wastedCount + groupCount
      // More than all of them would be written in vain.
      guard brokenGroupCount <= Self.maxBroken + groupCount / 8,
        SchemaFingerprint(profile) != outline || !confirmsRecords(profile.records),
        wasted <= groups.count
      else { return nil }
      return (profile, wasted)
    }
  }
}

extension Conversion {
  /// Begins with many small archives by what some of them predict, where that can be done.
  mutating func speculate(
    _ inputs: [InputFinder.Input], _ configuration: ImportConfiguration,
    _ policy: ConversionOptions.ErrorPolicy
  ) {
    let conditions = options.speculation
    let total = inputs.reduce(0) { $0 + $1.byteCount }
    let large = inputs.lazy.map(\.byteCount).filter { $0 > ArchiveBatch.Groups.largestFile }.reduce(
      0, +)
    guard inputs.count >= max(2, conditions.files), large <= total / 8,
      options.checkpointInterval > .zero, !options.salvages,
      !options.opensNested
    else { return }
    meterReading(of: inputs)
    var profile = profile(ofSample: inputs, conditions.sampledFiles)
    if !decideRecords(profile.records) {
      profile = self.profile(ofSample: inputs, conditions.sampledFiles)
    }
    guard let plan = speculativePlan(for: profile, configuration) else { return }
    speculation = .batches(
      Speculation.Batches(inputs, profile, plan, policy, confirmsRecords: confirmsRecords))
  }

  /// Starts over with what was learned, if it is worth it.
  mutating func startAgain(
    after batches: Speculation.Batches, _ configuration: ImportConfiguration
  ) {
    // With other records, what was found does not say how they are.
    guard let (profile, wasted) = batches.lesson, decideRecords(profile.records),
      let plan = speculativePlan(for: profile, configuration)
    else {
      return
    }
    speculation = .batches(
      Speculation.Batches(
        batches.inputs, profile, plan, batches.policy, wasted: wasted,
        confirmsRecords: confirmsRecords))
  }

  /// The plan for a profile, if rows may be written by it before the profile is complete.
  private func speculativePlan(for profile: SchemaProfile, _ configuration: ImportConfiguration)
    -> ImportPlan?
  {
    guard let plan = try? plan(for: profile, configuration),
      plan.isPlain, plan.passes.count == 1,
      // Then references come to have their turn in another order than that of a profile.
      plan.layout.entities.allSatisfy({ $0.overflow == nil })
    else { return nil }
    return plan
  }

  /// The profile of the first of some files, and of some of the others.
  private func profile(ofSample inputs: [InputFinder.Input], _ count: Int) -> SchemaProfile {
    let others = stride(
      from: count, to: inputs.count, by: max(1, (inputs.count - count) / max(1, count)))
    let sample = inputs.prefix(count) + others.map { inputs[$0] }
    let surveyor = surveyor()
    let work = OrderedWork(Array(sample), jobs: options.jobs, isEager: false) {
      var kept = ArchiveSurveyor.Kept()
      return { surveyor.survey($0, &kept) }
    }
    var profile = SchemaProfile()
    for _ in sample {
      // What is wrong with a file is told when it has its turn.
      if case .success(let found) = work.next() { profile.merge(found.profile) }
    }
    return profile
  }

  private func surveyor() -> ArchiveSurveyor {
    ArchiveSurveyor(
      options: options, classesReadAsObjects: classesReadAsObjects, leftOut: [],
      openArchives: openArchives,
      meter: meter, isBeside: true)
  }

  /// Writes the archives of a speculative import.
  mutating func importGroups(
    of speculation: Speculation.Batches, _ pass: inout Pass, _ run: inout ImportRun
  ) throws {
    let inputs = speculation.inputs
    beginNoting(inputs)
    meter?.begin(.writing, candidates)
    let setting = preparing(pass, run.plan, takesProfile: true)
    let work = OrderedWork(speculation.groups, jobs: options.jobs) {
      let preparer = ArchiveBatch.Worker(setting)
      return { preparer.prepare($0) }
    }
    defer { work.cancelAndWait() }
    report.archives.reserveCapacity(inputs.count)
    for group in speculation.groups {
      if let prepared = work.next() ?? nil, speculation.claim(prepared) {
        try insert(prepared.batch, afterArchive: Int64(speculation.writtenCount), pass, run)
        for (input, result) in zip(group, prepared.archives) {
          switch result {
          case .success(let archive):
            inputStates.append(archive.sha256)
            report.archives.append(archive.entry)
            let job = ImportJob(archive: archive, id: Int64(speculation.writtenCount + 1))
            speculation.note(job, isCompared: options.verifies)
          case .failure(let error):
            try note(.failure(error), of: input, speculation.policy, &speculation.found)
          }
          meter?.end(input.path)
        }
        let profile = prepared.batch.profile ?? SchemaProfile()
        speculation.found.profile.merge(profile)
        try speculation.note(profile, isBroken: false)
        try keepIfDue(archives: speculation.writtenCount, &pass, run)
      } else {
        try importOneByOne(group, speculation, &pass, &run)
      }
    }
    try speculation.confirm()
  }

  /// Writes a group of archives among which some are not as they usually are.
  private mutating func importOneByOne(
    _ group: ArraySlice<InputFinder.Input>, _ speculation: Speculation.Batches,
    _ pass: inout Pass, _ run: inout ImportRun
  ) throws {
    let surveyor = surveyor()
    var kept = ArchiveSurveyor.Kept()
    var profile = SchemaProfile()
    for input in group {
      let survey = surveyor.survey(input, &kept)
      let archives = try note(survey, of: input, speculation.policy, &speculation.found)
      if !archives.isEmpty, case .success(let found) = survey { profile.merge(found.profile) }
      let importJobs = archives.enumerated().map { index, archive in
        ImportJob(archive: archive, id: Int64(speculation.writtenCount + index + 1))
      }
      try importInTurn(importJobs[...], &pass, &run)
      for job in importJobs { speculation.note(job, isCompared: options.verifies) }
    }
    try speculation.note(profile, isBroken: true)
  }
}
