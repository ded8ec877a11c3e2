import ArchiveReader
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

extension StoreComparison {
  /// Compares the table in which a store lists the classes of its archives.
  struct ClassTables {
    /// The expected entry of each class, by name.
    let expected: [String: (hierarchy: String, entity: String?)]
    /// Classes that were listed by runs that are not compared.
    let others: Set<String>
    /// True if its values are counted.
    let counts: Bool

    /// Compares the table.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - findings: Takes the differences.
    /// - Throws: `StoreError` if the store cannot be read.
    func compare(_ store: VerifiedStore, _ findings: VerificationFindings) throws {
      let table = RelationalLayout.classTable
      guard ["name", "hierarchy", "entity"].allSatisfy({ store.has($0, in: table) }) else {
        return findings.add(
          archive: nil, entity: table, row: nil, property: "", expected: "a table", found: "nothing"
        )
      }
      var expected = expected
      for row in try store.rows(
        "SELECT rowid, name, hierarchy, entity FROM \(table) ORDER BY rowid")
      {
        var id: Int64?
        if case .integer(let found) = row[0] { id = found }
        func tell(_ column: String, _ expected: String, _ found: String) {
          findings.add(
            archive: nil, entity: table, row: id, property: column, expected: expected, found: found
          )
        }
        var name = ""
        if case .text(let text) = row[1] { name = ArchivedName.text(text) }
        guard case .text = row[1], let found = expected.removeValue(forKey: name) else {
          if case .text = row[1], others.contains(name) { continue }
          tell("name", "nothing", row[1].words)
          continue
        }
        guard !others.contains(name) else { continue }
        let values: [StoredValue] = [
          .text(found.hierarchy), found.entity.map { .text($0) } ?? .null,
        ]
        for (place, value) in values.enumerated() {
          if counts { findings.countEntry() }
          guard row[place + 2] != value else { continue }
          tell(place == 0 ? "hierarchy" : "entity", value.words, row[place + 2].words)
        }
      }
      for name in expected.keys.sorted() {
        findings.add(
          archive: nil, entity: table, row: nil, property: "name", expected: "'\(name)'",
          found: "nothing")
      }
    }
  }
}

extension StoreComparison {
  /// The expected content of a store, as far as it is accounted for: the last row of each table.
  struct Content {
    var lastIDs: [String: Int64] = [:]
    var lastCollection: Int64 = 0
    var lastArchive: Int64 = 0
    var lastRun: Int64 = 0
    /// The classes that are listed, each with its hierarchy and its entity.
    var classes: [String: (hierarchy: String, entity: String?)] = [:]

    /// Up to where the rows of a plan's tables are accounted for.
    func position(in layout: RelationalLayout) -> ExpectedRun.Position {
      ExpectedRun.Position(
        lastIDs: layout.tables.map { lastIDs[$0.name] ?? 0 }, lastCollection: lastCollection)
    }

    /// Accounts for further rows of a plan's tables.
    mutating func add(_ position: ExpectedRun.Position, in layout: RelationalLayout) {
      for (table, last) in zip(layout.tables, position.lastIDs) { lastIDs[table.name] = last }
      lastCollection = position.lastCollection
    }
  }
}
