import ArchiveReader
import CoreDataStores
import Foundation
import Importer
import Stores
import Support

extension Conversion {
  /// Builds the store; publishes it unless something is wrong.
  ///
  /// `complete` adds to a report what is known only when all rows are there.
  mutating func write(
    _ basis: Speculation.Basis, _ configuration: ImportConfiguration,
    complete: (inout ConversionReport, ImportFindings) -> Void
  ) throws(ConversionError) -> ImportFindings {
    let untouched = report
    let plan = basis.plan
    var lastPass = min(plan.passes.count, max(1, options.passLimit ?? plan.passes.count))
    while true {
      do {
        return try build(basis, configuration, passes: lastPass, complete: complete)
      } catch let error as FailedPass {
        // What the passes before it wrote is complete in itself: it is written again without it.
        guard options.keepsCompletePasses, error.index > 0 else {
          // Archives that break the rules may be left out, unless a policy has ended the run.
          if error.findings.errorCount > 0, !error.isThrown { return error.findings }
          if error.findings.errorCount > 0 {
            report = untouched
            report.reject(error.findings)
            throw .invalid(error.findings.errors, count: error.findings.errorCount)
          }
          throw .hook(error.reason, pass: plan.passes[error.index].name)
        }
        report = untouched
        report.addErrors(of: error.findings)
        report.failedPass = ConversionReport.FailedPass(
          name: plan.passes[error.index].name ?? "", reason: error.reason,
          kept: plan.passes[..<error.index].map { $0.name ?? "the first" })
        lastPass = error.index
      } catch let error as StoreError {
        if let columns = error.repeatedColumns, options.existingStore == .append {
          throw .store(Self.repetition(of: columns, in: destination))
        }
        // The store is built under another name, which is no concern of the user.
        throw .store(StoreError(error.code, path: destination, reason: error.reason))
      } catch let error as ConversionError {
        throw error
      } catch {
        throw .hook(FailedPass.words(error), pass: nil)
      }
    }
  }

  /// An earlier run declared unique what this one does not.
  private static func repetition(of columns: String, in path: String) -> StoreError {
    let reason =
      "rows would have the same values in \(columns), which an earlier run declared unique (use its "
      + "mapping or model)"
    return StoreError(.incompatible, path: path, reason: reason)
  }

  /// A pass that could not be completed.
  private struct FailedPass: Error {
    var index: Int
    var reason: String
    var findings: ImportFindings
    /// True if a policy or hook ended it; else it has errors.
    var isThrown = false

    /// The words of an error that a hook or a policy threw: those of others may hold content.
    static func words(_ error: any Error) -> String {
      ImportError.words(of: error)
    }
  }

  private mutating func build(
    _ basis: Speculation.Basis, _ configuration: ImportConfiguration, passes: Int,
    complete: (inout ConversionReport, ImportFindings) -> Void
  ) throws -> ImportFindings {
    let archives = basis.archives
    if options.layout == .coreData, basis.plan.reasonToRepeat != nil, options.now == nil {
      options.now = Date.now
    }
    let file = try claimPlace()
    var request = Checkpoint.Request(configuration, options, basis.plan.layout)
    request.prediction = speculation?.batches?.prediction
    let point = try checkpoint(in: file, request, basis)
    if point == nil { try file.clear() }
    onStage?(.writing(done: options.resumes && !isBegun ? point?.progress.archives ?? 0 : nil))
    isBegun = true
    let appends = options.existingStore == .append && FileIdentity(path: destination) != nil
    if appends { try file.copyDestination() }
    let coreData = try coreDataOutput(file, basis.plan)
    let plan = coreData?.plan ?? basis.plan
    // A mapped import has pending rows that are not in the store.
    let isLong =
      speculation?.batches?.keepsProgress(options.speculation) ?? (archives.count > 1)
    let keepsCheckpoints =
      isLong && !appends && !options.isDryRun && !plan.validates && passes == 1 && !hasLateRejection
      && shard == nil
    let store = try StoreWriter(
      path: file.path, layout: plan.layout, withProvenance: options.recordsProvenance,
      withNesting: options.opensNested, withMetadata: plan.keepsMetadata,
      withOriginals: options.isReversible,
      isSearchable: options.isSearchable,
      start: appends ? .store : point == nil ? .empty : .checkpoint,
      keepsCheckpoints: keepsCheckpoints, countsValues: !plan.isPlain,
      archiveBytes: speculation?.batches?.byteCount
        ?? archives.reduce(0) { $0 + ($1.entry.bytes ?? 0) },
      attached: coreData?.file.path,
      maxLosses: options.spill == nil ? ImportFindings.maxEntries : .max,
      beginSync: (coreData?.file ?? file).beginSync)
    store.convertedAt = options.convertedAt.map { Int($0.timeIntervalSince1970) }
    // Whatever happens, what is being kept has been kept before the file is let go of.
    defer { store.wait() }
    let known = try appends ? StoreContent(store, plan.layout) : StoreContent(plan.layout)
    let fingerprint = configuration.fingerprint(options)
    let importJobs = importJobs(of: archives, after: known, fingerprint)
    let record = CoreDataMetadata.ConversionRecord(
      options: configuration.recordText(
        options, passes: passes < plan.passes.count ? passes : nil, known: knownArchives,
        plan),
      fingerprint: fingerprint, modelDigest: configuration.model?.digest(),
      mapping: configuration.mappingText)
    var written = importJobs.first.map { $0.id...$0.id + Int64(importJobs.count - 1) }
    func insertRun() throws(StoreError) {
      guard let written else { return }
      try store.insertRun(
        id: known.lastRun + 1, record.mapping, record.modelDigest, options: record.options,
        fingerprint, archives: written)
    }
    if point == nil {
      try store.insertClasses(
        basis.profile.classes.filter { !known.classes.contains($0.name) }.map { found in
          (found.name, found.hierarchy, plan.entityName(ofClass: found.name))
        })
    }
    // A run that went by a prediction inserts its own at the end.
    let knowsRun = point.map { $0.request.prediction == nil } ?? false
    if !knowsRun { try insertRun() }
    var run = ImportRun(
      plan, options.extensions, store, known, isAppending: appends, library: library)
    run.context.report = ImportFindings(options.spill)
    if let onProgress = options.onPolicyProgress { run.onProgress(onProgress) }
    if let now = options.now { run.context.now = now }
    run.takesProfile = speculation?.archive?.observesImport == true
    if let point { resume(after: point, importJobs, &run) }
    let done = point?.progress.archives ?? 0
    for pass in 0..<passes {
      do {
        run.begin(pass: pass, of: passes)
        if passes > 1 { meter?.note(.pass(pass + 1, of: passes)) }
        var own = Pass(
          index: pass, isLast: pass == passes - 1, store: store,
          keeping: keepsCheckpoints ? file.keeping : nil,
          pacer: Checkpoint.Pacer(options.checkpointInterval),
          request: knowsRun ? nil : request,
          archiveCount: speculation?.batches?.inputs.count ?? importJobs.count,
          keptLossBytes: point?.unlistedLosses.byteCount ?? 0)
        if let batches = speculation?.batches {
          do {
            try importGroups(of: batches, &own, &run)
          } catch let error where !(error is StoreError) {
            // The prediction was wrong, or an archive is damaged: what was kept is of no use.
            store.wait()
            file.keeping.isOn = false
            throw error
          }
          written = batches.writtenCount > 0 ? 1...Int64(batches.writtenCount) : nil
          try insertRun()
        } else if !shardStores.isEmpty {
          let count = try importShards(store, run)
          written = count > 0 ? 1...count : nil
          try insertRun()
          if let entity = try report.entityWithOtherCounts(in: store, plan) {
            throw StoreError(
              .file, path: destination,
              reason: "the shards have other rows of \(entity) than they had when they were made")
          }
        } else {
          do {
            try importArchives(importJobs, behind: done, &own, &run)
          } catch let error as ConversionError {
            // If it is left out, what was kept is of no use.
            if errorPolicy == .skip {
              store.wait()
              file.keeping.isOn = false
            }
            throw error
          }
        }
        meter?.begin(.finishing)
        try run.endPass()
      } catch let error where !(error is StoreError || error is ConversionError) {
        throw FailedPass(
          index: pass, reason: FailedPass.words(error), findings: run.context.report,
          isThrown: true)
      }
      guard run.context.report.errorCount == 0 || passes == 1 else {
        throw FailedPass(
          index: pass, reason: Words.count(run.context.report.errorCount, "error"),
          findings: run.context.report)
      }
    }
    // Each shard has done for its archives all that ends a run.
    if shardStores.isEmpty { try run.finish() }
    let declared = (speculation?.profile ?? basis.profile).declared.storeSource
    if let declared, options.layout == .relational {
      // Another model that was given has rules of its own.
      try run.context.noteRepetitions(against: (plan.source ?? declared).model)
    }
    var findings = run.context.report
    guard findings.errorCount == 0 else { return findings }
    if !plan.isPlain || appends, shardStores.isEmpty { try report.count(store, plan) }
    if plan.keepsMetadata { report.metadataValues = try StoreCounts.metadataValues(store) }
    try store.beginFinishing()
    // Where nothing is left to be found, the report is written meanwhile.
    var keptReport: String?
    let listed = plan.layout.queries.filter { $0.report != nil }
    if !options.verifies, options.layout == .relational, !options.isDryRun, written != nil,
      listed.isEmpty
    {
      keptReport = try reportText(findings, file, complete)
    }
    try store.endFinishing()
    // There is nothing left to go on with.
    file.keeping.isOn = false
    report.views = try counts(of: listed, in: file.path)
    onStage?(.writing(done: nil))
    let compared = speculation?.batches?.compared ?? importJobs.map(\.verified)
    if options.isReversible {
      try OriginalArchives.keep(compared, inStoreAt: file.path, jobs: options.jobs)
    }
    // A shard of nothing but copies has no rows.
    if options.verifies, coreData == nil, shard == nil || written != nil {
      let inputs = speculation?.batches?.inputs ?? archives.map(\.input)
      try verify(
        file.path, compared, inputs, plan,
        speculation?.profile ?? basis.profile, configuration, after: known,
        passes: passes, files: archives.map(\.input))
      guard report.verification?.isPassed == true else { return findings }
    }
    if let comparedStore {
      if let source = plan.source {
        let result = try CoreDataStoreComparison(
          comparedStore, source, metadata(source, record), options.spill
        ).compare { () throws(StoreError) in
          try CoreDataComparison(
            comparedStore, with: file.path, source, plan, options.spill
          ).compare()
        }
        report.verification = report.verification?.adding(result) ?? result
      }
      return findings
    }
    if let coreData, let source = plan.source {
      meter?.begin(.copying)
      try coreData.complete(store, run.context, metadata(source, record), &findings)
      findings.omissions += metadataOmissions
      if options.verifies {
        willVerifyCopy(coreData.file.path)
        report.verification = try Self.comparing(
          coreData.file.path, with: inputs, options, willVerify: willVerify
        ).verification
        guard report.verification?.isPassed == true else { return findings }
      }
    }
    guard !options.isDryRun else { return findings }
    if let shard, shard.plan != nil {
      try ShardStore.keep(shard, reportText(findings, file, complete), in: file.path)
    }
    if written != nil {
      try StoreReports.keep(
        keptReport ?? reportText(findings, file, complete), ofRun: known.lastRun + 1, in: file.path)
    }
    onStage?(.publishing)
    report.storeBytes = try (coreData?.file ?? file).publish(
      replacing: options.existingStore == .replace || appends)
    return findings
  }

  /// The numbers of rows of views.
  private func counts(
    of views: [NamedQuery], in path: String
  ) throws(StoreError) -> [ConversionReport.ViewCount] {
    guard !views.isEmpty else { return [] }
    let database = try Database(reading: path)
    try database.trustViews()
    var found: [ConversionReport.ViewCount] = []
    for view in views {
      let rows = try database.rows("SELECT count(*) FROM \(SQL.quoted(view.name))")
      guard case .integer(let count)? = rows.first?.first else { continue }
      found.append(.init(view.name, view.report ?? "", rows: Int(clamping: count)))
    }
    return found
  }

  /// The report as the store is to keep it.
  private func reportText(
    _ findings: ImportFindings, _ file: StoreFile,
    _ complete: (inout ConversionReport, ImportFindings) -> Void
  ) throws(StoreError) -> String {
    var report = report
    complete(&report, findings)
    return try StoreReports.text(of: report, for: file.path)
  }
}
