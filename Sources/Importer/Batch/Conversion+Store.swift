import ArchiveReader

extension Conversion {
  /// Builds the store; publishes it unless something is wrong.
  mutating func write(
    _ inputs: [InputFinder.Input], _ plan: ImportPlan, _ census: Census, _ guide: ImportGuide
  ) throws(ConversionError) -> ImportFindings {
    let untouched = report
    var lastPass = plan.passes.count
    var failure: ConversionReport.FailedPass?
    while true {
      do {
        let findings = try build(inputs, plan, census, guide, passes: lastPass)
        report.failedPass = failure
        return findings
      } catch let error as FailedPass {
        // What the passes before it wrote is complete in itself: it is written again without it.
        guard options.keepsCompletePasses, error.number > 0 else {
          // Archives that break the rules may be left out, unless a policy has ended the run.
          if error.findings.errorCount > 0, !error.isThrown { return error.findings }
          if error.findings.errorCount > 0 {
            report = untouched
            report.reject(error.findings)
            throw .invalid(error.findings.errors, count: error.findings.errorCount)
          }
          throw .hook(error.reason, pass: plan.passes[error.number].name)
        }
        report = untouched
        report.validationErrors = error.findings.errors.map(ConversionReport.BrokenRule.init)
        report.validationErrorCount = error.findings.errorCount
        failure = ConversionReport.FailedPass(
          name: plan.passes[error.number].name ?? "", reason: error.reason,
          kept: plan.passes[..<error.number].map { $0.name ?? "the first" })
        lastPass = error.number
      } catch let error as StoreError {
        // The store is built under another name, which is no concern of the user.
        throw .store(StoreError(error.code, path: destination, reason: error.reason))
      } catch let error as ConversionError {
        throw error
      } catch {
        throw .hook(FailedPass.words(error), pass: nil)
      }
    }
  }

  /// A pass that could not be completed.
  private struct FailedPass: Error {
    var number: Int
    var reason: String
    var findings: ImportFindings
    /// Whether a policy or hook ended it; else it has errors.
    var isThrown = false

    /// The words of an error that a hook or a policy threw: those of others may hold content.
    static func words(_ error: any Error) -> String {
      ImportFindings.words(of: error)
    }
  }

  private mutating func build(
    _ inputs: [InputFinder.Input], _ plan: ImportPlan, _ census: Census, _ guide: ImportGuide,
    passes: Int
  ) throws -> ImportFindings {
    let file = try StoreFile(destination: storePath)
    let appends = options.existingStore == .append && FileIdentity(path: destination) != nil
    if appends { try file.copyDestination() }
    let store = try StoreWriter(
      path: file.path, layout: plan.layout, withProvenance: options.recordsProvenance,
      withNesting: options.opensNested, appends: appends)
    let known = try appends ? StoreContent(store, plan.layout) : StoreContent(plan.layout)
    let fingerprint = guide.fingerprint(options)
    try store.insertClasses(
      census.classes.filter { !known.classes.contains($0.name) }.map { found in
        (found.name, found.hierarchy, plan.entityName(ofClass: found.name))
      })
    let turns = try turns(of: inputs, after: known, fingerprint)
    if let first = turns.first, let last = turns.last {
      try store.insertRun(
        id: known.lastRun + 1, guide.mappingText, guide.model?.digest(),
        options: guide.recordText(options, passes: passes < plan.passes.count ? passes : nil),
        fingerprint, archives: first.id...last.id)
    }
    var run = ImportRun(plan, store, known, isAppending: appends)
    if let onProgress = options.onPolicyProgress { run.onProgress(onProgress) }
    for pass in 0..<passes {
      do {
        run.begin(pass: pass, of: passes)
        for turn in turns { try importArchive(turn, pass, of: passes, store, &run) }
        openChain = nil
        try run.endPass()
      } catch let error where !(error is StoreError || error is ConversionError) {
        throw FailedPass(
          number: pass, reason: FailedPass.words(error), findings: run.context.report,
          isThrown: true)
      }
      guard run.context.report.errorCount == 0 || passes == 1 else {
        throw FailedPass(
          number: pass, reason: "\(run.context.report.errorCount) errors",
          findings: run.context.report)
      }
    }
    try run.finish()
    let findings = run.context.report
    guard findings.errorCount == 0 else { return findings }
    if plan.validates || appends { try report.count(store, plan) }
    try store.finish()
    if options.verifies {
      let turns = turns.map { turn in
        ArchiveTurn(
          id: turn.id, path: turn.input.path, parent: turn.parent, place: turn.input.nesting?.place)
      }
      try verify(file.path, turns, inputs, plan, census, guide, after: known, passes: passes)
      guard report.verification?.isPassed == true else { return findings }
    }
    guard !options.isDryRun else { return findings }
    willPublish()
    try file.publish(replacing: options.existingStore != .fail)
    report.noteStore()
    return findings
  }

  /// An archive whose turn comes, and its id in the store.
  private struct Turn {
    var input: InputFinder.Input
    var id: Int64
    /// The id of the archive around it.
    var parent: Int64?
  }

  /// The archives that are to be converted: those that the same request has converted already are
  /// left out.
  private mutating func turns(
    of inputs: [InputFinder.Input], after known: StoreContent, _ fingerprint: String
  ) throws(ConversionError) -> [Turn] {
    var turns: [Turn] = []
    // An archive inside of another stands behind it: the ids of those that it is in.
    var ids: [Int64] = []
    var skipped: Set<String> = []
    for input in inputs {
      do throws(ArchiveError) {
        // What is inside of an archive goes with it.
        if let nesting = input.nesting, skipped.contains(nesting.file) {
          report.archives.append(.init(path: input.path, outcome: .skipped, place: nesting.place))
          continue
        }
        if input.nesting == nil, let done = known.archives[fingerprint], !done.isEmpty {
          let file = try open(input)
          if done.contains(file.sha256) {
            report.archives.append(
              .init(path: input.path, sha256: file.sha256, outcome: .skipped, error: nil))
            skipped.insert(input.path)
            continue
          }
        }
        let id = known.lastArchive + Int64(turns.count + 1)
        ids.removeLast(max(0, ids.count - (input.nesting?.depth ?? 0)))
        turns.append(Turn(input: input, id: id, parent: ids.last))
        ids.append(id)
      } catch {
        throw .rejected(path: input.path, error)
      }
    }
    return turns
  }

  private mutating func importArchive(
    _ turn: Turn, _ pass: Int, of passes: Int, _ store: StoreWriter, _ run: inout ImportRun
  ) throws {
    let input = turn.input
    do {
      let file = try open(input)
      if pass == passes - 1 { openFiles[input.path] = nil }
      if pass == 0 {
        try store.insert(
          file.archive, path: input.path, sha256: file.sha256, id: turn.id, parent: turn.parent,
          place: input.nesting?.place)
      }
      let counts = try run.importArchive(file.archive, id: turn.id, path: input.path)
      report.add(
        counts, of: pass == 0 ? file.archive : nil, path: input.path, sha256: file.sha256,
        place: input.nesting?.place)
    } catch let error as ArchiveError {
      // The archive was sound a moment ago.
      throw ConversionError.rejected(path: input.path, error)
    }
  }
}
