import ArchiveReader
import Stores

extension StoreComparison {
  /// Compares the table in which a store lists the classes of its archives.
  struct ClassTables {
    /// The expected entry of each class, by name.
    let expected: [String: (hierarchy: String, entity: String?)]
    /// Classes that were listed by runs that are not compared.
    let others: Set<String>

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
          findings.countEntry()
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
