import ArchiveReader

extension Conversion {
  /// Compares the finished store with the archives; the result is in the report.
  mutating func verify(
    _ path: String, _ turns: [ArchiveTurn], _ inputs: [InputFinder.Input], _ plan: ImportPlan,
    _ census: Census, _ guide: ImportGuide, after known: StoreContent, passes: Int
  ) throws {
    willVerify(path)
    let comparison = try StoreComparison(
      path: path, comparesPaths: true, jobs: options.jobs)
    try comparison.begin(after: known, plan.layout)
    if let first = turns.first, let last = turns.last {
      let record: [String: StoredValue] = [
        "mapping": guide.mappingText.map { .text($0) } ?? .null,
        "model_digest": (guide.model?.digest()).map { .text($0) } ?? .null,
        "fingerprint": .text(guide.fingerprint(options)),
        "first_archive": .integer(first.id), "last_archive": .integer(last.id),
      ]
      try compare(
        StoreComparison.Run(
          plan: plan, census: census, passes: passes, turns: turns, record: record),
        inputs, by: comparison)
    }
    try comparison.finish()
    report.verification = comparison.findings.result
  }

  /// Compares a store in the layout of Core Data with the one that it was copied from.
  mutating func verifyCopy(
    _ path: String, of relational: String, _ plan: ImportPlan, _ guide: ImportGuide
  ) throws {
    guard let source = guide.source else { return }
    willVerifyCopy(path)
    let result = try CoreDataComparison(path, copiedFrom: relational, source, plan).compare()
    report.verification = report.verification?.adding(result) ?? result
  }

  /// Compares one run.
  mutating func compare(
    _ run: StoreComparison.Run, _ inputs: [InputFinder.Input], by comparison: StoreComparison
  ) throws {
    let places = Dictionary(
      zip(inputs.map(\.path), inputs), uniquingKeysWith: { first, _ in first })
    // One after the other has its turn; those that are open need not be opened again.
    var opener = self
    opener.openChain = nil
    var current: (path: String, file: ArchiveFile)?
    do {
      try comparison.compare(run) { turn in
        guard let input = places[turn.path] else {
          throw ConversionError.unreadable(path: turn.path, reason: "it was not found")
        }
        do throws(ArchiveError) {
          let path = input.nesting?.file ?? input.path
          if current?.path != path {
            try current?.file.check()
            current = nil
            if let file = opener.openArchives.take(path) {
              current = (path, file)
            } else {
              let file = try ArchiveFile(
                path: path, limits: opener.options.limits, salvages: opener.options.salvages)
              current = (path, file)
            }
          }
          guard let file = current?.file else { throw opener.changed() }
          return try opener.open(input, in: file)
        } catch {
          throw ConversionError.rejected(path: turn.path, error)
        }
      }
      if let current {
        do throws(ArchiveError) {
          try current.file.check()
        } catch {
          throw ConversionError.rejected(path: current.path, error)
        }
      }
    } catch let error as ArchiveError {
      throw ConversionError.unreadable(path: destination, reason: "\(error)")
    }
  }
}
