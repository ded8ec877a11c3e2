extension StoreWriter {
  /// Indexes that are there before the rows, and grow with them: those over references to other
  /// rows.
  ///
  /// Owners mostly come before their members and in the order of their ids, so new entries go to
  /// the end of the index, which costs less than to read all rows again later. An index for which
  /// that turns out not to be so is given up, and built when all rows are there, as others are.
  /// Rows that other threads have prepared are not looked at: they lead to others of the same small
  /// archive.
  struct GrowingIndexes {
    private struct Growing {
      var name: String
      /// The number of its first column.
      var column: Int
      /// The value that the row before has in it.
      var last = Int64.min
      /// The number of rows that came out of order.
      var disorder = 0
    }

    /// For each table, its indexes.
    private var tables: [[Growing]]

    /// The number of rows that may come out of order: what lies between them is small enough to be
    /// at hand.
    private static let maxDisorder = 1 << 12

    /// - Parameters:
    ///   - indexes: All indexes.
    ///   - tables: All tables.
    init(_ indexes: [Index], _ tables: [Table]) {
      self.tables = Array(repeating: [], count: tables.count)
      for index in indexes where index.canGrow {
        guard let table = tables.firstIndex(where: { $0.name == index.table }),
          let column = tables[table].columns.firstIndex(where: { $0.name == index.columns[0] }),
          tables[table].columns[column].references != nil
        else { continue }
        self.tables[table].append(Growing(name: index.name, column: column))
      }
    }

    /// The statements that make them.
    func creations(of indexes: [Index]) -> [String] {
      let names = Set(tables.joined().map(\.name))
      return indexes.filter { names.contains($0.name) }.map(\.creation)
    }

    /// Notes a row that is about to be inserted; returns the indexes that are given up.
    mutating func note(_ row: RowBuffer, table: Int) -> [String] {
      guard !tables[table].isEmpty else { return [] }
      var isInOrder = true
      for index in tables[table].indices {
        guard let value = row.integer(at: tables[table][index].column) else { continue }
        if value < tables[table][index].last {
          tables[table][index].disorder += 1
          isInOrder = false
        }
        tables[table][index].last = value
      }
      return isInOrder ? [] : giveUp(inTable: table)
    }

    /// Notes that a column of a row is changed; returns the indexes that are given up.
    mutating func noteChange(column: Int, table: Int) -> [String] {
      for index in tables[table].indices where tables[table][index].column == column {
        tables[table][index].disorder += 1
      }
      return giveUp(inTable: table)
    }

    private mutating func giveUp(inTable table: Int) -> [String] {
      let names = tables[table].filter { $0.disorder > Self.maxDisorder }.map(\.name)
      tables[table].removeAll { $0.disorder > Self.maxDisorder }
      return names
    }
  }
}
