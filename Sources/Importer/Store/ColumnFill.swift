extension StoreWriter {
  /// The number of rows of each table that have something in each column, as far as they were
  /// inserted by this run and not changed since: so that nobody has to read the store to count
  /// them.
  struct ColumnFill {
    private var counts: [Int]
    /// For each table, where its columns begin among the counts, and their number.
    private var starts: [Int] = []
    private var changed: Set<Int> = []
    private var isKnown: Bool

    /// - Parameters:
    ///   - tables: All tables.
    ///   - isKnown: True if the tables are empty at first, and somebody is going to ask.
    init(tables: [Table], isKnown: Bool) {
      var start = 0
      for table in tables {
        starts.append(start)
        start += table.columns.count
      }
      counts = Array(repeating: 0, count: start)
      self.isKnown = isKnown
    }

    /// Counts the values of a row that is about to be inserted.
    mutating func note(_ row: RowBuffer, table: Int) {
      guard isKnown else { return }
      let start = starts[table]
      let end = table + 1 < starts.count ? starts[table + 1] : counts.count
      var counts = counts.mutableSpan
      row.countSet(end - start, into: &counts, from: start)
    }

    /// Forgets a column that is changed.
    mutating func forget(column: Int, table: Int) { changed.insert(starts[table] + column) }

    /// Forgets everything.
    mutating func forgetAll() { isKnown = false }

    /// The number of rows that have something in a column; nil where it is not known.
    func count(column: Int, table: Int) -> Int? {
      guard isKnown, !changed.contains(starts[table] + column) else { return nil }
      return counts[starts[table] + column]
    }
  }
}
