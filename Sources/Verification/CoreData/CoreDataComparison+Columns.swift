import CoreDataStores
import Stores
import Support

/// Columns that entities share a table with, but do not have.
extension CoreDataComparison {
  /// Compares the columns of a table that belong to other entities than that of the row: they are
  /// NULL.
  func compareForeignColumns(of number: Int) throws(StoreError) {
    guard let root = layout.members[number].first.map({ layout.entities[$0 - 1] }) else { return }
    let table = layout.tables[number]
    for (owners, columns) in layout.partialColumns(of: number) {
      let numbers = owners.map(String.init).joined(separator: ", ")
      let rows = "SELECT Z_PK FROM \(SQL.quoted(table.name)) WHERE Z_ENT NOT IN (\(numbers))"
      let names = columns.map { table.columns[$0].name }
      // Hardly ever is there any, so that one look at the rows is enough for many columns.
      let isAny = names.map { "\(SQL.quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
      let found = try database.prepare("\(rows) AND (\(isAny)) LIMIT 1").rows([])
      guard !found.isEmpty else { continue }
      for name in names {
        try list(
          root.entity.name, name, "NULL, since the entity of the row has no such property",
          "a value", "\(rows) AND \(SQL.quoted(name)) IS NOT NULL")
      }
    }
  }
}
