extension CoreDataLayout {
  /// The most columns that `partialColumns` gives together.
  private static let maxPartialColumns = 400

  /// The columns of a table that belong to properties of some of its entities: those of rows of the
  /// others are NULL.
  ///
  /// - Parameter table: The table, by its place in `tables`.
  /// - Returns: The columns, by the numbers that the store has for the entities that have them; all
  ///   in ascending order, and no more together than a statement has room for.
  package func partialColumns(of table: Int) -> [(owners: [Int], columns: [Int])] {
    let members = members[table].map { entities[$0 - 1] }
    var owners: [Int: Set<Int>] = [:]
    for storage in members {
      var columns = Array(storage.attributes.values)
      for case .column(let reference) in storage.relationships.values {
        columns.append(reference.column)
        columns += [reference.entityColumn, reference.orderColumn].compactMap(\.self)
      }
      for column in columns { owners[column, default: []].insert(storage.storeNumber) }
    }
    return Dictionary(grouping: owners.keys) { owners[$0, default: []].sorted() }
      .filter { $0.key.count < members.count }
      .flatMap { owners, columns in
        let sorted = columns.sorted()
        return stride(from: 0, to: sorted.count, by: Self.maxPartialColumns).map { first in
          (owners: owners, columns: Array(sorted[first...].prefix(Self.maxPartialColumns)))
        }
      }
      .sorted { $0.columns.lexicographicallyPrecedes($1.columns) }
  }
}
