/// SQLite's own checks of a store: that tables and indexes agree, that rows keep to what the tables
/// declare, and that references lead to rows.
///
/// They take a connection and, where there is one, a thread of their own.
final class StoreIntegrity {
  private let work: OrderedWork<String, Result<[Problem], StoreError>>

  /// What a check found.
  private struct Problem {
    var entity: String
    var row: Int64?
    var expected: String
    var found: String
  }

  /// How many problems SQLite lists.
  private static let maxProblems = 100

  /// Begins to check a store.
  init(path: String, jobs: Int) {
    work = OrderedWork([path], jobs: 1, isBeside: jobs > 1, makeWorker: { Self.check })
  }

  /// Lists what was found.
  func finish(_ findings: VerificationFindings) {
    switch work.next() {
    case .success(let problems)?:
      for problem in problems {
        findings.add(
          archive: nil, entity: problem.entity, row: problem.row, property: "",
          expected: problem.expected, found: problem.found)
      }
    case .failure(let error)?:
      findings.add(
        archive: nil, entity: "integrity_check", row: nil, property: "", expected: "ok",
        found: error.reason)
    case nil: break
    }
  }

  private static func check(_ path: String) -> Result<[Problem], StoreError> {
    do throws(StoreError) {
      let database = try Database(path: path, isReadOnly: true)
      var problems: [Problem] = []
      for row in try database.rows("PRAGMA integrity_check(\(maxProblems))") {
        guard case .text(let text) = row.first, text != "ok" else { continue }
        problems.append(Problem(entity: "integrity_check", row: nil, expected: "ok", found: text))
      }
      let statement = try database.prepare("PRAGMA foreign_key_check")
      try statement.begin([])
      while problems.count < maxProblems, try statement.step() {
        let row = statement.copies()
        guard row.count == 4, case .text(let table) = row[0], case .text(let parent) = row[2]
        else { continue }
        var id: Int64?
        if case .integer(let found) = row[1] { id = found }
        problems.append(
          Problem(
            entity: table, row: id, expected: "a row of \(parent)",
            found: "a reference that leads to none"))
      }
      return .success(problems)
    } catch {
      return .failure(error)
    }
  }
}
