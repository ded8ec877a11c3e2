import DataModel
import Stores

/// The names that a store has for its join tables.
///
/// Which of two sides gives a table its name, and which of several columns of one name gets a
/// number after it, has not been the same in all frameworks. So the names are the store's, as far
/// as they can be no others.
extension StoreCheck {
  /// Gives the join tables of the layout, and their columns, the names that the store has for them.
  mutating func adoptJoinTableNames() throws(ModelError) {
    var taken = Set(layout.joinTables.map(\.table.name.folded))
    for index in layout.joinTables.indices {
      let join = layout.joinTables[index]
      let other = name(of: join.first, after: join.first.owner)
      if !exists(join.table.name), exists(other), taken.insert(other.folded).inserted {
        layout.joinTables[index].table.name = other
      }
      try adoptColumnNames(index)
    }
  }

  private mutating func adoptColumnNames(_ index: Int) throws(ModelError) {
    let join = layout.joinTables[index]
    guard exists(join.table.name) else { return }
    var found: [String] = []
    for row in try store.rows("SELECT name FROM pragma_table_info(?)", [.text(join.table.name)]) {
      if case .text(let name) = row.first { found.append(name) }
    }
    var known = Set(join.table.columns.map(\.name.folded))
    for (side, other) in [(join.first, join.second), (join.second, join.first)] {
      let expected = join.table.columns[side.column].name
      guard !found.contains(where: { $0.folded == expected.folded }) else { continue }
      let base = name(of: side, after: other.owner)
      let candidates = found.filter { column in
        column.folded.hasPrefix(base.folded)
          && column.dropFirst(base.count).allSatisfy { $0.isASCII && $0.isNumber }
          && !known.contains(column.folded)
      }
      guard candidates.count == 1, let name = candidates.first else { continue }
      known.insert(name.folded)
      layout.joinTables[index].table.columns[side.column].name = name
      if let order = side.orderColumn {
        layout.joinTables[index].table.columns[order].name = "Z_FOK_\(name.dropFirst(2))"
      }
    }
  }

  /// The name that a side gives to a table or a column: its relationship after a number.
  private func name(of side: CoreDataLayout.JoinSide, after entity: Int) -> String {
    "Z_\(layout.entities[entity - 1].storeNumber)\(side.relationship.uppercased())"
  }
}
