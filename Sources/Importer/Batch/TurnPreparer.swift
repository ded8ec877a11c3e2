import ArchiveReader

/// What becomes of a group of archives, ready for the store.
struct PreparedTurns: Sendable {
  /// Their rows.
  var batches: [RowBatch]
  /// What was written, with the archive of which values were lost.
  var counts: [(path: String, counts: ImportCounts)]
  /// What was noticed.
  var findings: ImportFindings
  /// The last rows after them.
  var lastRows: LastRows
}

/// Prepares the rows of archives that become nothing but plain rows, on a thread of its own.
final class TurnPreparer {
  /// What preparers of several threads share.
  struct Setting: Sendable {
    let plan: ImportPlan
    let pass: Int
    let store: StoreWriter.GatheringPlan
    let library: ReaderLibrary
    let opener: ArchiveOpener
    let options: ConversionOptions
    let meter: ProgressMeter?
  }

  private let setting: Setting
  private let store: StoreWriter
  private var run: ImportRun
  private let arena = ByteArena()

  init(_ setting: Setting) {
    self.setting = setting
    store = StoreWriter(gatheringFor: setting.store)
    run = ImportRun(
      setting.plan, store, StoreContent(setting.plan.layout), isAppending: false,
      library: setting.library)
    run.meter = setting.meter
    begin()
  }

  private func begin() { run.begin(pass: setting.pass, of: setting.plan.passes.count) }

  /// Prepares a group of archives.
  ///
  /// - Parameter group: The group.
  /// - Returns: Nil if it is left to whoever writes the store: since it is too large, or something is
  ///   wrong, which is met there again, in the order of the archives.
  func prepare(_ group: TurnGroup) -> PreparedTurns? {
    guard group.isPrepared else { return nil }
    run.context.lastRows = group.lastRows
    do {
      var counts = try write(group.turns)
      counts.append(("", run.takeCounts()))
      let findings = run.context.report
      run.context.report = ImportFindings()
      return PreparedTurns(
        batches: try store.takeBatches(), counts: counts, findings: findings,
        lastRows: run.context.lastRows)
    } catch {
      store.discardBatches()
      run.context.report = ImportFindings()
      begin()
      return nil
    }
  }

  /// Writes archives; returns the counts of those of which something was lost.
  private func write(
    _ turns: ArraySlice<Conversion.Turn>
  ) throws -> [(path: String, counts: ImportCounts)] {
    var counts: [(path: String, counts: ImportCounts)] = []
    var chain: OpenChain?
    for turn in turns {
      let input = turn.archive.input
      if input.nesting == nil {
        setting.meter?.begin(input.path)
        chain = OpenChain(try setting.opener.open(input.path, in: arena))
      }
      guard let file = try chain?.open(input.nesting?.data ?? [], setting.options),
        input.nesting != nil || file.sha256 == turn.archive.sha256
      else { throw ArchiveError(.unreadable, name: "it changed while it was read") }
      if setting.pass == 0 { try store.insert(turn, file.archive) }
      try run.writePlainRows(of: file.archive, id: turn.id, path: input.path)
      if run.hasLosses { counts.append((input.path, run.takeCounts())) }
    }
    return counts
  }
}

extension StoreWriter {
  /// Inserts the row of an archive.
  func insert(_ turn: Conversion.Turn, _ archive: KeyedArchive) throws(StoreError) {
    try insert(
      archive, path: turn.archive.input.path, sha256: turn.archive.sha256, id: turn.id,
      parent: turn.parent, place: turn.archive.input.nesting?.place)
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
  }
}
