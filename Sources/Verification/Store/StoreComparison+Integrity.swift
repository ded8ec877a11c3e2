import Importer
import Stores
import Support

extension StoreComparison {
  /// SQLite's own checks of a store: that tables and indexes agree, that rows keep to what the
  /// tables declare, and that references lead to rows.
  ///
  /// They take a connection and, where there is one, a thread of their own.
  final class Integrity {
    private let work: OrderedWork<String, Result<VerificationResult, StoreError>>

    /// As many problems as there are; SQLite lists 100 where it is not told otherwise.
    private static let maxProblems = Int32.max

    /// Begins to check a store.
    init(path: String, jobs: Int, _ spill: EntrySpill?) {
      work = OrderedWork([path], jobs: 1, isBeside: jobs > 1) {
        { path in Self.check(path, spill) }
      }
    }

    /// Lists what was found.
    ///
    /// - Throws: `StoreError` if the store cannot be read just now, which says nothing of it.
    func finish(_ findings: VerificationFindings) throws(StoreError) {
      switch work.next() {
      case .success(let found)?: findings.merge(found)
      case .failure(let error)?:
        guard error.isDamage else { throw error }
        findings.add(
          archive: nil, entity: "integrity_check", row: nil, property: "", expected: "ok",
          found: error.reason)
      case nil: break
      }
    }

    /// The error, where SQLite lists a page that it did not get among the problems.
    private static func unread(_ problem: String, _ database: Database) -> StoreError? {
      if let failure = database.diskFailure {
        return StoreError(.unreadable, path: database.path, reason: failure)
      }
      guard let range = problem.firstRange(of: "error code="),
        let code = Int(problem[range.upperBound...].prefix { $0.isNumber }),
        // SQLITE_NOMEM and SQLITE_IOERR_NOMEM.
        [7, 3082].contains(code)
      else { return nil }
      return StoreError(.unreadable, path: database.path, reason: "out of memory")
    }

    private static func check(
      _ path: String, _ spill: EntrySpill?
    ) -> Result<VerificationResult, StoreError> {
      let findings = VerificationFindings(spill)
      do throws(StoreError) {
        let database = try Database(reading: path)
        let integrity = try database.prepare("PRAGMA integrity_check(\(maxProblems))")
        try integrity.begin([])
        while try integrity.step() {
          guard case .text(let text) = try integrity.copies().first, text != "ok" else { continue }
          if let error = unread(text, database) { throw error }
          findings.add(
            archive: nil, entity: "integrity_check", row: nil, property: "", expected: "ok",
            found: text)
        }
        let references = try database.prepare("PRAGMA foreign_key_check")
        try references.begin([])
        while try references.step() {
          let row = try references.copies()
          guard row.count == 4, case .text(let table) = row[0], case .text(let parent) = row[2]
          else { continue }
          var id: Int64?
          if case .integer(let found) = row[1] { id = found }
          findings.add(
            archive: nil, entity: table, row: id, property: "", expected: "a row of \(parent)",
            found: "a dangling reference")
        }
        return .success(findings.result)
      } catch {
        return .failure(error)
      }
    }
  }
}
