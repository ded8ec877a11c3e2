import Importer
import RelationalStores

/// How the tables of a run are read to be compared: found out once for each of them.
final class TableScans {
  let store: VerifiedStore
  private let plan: ImportPlan
  private var tables: [Int: TableScan?] = [:]
  private var owned: [Int: [[OwnedTables.Owned]]] = [:]
  private var elements: [Int: ElementScan?] = [:]
  private var inverseElements: [Int: ElementScan?] = [:]

  init(_ plan: ImportPlan, _ store: VerifiedStore) {
    (self.plan, self.store) = (plan, store)
  }

  /// A table of entities; nil if the store lacks it.
  func table(_ number: Int) -> TableScan? {
    Self.find(number, in: &tables) { TableScan(number, plan, store) }
  }

  /// A table of elements; nil if the store lacks it, or a column.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - isInverse: Whether it is read from the side of the members, whose collections share it.
  /// - Returns: How it is read.
  func elements(_ number: Int, isInverse: Bool = false) -> ElementScan? {
    let declared = plan.layout.elementTables[number]
    return isInverse
      ? Self.find(number, in: &inverseElements) { ElementScan(declared, isInverse: true, store) }
      : Self.find(number, in: &elements) { ElementScan(declared, store) }
  }

  /// The tables of elements of a table's rows: see `OwnedTables.groups`.
  func owned(by table: Int) -> [[OwnedTables.Owned]] {
    Self.find(table, in: &owned) { OwnedTables.groups(of: table, in: plan.layout) }
  }

  private static func find<Scan>(
    _ number: Int, in known: inout [Int: Scan], make: () -> Scan
  ) -> Scan {
    if let found = known[number] { return found }
    let made = make()
    known[number] = made
    return made
  }
}
