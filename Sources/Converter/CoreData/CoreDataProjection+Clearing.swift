import CoreDataStores
import SQLite
import Support

/// Columns of entities that share a table.
extension CoreDataProjection {
  /// Clears the columns of a table that belong to other entities than that of the row.
  ///
  /// The relational layout has one column for properties of one name, Core Data one for each of the
  /// entities, and all of these were filled.
  ///
  /// - Returns: Whether there can have been any.
  func clearForeignColumns(of table: Int, _ database: Database) throws(StoreError) -> Bool {
    guard let copied = entityRows(of: table, { "c\($0)" }) else { return false }
    let targets = Dictionary(grouping: copied.columns, by: \.relational)
    guard targets.values.contains(where: { Set($0.map(\.target)).count > 1 }) else { return false }
    let declared = layout.tables[table]
    for (owners, columns) in layout.partialColumns(of: table) {
      let numbers = owners.map(String.init).joined(separator: ", ")
      let names = columns.map { SQL.quoted(declared.columns[$0].name) }
      try database.execute(
        """
        UPDATE \(target(declared.name)) SET \(names.map { "\($0) = NULL" }.joined(separator: ", "))
          WHERE \(CoreDataLayout.entityColumn) NOT IN (\(numbers))
            AND (\(names.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")));
        """)
    }
    return true
  }
}
