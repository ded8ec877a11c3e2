import Importer
import Support

extension ArchiveVerifier {
  /// Parts of fewer rows are not worth a thread.
  private static let leastRows = 4_096
  /// The number of parts for each thread: one that has less to do takes more of them.
  private static let partsForEach = 4

  /// Compares all rows of a table: those of a large one in parts, by several threads.
  ///
  /// What is found does not depend on the number of parts.
  func compare(_ rows: TableRows, count: Int) throws {
    let most = run.isSettled ? workers.jobs * Self.partsForEach : 1
    let partCount = min(most, count / Self.leastRows)
    guard workers.jobs > 1, partCount > 1 else { return try compare(rows, 0..<count) }
    let parts = (0..<partCount).map { index in
      TablePart(self, rows, (count * index / partCount)..<(count * (index + 1) / partCount))
    }
    let work = OrderedWork(parts, jobs: workers.jobs) { $0.compare() }
    defer { work.cancelAndWait() }
    while let result = work.next() { findings.merge(try result.get()) }
  }
}

/// Some of the rows of a large table, compared by a thread of its own.
///
/// Unchecked: it has expected rows, a connection and findings of its own. What it shares with others,
/// what is expected of the run and what copies of it have in common, nobody changes any more:
/// `ExpectedRun.isSettled`.
private final class TablePart: @unchecked Sendable {
  private let expectedRows: ExpectedRows
  private let rows: ArchiveVerifier.TableRows
  private let range: Range<Int>
  private let path: String
  private let workers: VerificationWorkers
  private let spill: EntrySpill?
  private let ticker: ObjectTicker

  init(_ verifier: ArchiveVerifier, _ rows: ArchiveVerifier.TableRows, _ range: Range<Int>) {
    expectedRows = ExpectedRows(copying: verifier.expectedRows)
    self.rows = rows
    self.range = range
    path = verifier.path
    workers = verifier.workers
    spill = verifier.findings.spill
    ticker = verifier.ticker
  }

  func compare() -> Result<VerificationResult, any Error> {
    Result {
      let store = try workers.takeStore()
      defer { workers.giveBack(store) }
      let findings = VerificationFindings(spill)
      let scans = TableScans(expectedRows.plan, store)
      let verifier = ArchiveVerifier(expectedRows, scans, findings, path: path, workers)
      verifier.ticker = ticker
      try verifier.compare(rows, range)
      return findings.result
    }
  }
}
