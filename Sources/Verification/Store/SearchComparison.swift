import Importer
import RelationalStores
import SQLite

extension StoreComparison {
  /// Compares the indexes by which texts are searched with the texts of the store.
  ///
  /// Each is made again next to the store. What SQLite keeps of the two is the same where the same
  /// version made both; else they are read word by word, which takes several times as long.
  struct SearchComparison {
    private let database: Database
    private let findings: VerificationFindings

    private static let copy = "temp.copy"

    /// - Parameters:
    ///   - path: The path of the store.
    ///   - findings: Takes what differs.
    /// - Throws: `StoreError` if the store cannot be opened.
    init(path: String, _ findings: VerificationFindings) throws(StoreError) {
      database = try Database(path: path, isReadOnly: true)
      self.findings = findings
    }

    /// Compares the search tables that a store has as it should.
    ///
    /// - Parameters:
    ///   - entries: Those that it should have.
    ///   - schema: What it declares.
    /// - Throws: `StoreError` if the store cannot be read just now.
    func compare(_ entries: [SearchTables.Entry], in schema: StoreSchema) throws(StoreError) {
      for entry in entries {
        guard let form = schema.tables[entry.name],
          form.text == StoreSchema.essence(of: entry.creation)
        else { continue }
        do throws(StoreError) {
          try compare(entry)
        } catch {
          guard error.isDamage else { throw error }
          add(entry, row: nil, found: error.reason)
        }
        for table in [Self.copy, "temp.copied_words", "temp.words"] {
          try database.execute("DROP TABLE IF EXISTS \(table)")
        }
      }
    }

    private func compare(_ entry: SearchTables.Entry) throws(StoreError) {
      try database.execute(entry.creation(ofCopy: Self.copy))
      try database.execute(entry.filling(ofCopy: Self.copy))
      guard try isSame("_config", "k", "v", of: entry) else {
        return add(entry, row: nil, found: "other settings")
      }
      let hasSameWords = try isSame("_data", "id", "block", of: entry)
      let hasSamePages = try isSame("_idx", "segid, term", "pgno", of: entry)
      if !hasSameWords || !hasSamePages, try !compareWords(entry) { return }
      // How many rows and words there are, by which matches are ranked as well: the same whichever
      // version made the index.
      guard try isSame("_data", "id", "block", of: entry, where: "id = 1") else {
        return add(entry, row: nil, found: "other totals")
      }
      // The lengths of texts, by which matches are ranked.
      guard try isSame("_docsize", "id", "sz", of: entry) else {
        return add(entry, row: nil, found: "other lengths")
      }
    }

    /// Compares the words; returns whether they are the same.
    private func compareWords(_ entry: SearchTables.Entry) throws(StoreError) -> Bool {
      let name = entry.name.replacing("'", with: "''")
      try database.execute(
        """
        CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', '\(name)', 'instance');
        CREATE VIRTUAL TABLE temp.copied_words USING fts5vocab('temp', 'copy', 'instance');
        """)
      let found = try database.prepare("SELECT term, doc, col, offset FROM temp.words")
      let expected = try database.prepare("SELECT term, doc, col, offset FROM temp.copied_words")
      try found.begin([])
      try expected.begin([])
      while true {
        let isThere = try found.step()
        let hasMore = try expected.step()
        guard isThere || hasMore else { return true }
        let row = isThere ? try found.copies() : []
        let other = hasMore ? try expected.copies() : []
        guard row != other else { continue }
        let rows = [row, other].compactMap(Self.place)
        add(entry, row: rows.min { $0 < $1 }?.row, found: "other words")
        return false
      }
    }

    /// Whether a table that SQLite keeps an index in is the same as that of the copy.
    private func isSame(
      _ suffix: String, _ key: String, _ value: String, of entry: SearchTables.Entry,
      where condition: String = "true"
    ) throws(StoreError) -> Bool {
      func rows(_ table: String) -> String { "(SELECT * FROM \(table) WHERE \(condition))" }
      let own = rows("main.\(SQL.quoted(entry.name + suffix))")
      let copy = rows(Self.copy + suffix)
      let counts = try database.rows(
        """
        SELECT (SELECT count(*) FROM \(own)), (SELECT count(*) FROM \(copy)), (SELECT count(*)
          FROM \(own) AS own JOIN \(copy) AS copy USING (\(key)) WHERE own.\(value) = copy.\(value))
        """)
      return counts.first.map { Set($0).count == 1 } ?? false
    }

    /// A word and the row that it is in; nil where there is none.
    private static func place(_ cells: [StoredValue]) -> (word: String, row: Int64)? {
      guard case .text(let word)? = cells.first, case .integer(let row) = cells[1] else {
        return nil
      }
      return (word, row)
    }

    private func add(_ entry: SearchTables.Entry, row: Int64?, found: String) {
      findings.add(
        archive: nil, entity: entry.name, row: row, property: "",
        expected: "the words of \(entry.table)", found: found)
    }
  }
}
