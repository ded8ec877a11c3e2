import ArchiveReader
import Importer
import RelationalStores
import SQLite

/// Compares what one run has written with its archives.
///
/// What an archive became is predicted first (`ExpectedRows`), and then compared (`ArchiveVerifier`): at
/// once where archives do not depend on each other, else when all of them have been looked at.
final class RunVerifier {
  private let plan: ImportPlan
  private let store: VerifiedStore
  private let findings: VerificationFindings
  private let bookkeeping: BookkeepingVerifier
  private let workers: VerificationWorkers
  private let run: ExpectedRun
  /// How many passes the run has completed.
  private let passCount: Int
  /// Opens the archive of a turn.
  private let open: (VerifiedArchive) throws -> ArchiveFile
  /// Called when an archive was compared.
  var onArchive: (VerifiedArchive) -> Void = { _ in }

  init(
    _ plan: ImportPlan, _ store: VerifiedStore, _ bookkeeping: BookkeepingVerifier,
    _ workers: VerificationWorkers, passes: Int? = nil, after content: ExpectedContent,
    open: @escaping (VerifiedArchive) throws -> ArchiveFile
  ) {
    self.plan = plan
    self.store = store
    self.bookkeeping = bookkeeping
    self.workers = workers
    findings = bookkeeping.findings
    passCount = max(1, min(passes ?? plan.passes.count, plan.passes.count))
    self.open = open
    run = ExpectedRun(
      plan, lastIDs: plan.layout.tables.map { content.lastIDs[$0.name] ?? 0 },
      lastCollection: content.lastCollection)
  }

  /// Compares everything that some archives became.
  ///
  /// - Parameter turns: The archives, in the order of the store.
  /// - Throws: `ArchiveError` if an archive cannot be read, `StoreError` if the store cannot be.
  func compare(_ turns: [VerifiedArchive]) throws {
    if run.hasIndependentTurns {
      for turn in turns { try compareAtOnce(turn) }
    } else {
      try compareTogether(turns)
    }
  }

  /// What the store must hold of the run and of those before it: the last row of each table.
  func add(to content: inout ExpectedContent) {
    for (table, last) in zip(plan.layout.tables, run.lastIDs) { content.lastIDs[table.name] = last }
    content.lastCollection = run.lastCollection
  }

  private func compareAtOnce(_ turn: VerifiedArchive) throws {
    guard turn.isPresent else { return try skip(turn) }
    let file = try open(turn)
    run.links?.begin(after: run.lastIDs)
    let forecast = ExpectedRows(
      file.source, id: turn.id, plan: plan, pass: plan.passes[0], run: run)
    try forecast.walk(handsOutTopLevel: true)
    run.links?.settle()
    try ArchiveVerifier(forecast, store, findings, path: turn.path, workers).compare()
    try bookkeeping.compare(turn, file, [forecast])
    onArchive(turn)
  }

  private func compareTogether(_ turns: [VerifiedArchive]) throws {
    run.links?.begin(after: run.lastIDs)
    var forecasts: [[ExpectedRows]] = turns.map { _ in [] }
    for pass in 0..<passCount {
      for (number, turn) in turns.enumerated() {
        guard turn.isPresent else {
          if pass == 0 { try skip(turn) }
          continue
        }
        let forecast = ExpectedRows(
          try open(turn).source, id: turn.id, plan: plan, pass: plan.passes[pass], run: run)
        try forecast.walk(handsOutTopLevel: pass == passCount - 1)
        forecasts[number].append(forecast)
      }
    }
    run.links?.settle()
    for (turn, found) in zip(turns, forecasts) where turn.isPresent {
      let file = try open(turn)
      for forecast in found {
        forecast.attach(file.source)
        try ArchiveVerifier(forecast, store, findings, path: turn.path, workers).compare()
      }
      try bookkeeping.compare(turn, file, found)
      onArchive(turn)
    }
  }

  /// Passes over the rows of an archive that is not there, as far as the store tells which they are.
  private func skip(_ turn: VerifiedArchive) throws {
    for (table, last) in try bookkeeping.lastRows(of: turn.id) {
      if table == RelationalLayout.collectionTable {
        run.lastCollection = max(run.lastCollection, last)
      } else if let number = plan.layout.tables.firstIndex(where: { $0.name == table }) {
        run.lastIDs[number] = max(run.lastIDs[number], last)
      }
    }
    try bookkeeping.skip(turn.id)
  }
}

/// What a store must hold, as far as it is accounted for: the last row of each table.
struct ExpectedContent {
  var lastIDs: [String: Int64] = [:]
  var lastCollection: Int64 = 0
  var lastArchive: Int64 = 0
  var lastRun: Int64 = 0
  /// The classes that are listed, each with its hierarchy and its entity.
  var classes: [String: (hierarchy: String, entity: String?)] = [:]
}
