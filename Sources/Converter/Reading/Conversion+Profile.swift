import ArchiveReader
import Importer
import Support
import Synchronization

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
  /// - Returns: The archives that are sound, of which there is one at least but in a shard, and
  ///   their profile. Those inside of others stand after them; those with the bytes of one before
  ///   are left out.
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
  mutating func survey(
    _ inputs: [InputFinder.Input], _ policy: ConversionOptions.ErrorPolicy,
    leavingOut leftOut: Set<String>
  ) throws(ConversionError) -> ArchiveSurveyor.SurveyedFiles {
    let candidates = inputs.filter { !leftOut.contains($0.path) }
    meterReading(of: inputs)
    var found = ArchiveSurveyor.SurveyedFiles()
    found.firsts = shard?.copies ?? [:]
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
    // Of a shard, all may be copies of archives in others.
    guard found.archives.isEmpty, shard == nil else { return found }
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
      guard policy == .skip, error.code != .unplanned else {
        throw .rejected(path: input.path, error)
      }
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

/// Dictionaries that become rows: which do is found out as the archives are read.
extension Conversion {
  /// Begins with what is known before any archive is read.
  mutating func beginRecords(_ configuration: ImportConfiguration) {
    guard options.decidesRecords, recordPolicy == nil else { return }
    var policy = configuration.recordPolicy(options)
    // Rules of earlier runs hold for the paths that they came across.
    if earlierTables.hasRuns, earlierTables.records == nil, options.dictionaries == nil {
      policy.others = .pairs
    }
    recordPolicy = policy
    guard policy.allowsRecords else { return }
    options.recordRules = rules(for: RecordEvidence())
  }

  /// Decides by what was found; returns whether what was decided before stays.
  mutating func decideRecords(_ evidence: RecordEvidence) -> Bool {
    guard !confirmsRecords(evidence) else { return true }
    options.recordRules = rules(for: evidence)
    openArchives.reopen(options.sourceOpener)
    return false
  }

  /// True if the evidence leads to the rules that were decided before.
  func confirmsRecords(_ evidence: RecordEvidence) -> Bool {
    guard options.decidesRecords, options.recordRules != nil else { return true }
    return rules(for: evidence) == options.recordRules
  }

  private func rules(for evidence: RecordEvidence) -> RecordRules {
    RecordRules(
      evidence, recordPolicy ?? RecordRules.Policy(.pairs),
      earlier: earlierTables.records ?? RecordRules())
  }
}

/// Lists in typedstreams: which positions are some is found out before any archive is converted.
extension Conversion {
  /// Looks at all typedstreams.
  ///
  /// - Parameters:
  ///   - inputs: The files.
  ///   - evenOfOne: Whether a single one is looked at however large it is, though it shows the same
  ///     when it is read.
  mutating func beginPositions(_ inputs: [InputFinder.Input], evenOfOne: Bool = false) {
    // A comparison goes by the rules that its store remembers.
    guard options.decidesRecords else { return }
    let streams = inputs.filter { $0.isNamed ? Self.isTypedstream($0) : $0.isTypedstream }
    guard let first = streams.first else { return }
    if streams.count == 1, !evenOfOne, !earlierTables.hasRuns {
      let file = try? ByteStorage(contentsOf: first.path)
      guard let file, file.count <= Self.smallSize else { return }
    }
    options.positions = positionEvidence(in: streams)
      .rules(options.positions, earlier: earlierTables.positions)
  }

  /// The groups of objects in the typedstreams among files.
  func positionEvidence(in inputs: [InputFinder.Input]) -> PositionEvidence {
    let streams = inputs.filter { $0.isNamed ? Self.isTypedstream($0) : $0.isTypedstream }
    guard !streams.isEmpty else { return PositionEvidence() }
    let parts = Mutex<[Int: PositionEvidence]>([:])
    let limits = options.limits
    WorkerThread.perform(iterations: (streams.count - 1) / Self.partSize + 1) { number in
      var evidence = PositionEvidence()
      for stream in streams[(number * Self.partSize)...].prefix(Self.partSize) {
        guard let bytes = try? ByteStorage(contentsOf: stream.path) else { continue }
        evidence.add(bytes.borrowed, limits: limits)
      }
      parts.withLock { $0[number] = evidence }
    }
    var evidence = PositionEvidence()
    let found = parts.withLock { $0.sorted { $0.key < $1.key } }
    for part in found { evidence.merge(part.value) }
    return evidence
  }

  /// A single stream up to this size is looked at for those that are added later.
  private static let smallSize = 4 << 20
  /// Threads look at this many streams at a time.
  private static let partSize = 64

  private static func isTypedstream(_ input: InputFinder.Input) -> Bool {
    let file = try? ByteStorage(contentsOf: input.path)
    return file.map { FileKind($0.head) == .typedStream } ?? false
  }
}

extension SchemaProfile {
  /// Names in options that the archives do not have.
  ///
  /// - Parameters:
  ///   - seeThrough: The classes of the option `--see-through`.
  ///   - stripPrefix: The prefix of the option `--strip-prefix`.
  /// - Returns: The classes that are not there, and the prefix if no class has it.
  func unusedOptions(
    seeThrough: [String], stripPrefix: String?
  ) -> [ConversionReport.UnusedName] {
    let rules = NameRules(stripPrefix: stripPrefix)
    let prefix =
      classes.contains { rules.entity($0.name) != NameRules().entity($0.name) }
      ? nil : stripPrefix
    return unusedClasses(among: seeThrough.map { Marked($0) }).map {
      ConversionReport.UnusedName($0, path: ConversionReport.UnusedName.seeThroughOption)
    }
      + [prefix].compactMap(\.self).map {
        ConversionReport.UnusedName(
          MappingError.Problem(.unusedPrefix, name: $0),
          path: ConversionReport.UnusedName.stripPrefixOption)
      }
  }
}

/// Archives of the second reading.
extension Conversion {
  /// Opens an archive: the file that it is, or one inside of it.
  mutating func open(
    _ input: InputFinder.Input, in file: ArchiveFile
  ) throws(ArchiveError) -> ArchiveFile {
    try OpenChain.open(input, in: file, &openChain, options)
  }

  /// Refuses a file that is not what it was in the first reading.
  ///
  /// - Parameters:
  ///   - file: The file, which may have been opened again.
  ///   - archive: What was found then; its digest is empty as long as none is known.
  /// - Throws: `ArchiveError` if it is another.
  func check(_ file: ArchiveFile, _ archive: ArchiveSurveyor.SurveyedArchive) throws(ArchiveError) {
    guard archive.input.nesting != nil || archive.sha256.isEmpty || file.sha256 == archive.sha256
    else { throw .changed }
  }
}
