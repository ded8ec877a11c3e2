import CoreDataStores
import SQLite
import Support

/// Columns of entities that share a table.
extension CoreDataProjection {
  /// How many columns are cleared at a time.
  private static let maxColumns = 400

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
      var rest = columns.map { SQL.quoted(declared.columns[$0].name) }[...]
      while !rest.isEmpty {
        let part = rest.prefix(Self.maxColumns)
        rest = rest.dropFirst(part.count)
        try database.execute(
          """
          UPDATE \(target(declared.name)) SET \(part.map { "\($0) = NULL" }.joined(separator: ", "))
            WHERE \(CoreDataLayout.entityColumn) NOT IN (\(numbers))
              AND (\(part.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")));
          """)
      }
    }
    return true
  }
}
