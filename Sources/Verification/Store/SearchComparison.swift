import Stores

extension StoreComparison {
  /// Compares the table for full-text search with the texts of the store.
  ///
  /// It is made again next to the store. What SQLite keeps of the two is the same where the same
  /// version made both; else their words are read one by one, which takes several times as long.
  struct SearchComparison {
    private let database: Database
    private let findings: VerificationFindings

    private static let contents = "id, c0, c1, c2, c3"

    /// - Parameters:
    ///   - path: The path of the store.
    ///   - findings: Takes what differs.
    /// - Throws: `StoreError` if the store cannot be opened.
    init(path: String, _ findings: VerificationFindings) throws(StoreError) {
      database = try Database(reading: path)
      self.findings = findings
    }

    /// Compares the table of a store that has it.
    ///
    /// - Parameter schema: The declarations of the store.
    /// - Throws: `StoreError` if the store cannot be read just now.
    func compare(in schema: StoreSchema) throws(StoreError) {
      if let missing = RelationalLayout.searchTables.first(where: { schema.tables[$0] == nil }) {
        return add(row: nil, found: "no table \(missing)")
      }
      do throws(StoreError) {
        try compare()
      } catch {
        guard error.isDamage else { throw error }
        add(row: nil, found: error.reason)
      }
    }

    private func compare() throws(StoreError) {
      try database.execute("BEGIN")
      try SearchTable.make(in: database, "temp")
      try database.execute("COMMIT")
      guard try isSame("_config", "k, v") else { return add(row: nil, found: "other settings") }
      guard try isSame("_content", Self.contents) else {
        return add(row: try differingRow(), found: "other texts")
      }
      let hasSameWords = try isSame("_data", "id, block")
      let hasSamePages = try isSame("_idx", "segid, term, pgno")
      if !hasSameWords || !hasSamePages, try !compareWords() { return }
      // How many rows and words there are, by which matches are ranked as well: the same whichever
      // version made the index.
      guard try isSame("_data", "id, block", where: "id = 1") else {
        return add(row: nil, found: "other totals")
      }
      // The lengths of texts, by which matches are ranked.
      guard try isSame("_docsize", "id, sz") else { return add(row: nil, found: "other lengths") }
    }

    /// Compares the words; returns whether they are the same.
    private func compareWords() throws(StoreError) -> Bool {
      for (table, place) in [("words", "main"), ("copied_words", "temp")] {
        try database.execute(
          """
          CREATE VIRTUAL TABLE temp.\(table)
            USING fts5vocab('\(place)', '\(SearchTable.name)', 'instance')
          """)
      }
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
        add(row: rows.min { $0 < $1 }?.row, found: "other words")
        return false
      }
    }

    /// True if a table that SQLite keeps the index in is the same as that of the copy.
    private func isSame(
      _ suffix: String, _ columns: String, where condition: String = "true"
    ) throws(StoreError) -> Bool {
      let (own, copy) = Self.selections(suffix, columns, where: condition)
      let counts = try database.rows(
        """
        SELECT (SELECT count(*) FROM (\(own))), (SELECT count(*) FROM (\(copy))),
          (SELECT count(*) FROM (\(own)) NATURAL JOIN (\(copy)))
        """)
      return counts.first.map { Set($0).count == 1 } ?? false
    }

    /// The first row that has another text, or that only one of the two has.
    private func differingRow() throws(StoreError) -> Int64? {
      let (own, copy) = Self.selections("_content", Self.contents)
      let rows = try database.rows(
        """
        SELECT min(id) FROM (SELECT * FROM (\(own) EXCEPT \(copy))
          UNION ALL SELECT * FROM (\(copy) EXCEPT \(own)))
        """)
      guard case .integer(let row)? = rows.first?.first else { return nil }
      return row
    }

    private static func selections(
      _ suffix: String, _ columns: String, where condition: String = "true"
    ) -> (own: String, copy: String) {
      let rest = "\(SearchTable.name)\(suffix) WHERE \(condition)"
      return ("SELECT \(columns) FROM main.\(rest)", "SELECT \(columns) FROM temp.\(rest)")
    }

    /// A word and the row that it is in; nil where there is none.
    private static func place(_ cells: [StoredValue]) -> (word: String, row: Int64)? {
      guard case .text(let word)? = cells.first, case .integer(let row) = cells[1] else {
        return nil
      }
      return (word, row)
    }

    private func add(row: Int64?, found: String) {
      findings.add(
        archive: nil, entity: SearchTable.name, row: row, property: "",
        expected: "the texts of the store", found: found)
    }
  }
}
