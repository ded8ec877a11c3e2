import ArchiveReader
import CoreDataStores
import Importer
import Support

/// Archives that become nothing but plain rows, small ones, whose turns one thread prepares
/// together.
///
/// Their rows are numbered by themselves, so several threads prepare several groups at the same
/// time.
struct ArchiveBatch: Sendable {
  var importJobs: ArraySlice<Conversion.ImportJob>
  /// True if they are prepared at all: the rows of a large archive would take too much memory.
  var isPrepared: Bool

  /// Puts archives into groups; those of one file stay together.
  ///
  /// - Parameters:
  ///   - importJobs: The archives.
  ///   - options: The options, which may ask to keep at once what is done.
  /// - Returns: The groups.
  static func groups(
    of importJobs: ArraySlice<Conversion.ImportJob>, _ options: ConversionOptions
  ) -> [ArchiveBatch] {
    // Where files end.
    let ends = importJobs.indices.filter { importJobs[$0].isLastOfFile }.map { $0 + 1 }
    let starts = [importJobs.startIndex] + ends.dropLast()
    let sizes = zip(starts, ends).map { start, end in
      importJobs[start..<end].reduce(0) { $0 + ($1.archive.entry.bytes ?? 0) }
    }
    return Groups(sizes, isEach: options.checkpointInterval == .zero).ranges.map { files in
      ArchiveBatch(
        importJobs: importJobs[starts[files.lowerBound]..<ends[files.upperBound - 1]],
        isPrepared: sizes[files.lowerBound] <= Groups.largestFile)
    }
  }
}

extension ArchiveBatch {
  /// Puts small files that stand one after the other into groups, each of which one thread works
  /// on.
  ///
  /// There are many groups for each thread, and the last ones are small, so that none is done long
  /// before the others. Their number does not depend on that of the threads, nor does the order in
  /// which a store's pages are written.
  struct Groups {
    /// Larger files, in bytes, are in no group with others: their rows would take too much memory.
    static let largestFile = 1 << 20
    /// The greatest size of the files of a group, in bytes, and the greatest number of files in it.
    private static let maxBytes = 3 << 19
    private static let maxFiles = 256

    /// The groups, by the indices of their files.
    private(set) var ranges: [Range<Int>] = []

    /// - Parameters:
    ///   - sizes: The size of each file, in bytes.
    ///   - isEach: True if each file is in a group of its own.
    init(_ sizes: [Int], isEach: Bool) {
      let maxFiles = isEach ? 1 : Self.maxFiles
      var rest = sizes.reduce(0, +)
      let usual = min(Self.maxBytes, rest / 64)
      var start = 0
      var bytes = 0
      var enough = usual
      for (index, size) in sizes.enumerated() {
        if index > start,
          bytes >= enough || index - start == maxFiles || size > Self.largestFile
        {
          ranges.append(start..<index)
          rest -= bytes
          (start, bytes) = (index, 0)
          enough = max(min(usual, rest / 8), usual / 8)
        }
        bytes += size
      }
      if start < sizes.count { ranges.append(start..<sizes.count) }
    }
  }
}

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
