import ArchiveReader
import Importer
import Support

extension Conversion {
  /// Finds the archives among the inputs and takes their profile.
  mutating func surveyed() throws(ConversionError) -> (
    [ArchiveSurveyor.SurveyedArchive], SchemaProfile
  ) {
    beginRecords(try ImportConfiguration(options))
    let finder = InputFinder(inputs, options.filter, options.sourceOpener)
    beginPositions(finder.inputs, evenOfOne: true)
    return try takeProfile(of: finder.inputs, try noteUnreadable(finder))
  }

  /// Lists the inputs that cannot be read; returns what happens to archives that are not sound.
  mutating func noteUnreadable(
    _ finder: InputFinder
  ) throws(ConversionError) -> ConversionOptions.ErrorPolicy {
    let policy = options.policy(for: finder)
    try report.note(finder, policy)
    return policy
  }

  /// Takes the profile of all archives.
  ///
  /// Several threads read files; what they find is put together in the order of the inputs.
  ///
  /// - Parameters:
  ///   - inputs: The files.
  ///   - policy: What happens to a file that is not sound.
  ///   - leftOut: The paths of archives that are left out: they break rules.
  /// - Returns: The archives that are sound, of which there is one at least, and their profile.
  ///   Those inside of others stand after them; those with the bytes of one before are left out.
  /// - Throws: `ConversionError` if nothing is left, or the policy is to stop.
  mutating func takeProfile(
    of inputs: [InputFinder.Input], _ policy: ConversionOptions.ErrorPolicy,
    leavingOut leftOut: Set<String> = []
  ) throws(ConversionError) -> ([ArchiveSurveyor.SurveyedArchive], SchemaProfile) {
    let before = report
    let found = try survey(inputs, policy, leavingOut: leftOut)
    // The evidence is the same whatever the records are: once more is enough.
    guard !decideRecords(found.profile.records) else { return (found.archives, found.profile) }
    report = before
    meter?.note(.records)
    let decided = try survey(inputs, policy, leavingOut: leftOut)
    return (decided.archives, decided.profile)
  }

  /// Takes the profile of all archives, with the records that are known.
  private mutating func survey(
    _ inputs: [InputFinder.Input], _ policy: ConversionOptions.ErrorPolicy,
    leavingOut leftOut: Set<String>
  ) throws(ConversionError) -> ArchiveSurveyor.SurveyedFiles {
    let candidates = inputs.filter { !leftOut.contains($0.path) }
    meterReading(of: inputs)
    var found = ArchiveSurveyor.SurveyedFiles()
    beginNoting(candidates)
    meter?.begin(.reading, self.candidates, done: self.candidates.filter { surveys[$0] != nil })
    let surveyor = ArchiveSurveyor(
      options: options, classesReadAsObjects: classesReadAsObjects, leftOut: leftOut,
      openArchives: openArchives, meter: meter)
    let work = OrderedWork(candidates, jobs: options.jobs, isEager: false) { [surveys] in
      var kept = ArchiveSurveyor.Kept()
      return { input in surveys[input.path] ?? surveyor.survey(input, &kept) }
    }
    surveys = [:]
    defer { work.cancel() }
    for input in candidates {
      if let result = work.next() { try note(result, of: input, policy, &found) }
    }
    guard found.archives.isEmpty else { return found }
    let rejected = report.archives.filter { $0.outcome == .rejected }
    if rejected.isEmpty {
      throw .noArchive(FruitlessSearch(self.inputs, report, options.filter))
    }
    throw .allRejected(rejected.map { ($0.path, $0.error ?? "") })
  }

  /// Begins to note what is found in files.
  mutating func beginNoting(_ files: [InputFinder.Input]) {
    nestedInputs = [:]
    duplicates = [:]
    storeMetadata = []
    candidates = files.map(\.path)
    inputStates = []
    inputStates.reserveCapacity(files.count)
  }

  /// Notes what was found in the next file.
  ///
  /// - Parameters:
  ///   - result: What was found, or why it is rejected.
  ///   - input: The file.
  ///   - policy: What happens to one that is not sound.
  ///   - files: What was found in those before.
  /// - Returns: The archives to be converted: none of a file that is left out.
  /// - Throws: `ConversionError` if the policy is to stop.
  @discardableResult
  mutating func note(
    _ result: Result<ArchiveSurveyor.Survey, ArchiveError>, of input: InputFinder.Input,
    _ policy: ConversionOptions.ErrorPolicy, _ files: inout ArchiveSurveyor.SurveyedFiles
  ) throws(ConversionError) -> [ArchiveSurveyor.SurveyedArchive] {
    switch result {
    case .success(let found):
      inputStates.append(found.sha256)
      nestedInputs[input.path] = found.nested.isEmpty ? nil : found.nested
      if let first = files.firsts[found.sha256] {
        skip(found, as: first)
        return []
      }
      files.firsts[found.sha256] = input.path
      if let metadata = found.metadata { storeMetadata.append(metadata) }
      if let migration = found.migration {
        report.migrations.append(migration.report)
        comparedSteps[input.path] = migration.verification
      }
      report.storeNotes += found.remarks.map { "\(input.path): \($0)" }
      if !found.isWhole { report.leavesPartsOfStores = true }
      files.profile.merge(found.profile)
      files.archives += found.archives
      report.archives += found.rejected
      return found.archives
    case .failure(let error):
      inputStates.append("\(error)")
      if error.code == .notAnArchive, !input.isNamed {
        try report.skip(input.path, policy)
        return []
      }
      guard policy == .skip else { throw .rejected(path: input.path, error) }
      report.archives.append(.init(path: input.path, outcome: .rejected, error: "\(error)"))
      return []
    }
  }

  /// Tells how far the conversion comes from now on, if somebody asks for it.
  mutating func meterReading(of inputs: [InputFinder.Input]) {
    guard meter == nil, let onProgress = options.onProgress else { return }
    meter = ProgressMeter(inputs.map(\.path), onProgress)
  }

  /// Lists a file that has the same bytes as one before it; what is inside of it goes with it.
  private mutating func skip(_ found: ArchiveSurveyor.Survey, as first: String) {
    let path = found.archives[0].input.path
    duplicates[path] = first
    var entry = found.archives[0].entry
    entry.outcome = .skipped
    entry.duplicateOf = first
    entry.damages = []
    entry.damageCount = 0
    entry.unlistedDamages = UnlistedEntries()
    report.archives.append(entry)
    for input in found.nested {
      report.archives.append(
        .init(
          path: input.path, outcome: .skipped, place: input.nesting?.place,
          duplicateOf: first + input.path.dropFirst(path.count)))
    }
  }
}
