import ArchiveReader
import CoreDataStores
import Importer
import Support

extension ArchiveBatch.Worker {
  /// The rows and findings of a group of archives, ready for the store.
  struct PreparedBatch: Sendable {
    /// Their rows, whose ids are counted from 1 on.
    var batches: [RowBatch]
    /// The counts of rows and values that were written.
    var counts: ImportCounts
    /// The errors, losses and conflicts that were noticed.
    var findings: ImportFindings
    /// The last rows.
    var lastRows: LastRows
    /// The profile of the archives, if it was taken.
    var profile: SchemaProfile?
  }
}

extension ArchiveBatch.Worker {
  /// The rows and findings of a group of files that were not read before.
  struct PreparedFiles: Sendable {
    var batch: PreparedBatch
    /// For each file, the archive, or why it is rejected.
    var archives: [Result<ArchiveSurveyor.SurveyedArchive, ArchiveError>]
  }
}

extension ArchiveBatch {
  /// Prepares the rows of archives that become nothing but plain rows, on a thread of its own.
  final class Worker {
    /// The settings that preparers of several threads share.
    struct Setting: Sendable {
      let plan: ImportPlan
      let pass: Int
      let takesProfile: Bool
      let store: StoreWriter.GatheringPlan
      let library: GraphLibrary
      let opener: FileOpener.ArchiveOpener
      let options: ConversionOptions
      let meter: ProgressMeter?
    }

    private let setting: Setting
    private let store: StoreWriter
    private var run: ImportRun
    private let arena = ByteArena()
    private var readAhead = ReadAhead()

    init(_ setting: Setting) {
      self.setting = setting
      store = StoreWriter(gatheringFor: setting.store)
      run = ImportRun(
        setting.plan, ImportExtensions(), store, StoreContent(setting.plan.layout),
        isAppending: false,
        library: setting.library)
      run.ticker = ObjectTicker(setting.meter)
      run.takesProfile = setting.takesProfile
      begin()
    }

    private func begin() { run.begin(pass: setting.pass, of: setting.plan.passes.count) }

    /// Prepares a group of archives.
    ///
    /// - Parameter group: The group.
    /// - Returns: Nil if it is left to whoever writes the store: since it is too large, or
    ///   something
    ///   is wrong, which is met there again, in the order of the archives.
    func prepare(_ group: ArchiveBatch) -> PreparedBatch? {
      guard group.isPrepared, let first = group.importJobs.first?.id else { return nil }
      readAhead.begin(
        group.importJobs.lazy.map(\.archive.input).filter { $0.nesting == nil }.map(\.path))
      return gather {
        var chain: OpenChain?
        for job in group.importJobs {
          let input = job.archive.input
          if input.nesting == nil { chain = OpenChain(try open(input)) }
          guard let file = try chain?.open(input.nesting?.data ?? [], setting.options),
            input.nesting != nil || file.sha256 == job.archive.sha256
          else { throw ArchiveError.changed }
          try write(job.counted(from: first), file)
        }
      }
    }

    /// Prepares a group of files that were not read before.
    ///
    /// - Parameter inputs: The files.
    /// - Returns: Nil if it is left to whoever writes the store, since something is wrong.
    func prepare(_ inputs: ArraySlice<InputFinder.Input>) -> PreparedFiles? {
      readAhead.begin(inputs.lazy.map(\.path))
      var archives: [Result<ArchiveSurveyor.SurveyedArchive, ArchiveError>] = []
      var evidence = RecordEvidence()
      var batch = gather {
        var id: Int64 = 0
        for input in inputs {
          let file: ArchiveFile
          do throws(ArchiveError) {
            file = try open(input)
          } catch {
            archives.append(.failure(error))
            continue
          }
          // The profile of a store is that of its model, not of what is written.
          guard !(file.source is any ModelledSource) else { throw Speculation.WrongGuess() }
          let archive = ArchiveSurveyor.SurveyedArchive(input, file, setting.options.spill)
          archives.append(.success(archive))
          evidence.merge(setting.options.recordEvidence(in: file.source))
          id += 1
          try write(Conversion.ImportJob(archive: archive, id: id), file)
        }
      }
      batch?.profile?.records = evidence
      return batch.map { PreparedFiles(batch: $0, archives: archives) }
    }

    private func open(_ input: InputFinder.Input) throws(ArchiveError) -> ArchiveFile {
      setting.meter?.begin(input.path)
      return try setting.opener.open(input.path, in: arena, isUnprobed: input.isUnprobed)
    }

    private func write(_ job: Conversion.ImportJob, _ file: ArchiveFile) throws {
      if setting.pass == 0 { try store.insert(job, file.source) }
      try run.writePlainRows(of: file.source, id: job.id, path: job.archive.input.path)
      try file.check()
    }

    /// Gathers what is written; returns nil if something is wrong.
    private func gather(_ body: () throws -> Void) -> PreparedBatch? {
      run.context.lastRows = LastRows(ids: setting.plan.layout.tables.map { _ in 0 }, collection: 0)
      run.context.report = ImportFindings(setting.options.spill)
      do {
        try body()
        let counts = run.takeCounts()
        return PreparedBatch(
          batches: try store.takeBatches(), counts: counts, findings: run.context.report,
          lastRows: run.context.lastRows, profile: setting.takesProfile ? run.takeProfile() : nil)
      } catch {
        store.discardBatches()
        begin()
        return nil
      }
    }
  }
}

extension Conversion {
  /// The settings for preparing archives on other threads.
  func preparing(_ pass: Pass, _ plan: ImportPlan, takesProfile: Bool)
    -> ArchiveBatch.Worker.Setting
  {
    ArchiveBatch.Worker.Setting(
      plan: plan, pass: pass.index, takesProfile: takesProfile, store: pass.store.gatheringPlan,
      library: library, opener: archiveOpener(pass), options: options, meter: meter)
  }
}

extension Conversion.ImportJob {
  /// The same turn among those of a group, of which the first has the id 1.
  fileprivate func counted(from first: Int64) -> Conversion.ImportJob {
    var job = self
    job.id -= first - 1
    job.parent = parent.map { $0 - (first - 1) }
    return job
  }
}

extension StoreWriter {
  /// Inserts the row of an archive.
  func insert(_ job: Conversion.ImportJob, _ archive: any GraphSource) throws(StoreError) {
    try insert(
      archive, path: job.archive.input.path, sha256: job.archive.sha256, id: job.id,
      parent: job.parent, place: job.archive.input.nesting?.place)
    guard let store = archive as? any CoreDataSource else { return }
    try insertMetadata(store.metadata.applicationRows.map(\.columns), archive: job.id)
  }
}

extension ImportFindings {
  /// Adds what was noticed of archives that become nothing but plain rows.
  mutating func add(_ other: ImportFindings) {
    for (name, passes) in other.visitedObjects {
      for (pass, count) in passes { visitedObjects[name, default: [:]][pass, default: 0] += count }
    }
    for (key, count) in other.unreadKeys { unreadKeys[key, default: 0] += count }
    for (key, count) in other.ignoredKeys { ignoredKeys[key, default: 0] += count }
    addLosses(of: other)
  }
}
