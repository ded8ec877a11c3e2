import Importer
import Stores

/// The query for the rows of a table of entities: the columns that they must have, and those that
/// they have beside them.
struct TableScan {
  /// The purpose of a column.
  enum Use {
    case value
    case link
    /// It goes with another: a position, a type, a length, the name of an entity.
    case other
  }

  /// A column of the table that the store has as well.
  struct Column {
    /// Its index in the table, and its index in the rows that are read.
    var index: Int
    var cell: Int
    var use: Use
    /// True if the store declares the column as one of reals.
    var isReal: Bool
  }

  let table: Table
  /// For each column, its index in the rows that are read; nil if the store has none.
  let cells: [Int?]
  /// The columns that are compared: all that there are, but for the id.
  let columns: [Column]
  /// Columns that other runs have added.
  let others: [(name: String, cell: Int)]
  /// The statement that reads the rows with ids after one and up to another, in order.
  let sql: String

  init?(_ index: Int, _ plan: ImportPlan, _ store: VerifiedStore) {
    table = plan.layout.tables[index]
    guard let declared = store.columns(of: table.name) else { return nil }
    var uses = Array(repeating: Use.other, count: table.columns.count)
    for entity in plan.layout.entities where entity.table == index {
      for storage in entity.properties.values {
        if let column = storage.value { uses[column] = .value }
        if let column = storage.reference { uses[column] = .link }
      }
    }
    let names = declared.map(\.name)
    let found = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    cells = table.columns.map { found[$0.name] }
    columns = cells.enumerated().dropFirst().compactMap { index, cell in
      cell.map {
        Column(index: index, cell: $0, use: uses[index], isReal: declared[$0].isReal)
      }
    }
    let own = Set(table.columns.map(\.name))
    others = declared.enumerated().filter { !own.contains($1.name) }.map { ($1.name, $0) }
    let list = names.map(SQL.quoted).joined(separator: ", ")
    let key = table.quotedKey
    sql =
      "SELECT \(list) FROM \(SQL.quoted(table.name)) "
      + "WHERE \(key) > ? AND \(key) <= ? ORDER BY \(key)"
  }

  /// The index of the id in the rows that are read.
  var id: Int? { cells[0] }
}

/// The queries for the tables of a run, made once for each of them.
final class TableScans {
  let store: VerifiedStore
  private let plan: ImportPlan
  private var tables: [Int: TableScan?] = [:]
  private var owned: [Int: [[OwnedTables.Owned]]] = [:]
  private var elements: [Int: ElementComparison.Scan?] = [:]
  private var inverseElements: [Int: ElementComparison.Scan?] = [:]

  init(_ plan: ImportPlan, _ store: VerifiedStore) {
    (self.plan, self.store) = (plan, store)
  }

  /// A table of entities; nil if the store lacks it.
  func table(_ index: Int) -> TableScan? {
    Self.find(index, in: &tables) { TableScan(index, plan, store) }
  }

  /// A table of elements; nil if the store lacks it, or a column.
  ///
  /// - Parameters:
  ///   - index: Its index.
  ///   - isInverse: True if it is read from the side of the members, whose collections share it.
  /// - Returns: Its query.
  func elements(_ index: Int, isInverse: Bool = false) -> ElementComparison.Scan? {
    let declared = plan.layout.elementTables[index]
    return isInverse
      ? Self.find(index, in: &inverseElements) {
        ElementComparison.Scan(declared, isInverse: true, store)
      }
      : Self.find(index, in: &elements) { ElementComparison.Scan(declared, store) }
  }

  /// The tables of elements of a table's rows: see `OwnedTables.groups`.
  func owned(by table: Int) -> [[OwnedTables.Owned]] {
    Self.find(table, in: &owned) { OwnedTables.groups(of: table, in: plan.layout) }
  }

  private static func find<Scan>(
    _ index: Int, in known: inout [Int: Scan], make: () -> Scan
  ) -> Scan {
    if let found = known[index] { return found }
    let made = make()
    known[index] = made
    return made
  }
}
