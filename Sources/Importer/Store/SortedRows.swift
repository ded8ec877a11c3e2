extension RowBatch {
  /// Rows on their way into the store, sorted by their tables.
  struct SortedRows {
    /// For each table, its rows in their order.
    private(set) var rows: [RowCells.List] = []
    /// The tables that have rows, in the order of their first ones.
    private(set) var tables: [Int] = []

    mutating func add(_ row: RowCells, table: Int) {
      while rows.count <= table { rows.append(RowCells.List()) }
      if rows[table].isEmpty { tables.append(table) }
      rows[table].append(row)
    }

    mutating func removeAll() {
      for table in tables { rows[table].removeAll() }
      tables.removeAll(keepingCapacity: true)
    }
  }
}
