import ArchiveReader
import Support

/// The second reading: one archive after the other has its turn.
extension Conversion {
  /// An archive that is to be imported, and its id in the store.
  struct ImportJob: Sendable {
    var archive: ArchiveSurveyor.SurveyedArchive
    var id: Int64
    /// The id of the archive around it.
    var parent: Int64?
    /// True if the file that it is in, or is, has no archive after it.
    var isLastOfFile = true

    /// The archive, as it is compared.
    var verified: VerifiedArchive {
      VerifiedArchive(
        id: id, path: archive.input.path, parent: parent, place: archive.input.nesting?.place)
    }
  }

  /// The archives that are to be converted: those that the same request has converted already are
  /// left out.
  mutating func importJobs(
    of archives: [ArchiveSurveyor.SurveyedArchive], after known: StoreContent, _ fingerprint: String
  ) -> [ImportJob] {
    let done = known.archives[fingerprint] ?? [:]
    knownArchives = []
    var importJobs: [ImportJob] = []
    // An archive inside of another stands after it: the ids of those that it is in.
    var ids: [Int64] = []
    var skipped: Set<String> = []
    for archive in archives {
      let input = archive.input
      // What is inside of an archive goes with it.
      if let nesting = input.nesting, skipped.contains(nesting.file) {
        report.archives.append(.init(path: input.path, outcome: .skipped, place: nesting.place))
        continue
      }
      if input.nesting == nil, let id = done[archive.sha256] {
        knownArchives.append(id)
        report.archives.append(
          .init(path: input.path, sha256: archive.sha256, outcome: .skipped, error: nil))
        skipped.insert(input.path)
        continue
      }
      let id = known.lastArchive + Int64(importJobs.count + 1)
      ids.removeLast(max(0, ids.count - (input.nesting?.depth ?? 0)))
      if input.nesting != nil, !importJobs.isEmpty {
        importJobs[importJobs.count - 1].isLastOfFile = false
      }
      importJobs.append(ImportJob(archive: archive, id: id, parent: ids.last))
      ids.append(id)
    }
    // What the store has already is no duplicate of this run's.
    for index in report.archives.indices where report.archives[index].duplicateOf != nil {
      if report.archives[index].sha256.map({ done[$0] != nil }) == true {
        report.archives[index].duplicateOf = nil
      }
    }
    return importJobs
  }

  /// The state of a pass that the turns of archives need.
  struct Pass {
    var index: Int
    /// True if no other pass comes.
    var isLast: Bool
    var store: StoreWriter
    /// Tells that the file is kept, from the first checkpoint on; nil if there are to be none.
    var keeping: StoreFile.Keeping?
    var pacer: Checkpoint.Pacer
    /// The request that checkpoints are for, as long as there is none with all inputs that a run
    /// could go on with.
    var request: Checkpoint.Request?
    /// The number of archives.
    var archiveCount: Int
    /// The number of bytes of the list of losses, after those in memory, that checkpoints have
    /// kept.
    var keptLossBytes: Int64 = 0
  }

  /// Writes what a pass makes of the archives.
  ///
  /// - Parameters:
  ///   - importJobs: All archives.
  ///   - done: The number of archives that a run before has done.
  ///   - pass: The pass.
  ///   - run: The run.
  /// - Throws: Any error that ends the pass.
  mutating func importArchives(
    _ importJobs: [ImportJob], behind done: Int, _ pass: inout Pass, _ run: inout ImportRun
  ) throws {
    let paths = Self.files(of: importJobs[...])
    meter?.begin(.writing, paths, done: Self.files(of: importJobs.prefix(done)))
    let rest = importJobs.dropFirst(done)
    if rest.count > 1, run.writesNothingButPlainRows {
      try importGroups(of: rest, &pass, &run)
    } else {
      try importInTurn(rest, &pass, &run)
    }
    openChain = nil
  }

  /// Writes archives one after the other.
  mutating func importInTurn(
    _ importJobs: ArraySlice<ImportJob>, _ pass: inout Pass, _ run: inout ImportRun
  ) throws {
    var opener = FileOpener(Self.files(of: importJobs), archiveOpener(pass))
    defer { opener.cancel() }
    for job in importJobs {
      try importArchive(job, pass, &opener, &run)
      try keepIfDue(after: job, &pass, run)
    }
  }

  /// Writes archives that become nothing but plain rows: several threads prepare them in groups.
  private mutating func importGroups(
    of importJobs: ArraySlice<ImportJob>, _ pass: inout Pass, _ run: inout ImportRun
  ) throws {
    let groups = ArchiveBatch.groups(of: importJobs, options)
    let setting = preparing(pass, run.plan, takesProfile: false)
    let work = OrderedWork(groups, jobs: options.jobs) {
      let preparer = ArchiveBatch.Worker(setting)
      return { preparer.prepare($0) }
    }
    defer { work.cancelAndWait() }
    for group in groups {
      guard let prepared = work.next() ?? nil, let first = group.importJobs.first,
        let last = group.importJobs.last
      else {
        try importInTurn(group.importJobs, &pass, &run)
        continue
      }
      if pass.index == 0 { report.archives += group.importJobs.map(\.archive.entry) }
      try insert(prepared, afterArchive: first.id - 1, pass, run)
      for path in Self.files(of: group.importJobs) { meter?.end(path) }
      try keepIfDue(after: last, &pass, run)
    }
  }

  /// Inserts the rows that another thread has prepared, after those of the store.
  mutating func insert(
    _ prepared: ArchiveBatch.Worker.PreparedBatch, afterArchive archive: Int64, _ pass: Pass,
    _ run: ImportRun
  ) throws(StoreError) {
    let context = run.context
    try pass.store.insert(prepared.batches, after: context.lastRows, archive: archive)
    context.lastRows = context.lastRows.followed(by: prepared.lastRows)
    context.report.add(prepared.findings)
    report.add(prepared.counts)
  }

  func archiveOpener(_ pass: Pass) -> FileOpener.ArchiveOpener {
    FileOpener.ArchiveOpener(openArchives: openArchives, isLast: pass.isLast, options: options)
  }

  /// Keeps what is done, after an archive, if it is time to.
  private func keepIfDue(
    after job: ImportJob, _ pass: inout Pass, _ run: ImportRun
  ) throws(StoreError) {
    // What is inside of a file goes with it. A store that is added to is not kept: so ids count.
    if job.isLastOfFile { try keepIfDue(archives: Int(job.id), &pass, run) }
  }

  /// Keeps what is done, so many archives, if it is time to.
  func keepIfDue(archives done: Int, _ pass: inout Pass, _ run: ImportRun) throws(StoreError) {
    let count = pass.archiveCount
    guard let keeping = pass.keeping, pass.pacer.isDue(isLast: done == count) else { return }
    pass.pacer.note()
    let beginning = pass.request.map { request in
      Checkpoint.Beginning(request: request, inputs: inputMarks)
    }
    // Where files are still being read, there are more of them next time.
    if pass.request?.prediction == nil { pass.request = nil }
    let losses = (run.context.report.unlistedLosses, from: pass.keptLossBytes)
    pass.keptLossBytes = losses.0.byteCount
    try pass.store.checkpoint(progress(of: run, archives: done), losses, beginning: beginning) {
      [onStage, options] in
      keeping.isOn = true
      onStage?(.checkpoint(archives: done, of: count))
      options.onCheckpoint?(done)
    }
  }

  /// The paths of the files that archives are.
  private static func files(of importJobs: ArraySlice<ImportJob>) -> [String] {
    importJobs.lazy.map(\.archive.input).filter { $0.nesting == nil }.map(\.path)
  }

  private mutating func importArchive(
    _ job: ImportJob, _ pass: Pass, _ opener: inout FileOpener, _ run: inout ImportRun
  ) throws {
    let input = job.archive.input
    do {
      let path = input.nesting?.file ?? input.path
      meter?.begin(path)
      let outer = try opener.file(at: path)
      let file = try open(input, in: outer)
      run.ticker =
        input.nesting == nil ? ObjectTicker(meter, path) : ObjectTicker(meter)
      let counts: ImportCounts
      do {
        counts = try run.importArchive(file.source, id: job.id, path: input.path)
      } catch let error as ArchiveError where error.code == .unplanned {
        // One that was opened again may be another by now, for which there is no plan.
        try check(file, job.archive)
        try outer.check()
        throw error
      }
      let profile = run.takesProfile ? run.takeProfile() : nil
      let archive = try speculation?.archive?.confirm(profile) ?? job.archive
      if pass.index == 0 {
        var confirmed = job
        confirmed.archive = archive
        try pass.store.insert(confirmed, file.source)
        report.archives.append(archive.entry)
      }
      try check(file, archive)
      try outer.check()
      report.add(counts)
      if job.isLastOfFile { meter?.end(path) }
    } catch is Speculation.WrongGuess {
      // Told to nobody: the conversion starts over.
      throw ConversionError.rejected(path: input.path, .unplanned)
    } catch let error as ArchiveError {
      // The archive was sound a moment ago.
      throw ConversionError.rejected(path: input.path, error)
    }
  }
}
