import Importer
import Stores

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
