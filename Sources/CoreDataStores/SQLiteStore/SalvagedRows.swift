internal import CSQLite
import Stores

/// The rows of a damaged table, as far as they can be read.
///
/// They are read from both ends up to where the table is damaged, and between one by one: a page
/// that is damaged takes no rows away but its own.
struct SalvagedRows {
  /// A row with the integers in some of its columns; nil for what is none.
  struct Row {
    let id: Int64
    let values: [Int64?]
  }

  /// The rows in the order of their IDs.
  private(set) var rows: [Row] = []
  /// Rows that cannot be read, in words.
  private(set) var losses: [String] = []

  private let table: String
  private let columns: String
  private let columnCount: Int
  private let database: Database
  private let maxRows: Int

  /// The greatest number of rows that are looked for one by one: more IDs take too long.
  private static let maxLookups: Int64 = 1_000_000

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - columns: The columns that are read, in SQL.
  ///   - lastID: The greatest ID that a row may have, as far as the store says.
  ///   - maxRows: The number of rows that the file has room for.
  ///   - database: A connection to the store.
  /// - Complexity: Linear in the size of the table, and in the number of IDs between the rows that
  ///   are read from both ends, up to a limit.
  init(_ table: String, _ columns: [String], lastID: Int64, maxRows: Int, _ database: Database) {
    (self.table, self.database, self.maxRows) = (table, database, maxRows)
    self.columns = (["_rowid_"] + columns).joined(separator: ", ")
    columnCount = columns.count
    let (first, failure) = scan("ORDER BY _rowid_", isDescending: false)
    rows = first
    guard let failure else { return }
    let low = first.last?.id ?? 0
    let end = first.isEmpty ? "" : "WHERE _rowid_ > \(low) "
    let last = scan("\(end)ORDER BY _rowid_ DESC", isDescending: true).rows
    let indexed = indexedIDs()
    let high = last.last?.id ?? min(max(lastID, indexed?.last ?? 0), .max - 1) + 1
    readBetween(low, high, indexed, failure)
    rows += last.reversed()
  }

  /// The rows that a statement gives, up to where it fails.
  private func scan(
    _ condition: String, isDescending: Bool
  ) -> (rows: [Row], failure: String?) {
    var found: [Row] = []
    do throws(StoreError) {
      let scan = RowScan(
        try database.prepare(
          "SELECT \(columns) FROM \(SQL.quoted(table)) NOT INDEXED \(condition)"))
      while let row = try scan.next() {
        let id = row[0].integer
        // A damaged tree can lead to the same rows again and again.
        let isInOrder = found.last.map { isDescending ? id < $0.id : id > $0.id } ?? true
        guard isInOrder, found.count < maxRows else { return (found, Self.disorder) }
        found.append(self.row(row))
      }
      return (found, nil)
    } catch {
      return (found, error.reason)
    }
  }

  private static let disorder = "its rows are not in the order of their IDs"

  private func row(_ cells: StoredRow) -> Row {
    Row(
      id: cells[0].integer,
      values: (0..<columnCount).map { column in
        let cell = cells[column + 1]
        return cell.kind == csq_kind_integer ? cell.integer : nil
      })
  }

  /// The IDs of the rows that an index of all rows has, in their order; nil if there is none that
  /// can be read.
  private func indexedIDs() -> [Int64]? {
    let names = try? database.rows(
      "SELECT name FROM pragma_index_list(?) WHERE partial = 0", [.text(table)])
    for case .text(let name)? in (names ?? []).map(\.first) {
      var found: [Int64] = []
      do throws(StoreError) {
        let scan = RowScan(
          try database.prepare(
            "SELECT _rowid_ FROM \(SQL.quoted(table)) INDEXED BY \(SQL.quoted(name))"))
        while found.count < maxRows, let row = try scan.next() { found.append(row[0].integer) }
        return found.sorted()
      } catch {
        continue
      }
    }
    return nil
  }

  /// Looks for the rows between two IDs, one by one, and lists those that cannot be read.
  private mutating func readBetween(
    _ low: Int64, _ high: Int64, _ indexed: [Int64]?, _ failure: String
  ) {
    let isIndexed = indexed.map { Set($0) }
    var statement: Statement?
    /// The IDs at which the table is damaged that follow each other.
    var damaged: ClosedRange<Int64>?
    let countBefore = losses.count
    func isRead(_ id: Int64) -> Bool {
      do throws(StoreError) {
        let lookup: Statement
        if let statement {
          lookup = statement
        } else {
          lookup = try database.prepare(
            "SELECT \(columns) FROM \(SQL.quoted(table)) NOT INDEXED WHERE _rowid_ = ?")
          statement = lookup
        }
        try lookup.begin([.integer(id)])
        let scan = RowScan(lookup)
        if let row = try scan.next(), row[0].integer == id { rows.append(self.row(row)) }
        return true
      } catch {
        return false
      }
    }
    func flush() {
      guard let range = damaged else { return }
      damaged = nil
      lose(range, failure)
    }
    // An index may lack rows, so all IDs are looked for, as long as these are not too many.
    var next = low < .max ? low + 1 : low
    while next < high, next - low <= Self.maxLookups {
      defer { next += 1 }
      guard !isRead(next) else { continue }
      if let isIndexed {
        if isIndexed.contains(next) { lose(next...next, failure) }
      } else if let range = damaged, range.upperBound == next - 1 {
        damaged = range.lowerBound...next
      } else {
        flush()
        damaged = next...next
      }
    }
    flush()
    if next < high, indexed == nil { lose(next...high - 1, failure) }
    for id in indexed ?? [] where next <= id && id < high && !isRead(id) {
      lose(id...id, failure)
    }
    // It may be damaged without a row that is known to be lost.
    if losses.count == countBefore { losses.append("\(table): \(failure)") }
  }

  private mutating func lose(_ ids: ClosedRange<Int64>, _ failure: String) {
    let words =
      ids.count == 1
      ? "row \(ids.lowerBound) of \(table)"
      : "the rows \(ids.lowerBound) to \(ids.upperBound) of \(table), as far as there are such"
    losses.append("\(words): \(failure)")
  }
}
