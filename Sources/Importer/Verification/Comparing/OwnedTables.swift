import ArchiveReader
internal import CSQLite

/// The tables of elements whose rows belong to those of one table: read in step with their owners.
final class OwnedTables {
  private let turn: TurnVerifier
  private var comparisons: [ElementComparison] = []

  /// - Parameters:
  ///   - table: The table of the owners.
  ///   - turn: What compares them.
  ///   - first: The row before the first of them.
  ///   - last: The last of them.
  /// - Throws: `StoreError` if the store cannot be read.
  init(_ table: Int, _ turn: TurnVerifier, behind first: Int64, through last: Int64) throws {
    self.turn = turn
    let plan = turn.plan
    var seen: Set<Int> = []
    for entity in plan.layout.entities where entity.table == table {
      var numbers = entity.properties.sorted { $0.key < $1.key }.compactMap { name, place in
        place.elements.map { (name, $0) }
      }
      if let overflow = entity.overflow { numbers.append(("", overflow)) }
      for (name, number) in numbers where seen.insert(number).inserted {
        let elements = plan.layout.elementTables[number]
        guard let scan = ElementScan(elements, turn.store) else {
          turn.difference(nil, elements.table.name, nil, "", "a table", "nothing")
          continue
        }
        var comparison = ElementComparison(
          scan, turn, number: number, property: name,
          cursor: try turn.store.cursor(scan.sql, [.integer(first), .integer(last)]))
        if let links = turn.run.links,
          let relationship = turn.run.relationships.first(where: {
            $0.elements == number && !$0.isInverseTable
          })
        {
          comparison.takeLinks(links.links[number] ?? [], relationship, behind: first)
        }
        comparisons.append(comparison)
      }
    }
  }

  /// Compares what the tables have of a row.
  func compare(_ row: ExpectedRow) throws {
    for place in comparisons.indices { try comparisons[place].compare(row) }
  }

  /// What is left belongs to no row.
  func finish() throws {
    for place in comparisons.indices { try comparisons[place].finish() }
  }
}
