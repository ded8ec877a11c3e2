import ArchiveReader

/// The second reading: one archive after the other has its turn.
extension Conversion {
  /// An archive whose turn comes, and its id in the store.
  struct Turn {
    var archive: SurveyedArchive
    var id: Int64
    /// The id of the archive around it.
    var parent: Int64?
    /// Whether the file that it is in, or is, has no archive behind it.
    var isLastOfFile = true
  }

  /// The archives that are to be converted: those that the same request has converted already are
  /// left out.
  mutating func turns(
    of archives: [SurveyedArchive], after known: StoreContent, _ fingerprint: String
  ) -> [Turn] {
    let done = known.archives[fingerprint] ?? []
    var turns: [Turn] = []
    // An archive inside of another stands behind it: the ids of those that it is in.
    var ids: [Int64] = []
    var skipped: Set<String> = []
    for archive in archives {
      let input = archive.input
      // What is inside of an archive goes with it.
      if let nesting = input.nesting, skipped.contains(nesting.file) {
        report.archives.append(.init(path: input.path, outcome: .skipped, place: nesting.place))
        continue
      }
      if input.nesting == nil, done.contains(archive.sha256) {
        report.archives.append(
          .init(path: input.path, sha256: archive.sha256, outcome: .skipped, error: nil))
        skipped.insert(input.path)
        continue
      }
      let id = known.lastArchive + Int64(turns.count + 1)
      ids.removeLast(max(0, ids.count - (input.nesting?.depth ?? 0)))
      if input.nesting != nil, !turns.isEmpty { turns[turns.count - 1].isLastOfFile = false }
      turns.append(Turn(archive: archive, id: id, parent: ids.last))
      ids.append(id)
    }
    // What the store has already is no duplicate of this run's.
    for number in report.archives.indices where report.archives[number].duplicateOf != nil {
      if report.archives[number].sha256.map(done.contains) == true {
        report.archives[number].duplicateOf = nil
      }
    }
    return turns
  }

  /// Writes what a pass makes of the archives.
  ///
  /// - Parameters:
  ///   - turns: All archives.
  ///   - done: How many of them a run before has done.
  ///   - pass: The number of the pass.
  ///   - passes: How many there are.
  ///   - store: The store.
  ///   - keeping: Tells that the file is kept, from the first checkpoint on; nil if there are to be
  ///     none.
  ///   - run: The run.
  /// - Throws: What stands in the way.
  mutating func importArchives(
    _ turns: [Turn], behind done: Int, _ pass: Int, of passes: Int, _ store: StoreWriter,
    _ keeping: StoreFile.Keeping?, _ run: inout ImportRun
  ) throws {
    let paths = Self.files(of: turns)
    let donePaths = Self.files(of: turns.prefix(done))
    meter?.begin(.writing, paths, done: donePaths)
    var opener = FileOpener(
      Array(paths.dropFirst(donePaths.count)), openArchives, isLast: pass == passes - 1, options)
    defer { opener.cancel() }
    var pacer = CheckpointPacer(options.checkpointInterval)
    for (number, turn) in turns.enumerated().dropFirst(done) {
      try importArchive(turn, pass, &opener, store, &run)
      // What is inside of a file goes with it.
      guard let keeping, turn.isLastOfFile, pacer.isDue(isLast: number + 1 == turns.count) else {
        continue
      }
      pacer.note()
      try store.checkpoint(progress(of: run, archives: number + 1)) {
        [onStage, options, count = turns.count] in
        keeping.isOn = true
        onStage?(.checkpoint(archives: number + 1, of: count))
        options.onCheckpoint?(number + 1)
      }
    }
    openChain = nil
  }

  /// The paths of the files that archives are.
  private static func files(of turns: some Sequence<Turn>) -> [String] {
    turns.map(\.archive.input).filter { $0.nesting == nil }.map(\.path)
  }

  private mutating func importArchive(
    _ turn: Turn, _ pass: Int, _ opener: inout FileOpener, _ store: StoreWriter,
    _ run: inout ImportRun
  ) throws {
    let input = turn.archive.input
    do {
      let path = input.nesting?.file ?? input.path
      meter?.begin(path)
      let file = try open(input, in: try opener.file(at: path))
      let counts = try run.importArchive(file.archive, id: turn.id, path: input.path)
      let archive = try earlyStart?.confirm(run.census) ?? turn.archive
      if pass == 0 {
        try store.insert(
          file.archive, path: input.path, sha256: archive.sha256, id: turn.id,
          parent: turn.parent, place: input.nesting?.place)
        report.archives.append(archive.entry)
      }
      // One that was opened again may be another by now.
      guard input.nesting != nil || file.sha256 == archive.sha256 else {
        throw changed()
      }
      report.add(counts, of: input.path)
      if turn.isLastOfFile { meter?.end(path) }
    } catch let error as ArchiveError {
      // The archive was sound a moment ago.
      throw ConversionError.rejected(path: input.path, error)
    }
  }
}
