import Stores

/// Compares the reports that a store keeps, and what it says of its runs, with their seals.
package struct ReportComparison {
  package let store: VerifiedStore
  package let findings: VerificationFindings

  package init(store: VerifiedStore, findings: VerificationFindings) {
    (self.store, self.findings) = (store, findings)
  }

  private static let table = RelationalLayout.reportTable

  /// Compares the reports of all runs.
  package func compare(_ runs: [Int64]) throws(StoreError) {
    guard ["report", "report_sha256", "run_sha256"].allSatisfy({ store.has($0, in: Self.table) })
    else { return }
    let columns = RunSeal.columns.map { "run.\(SQL.quoted($0))" }.joined(separator: ", ")
    let rows = try store.cursor(
      """
      SELECT run_id, report, report_sha256, run_sha256, \(columns)
        FROM \(Self.table) LEFT JOIN \(RelationalLayout.runTable) AS run ON run.id = run_id
        ORDER BY run_id
      """)
    var missing = Set(runs)
    while rows.isAtRow {
      let row = (0..<(4 + RunSeal.columns.count)).map(rows.copy)
      try rows.advance()
      guard case .integer(let run) = row[0], missing.remove(run) != nil else {
        note(row[0], "", expected: "nothing", found: "a report")
        continue
      }
      guard case .text(let text) = row[1] else {
        note(row[0], "report", expected: "text", found: "another value")
        continue
      }
      let seal = RunSeal(report: text, run: Array(row[4...]))
      if row[2] != .text(seal.report) {
        note(row[0], "report", expected: "the sealed report", found: "another")
      }
      // Which of the two was changed does not show.
      if row[3] != .text(seal.run) {
        note(row[0], "run_sha256", expected: "the digest of the run", found: "another")
        note(
          row[0], "", in: RelationalLayout.runTable, expected: "the sealed run",
          found: "another")
      }
    }
    for run in missing.sorted() {
      note(.integer(run), "", expected: "a report", found: "nothing")
    }
  }

  private func note(
    _ run: StoredValue, _ property: String, in table: String = Self.table, expected: String,
    found: String
  ) {
    var row: Int64?
    if case .integer(let id) = run { row = id }
    findings.add(
      archive: nil, entity: table, row: row, property: property, expected: expected, found: found)
  }
}
