import ArchiveReader
internal import CSQLite
import Importer
import Stores

/// The tables of elements whose rows belong to those of one table: read in step with their owners.
final class OwnedTables {
  private let verifier: ArchiveVerifier
  private var comparisons: [ElementComparison] = []

  /// A table of elements, and the property that it holds; none if it holds several.
  typealias Owned = (property: String, index: Int)

  /// The greatest number of tables that are read at the same time: SQLite goes through all that it
  /// reads in one file whenever it begins or ends with one.
  private static let maxTables = 64

  /// The tables of elements of a table's rows, in groups that can be read at the same time: one at
  /// least.
  static func groups(of table: Int, in layout: RelationalLayout) -> [[Owned]] {
    var seen: Set<Int> = []
    var groups: [[Owned]] = [[]]
    for entity in layout.entities where entity.table == table {
      var indices: [Owned] = entity.properties.sorted { $0.key < $1.key }.compactMap {
        name, place in place.elements.map { (name, $0) }
      }
      if let overflow = entity.overflow { indices.append(("", overflow)) }
      for owned in indices where seen.insert(owned.index).inserted {
        if groups[groups.count - 1].count == maxTables { groups.append([]) }
        groups[groups.count - 1].append(owned)
      }
    }
    return groups
  }

  /// - Parameters:
  ///   - tables: The tables of elements.
  ///   - verifier: The verifier that compares them.
  ///   - first: The row before the first of them.
  ///   - last: The last of them.
  /// - Throws: `StoreError` if the store cannot be read.
  init(_ tables: [Owned], _ verifier: ArchiveVerifier, behind first: Int64, through last: Int64)
    throws
  {
    self.verifier = verifier
    for (name, index) in tables {
      guard let scan = verifier.scans.elements(index) else {
        let table = verifier.plan.layout.elementTables[index].table
        verifier.difference(nil, table.name, nil, "", "a table", "nothing")
        continue
      }
      var comparison = ElementComparison(
        scan, verifier, index: index, property: name,
        cursor: try verifier.store.cursor(scan.sql, [.integer(first), .integer(last)]))
      if let links = verifier.run.links,
        let relationship = verifier.run.relationships.first(where: {
          $0.elements == index && !$0.isInverseTable
        })
      {
        comparison.takeLinks(links.links[index] ?? [], relationship, behind: first)
      }
      comparisons.append(comparison)
    }
  }

  /// Compares what the tables have of a row.
  func compare(_ row: ExpectedRow) throws {
    for place in comparisons.indices { try comparisons[place].compare(row) }
  }

  /// Reports the rows that are left: they belong to no row.
  func finish() throws {
    for place in comparisons.indices { try comparisons[place].finish() }
  }
}
