import DataModel
import Stores

/// The checks of references.
///
/// Tables are joined rather than searched row by row, so that SQLite can make an index where a
/// hostile store has none.
extension StoreCheck {
  /// Checks a relationship of an entity that is kept in rows; those in join tables come later.
  package mutating func check(
    _ relationship: Relationship, _ storage: CoreDataLayout.EntityStorage, _ table: CoreDataTable
  ) throws(ModelError) {
    switch storage.relationships[relationship.name] {
    case .column(let reference): try check(relationship, reference, storage, table)
    case .memberColumn(let members, let column):
      let memberTable = layout.tables[members]
      let name = memberTable.columns[column].name
      guard has(memberTable.name, name) else { return }
      try checkTargets(
        StoreFinding(.missingRow, table: memberTable.name, column: name),
        "\(SQL.quoted(memberTable.name)) AS t", "", leadTo: storage)
    case .members, .join, nil: return
    }
  }

  private mutating func check(
    _ relationship: Relationship, _ reference: CoreDataLayout.ReferenceColumns,
    _ storage: CoreDataLayout.EntityStorage, _ table: CoreDataTable
  ) throws(ModelError) {
    let column = table.columns[reference.column].name
    guard has(table.name, column) else { return }
    let destination = layout.entities[reference.destination - 1]
    let own = SQL.quoted(table.name)
    let range = storage.isEntity(of: "t")
    let finding = StoreFinding(.missingRow, table: table.name, column: column)
    try checkTargets(finding, "\(own) AS t", " AND \(range)", leadTo: destination)
    if !relationship.isOptional {
      try find(
        StoreFinding(.missingValue, table: table.name, column: column),
        from: "\(own) AS t WHERE \(range) AND t.\(SQL.quoted(column)) IS NULL")
    }
    let target = layout.tables[destination.table].name
    guard hasKeys(destination.table) else { return }
    let joined =
      "\(own) AS t JOIN \(SQL.quoted(target)) AS d ON d.Z_PK = t.\(SQL.quoted(column)) WHERE \(range)"
    if let number = reference.entityColumn {
      let entityColumn = table.columns[number].name
      if has(table.name, entityColumn) {
        let finding = StoreFinding(
          .otherReferenceEntity, table: table.name, column: entityColumn)
        try find(
          finding, unlessEmpty: (entityColumn, "\(own) AS t WHERE \(range)"),
          from: "\(joined) AND t.\(SQL.quoted(entityColumn)) IS NOT d.Z_ENT")
      }
    }
    let leadsBack = source.model.leadsBack(relationship.name, of: storage.entity.name)
    if leadsBack, let (back, owner) = inverseColumn(of: reference), has(target, back) {
      let finding = StoreFinding(.oneSided, table: table.name, column: column)
      try find(
        finding, unlessEmpty: (back, destination.rows(of: layout.tables[destination.table])),
        from: "\(joined) AND \(owner.isEntity(of: "t")) "
          + "AND d.\(SQL.quoted(back)) IS NOT t.Z_PK")
    }
    if let number = reference.orderColumn {
      try checkOrder(table.name, owner: column, order: table.columns[number].name, " AND \(range)")
    }
  }

  /// The column of the inverse, where it is a to-one relationship as well, and the entity that it
  /// leads back to: rows of other subentities of the relationship's entity have no way back.
  private func inverseColumn(
    of reference: CoreDataLayout.ReferenceColumns
  ) -> (column: String, owner: CoreDataLayout.EntityStorage)? {
    let destination = layout.entities[reference.destination - 1]
    guard let name = reference.inverse, case .column(let back) = destination.relationships[name]
    else { return nil }
    return (
      layout.tables[destination.table].columns[back.column].name,
      layout.entities[back.destination - 1]
    )
  }

  /// Checks that the rows are there that a column leads to, and of the right entity.
  mutating func checkTargets(
    _ finding: StoreFinding, key: String = "t.Z_PK", _ source: String, _ condition: String,
    leadTo destination: CoreDataLayout.EntityStorage
  ) throws(ModelError) {
    let table = layout.tables[destination.table].name
    guard hasKeys(destination.table), let column = finding.column else { return }
    let value = "t.\(SQL.quoted(column))"
    let joined =
      "\(source) LEFT JOIN \(SQL.quoted(table)) AS d ON d.Z_PK = \(value) "
      + "WHERE \(value) IS NOT NULL\(condition)"
    try find(finding, key: key, from: "\(joined) AND d.Z_PK IS NULL")
    var other = finding
    other.code = .rowOfOtherEntity
    try find(
      other, key: key,
      from: "\(joined) AND d.Z_PK IS NOT NULL AND (\(destination.isEntity(of: "d"))) IS NOT true")
  }

  /// Checks that each member has a place in its owner's collection, and one of its own.
  package mutating func checkOrder(
    _ table: String, owner: String, order: String, key: String = "t.Z_PK", _ condition: String = "",
    isNote: Bool = false
  ) throws(ModelError) {
    guard has(table, owner, order) else { return }
    let (name, owner, column) = (SQL.quoted(table), SQL.quoted(owner), SQL.quoted(order))
    func finding(_ code: StoreFinding.Code) -> StoreFinding {
      StoreFinding(code, table: table, column: order, isNote: isNote)
    }
    try find(
      finding(.otherKind), key: key,
      from: "\(name) AS t WHERE typeof(t.\(column)) NOT IN ('null', 'integer')\(condition)")
    try find(
      finding(.missingOrder), key: key, unlessEmpty: (order, "\(name) AS t WHERE true\(condition)"),
      from: "\(name) AS t WHERE t.\(owner) IS NOT NULL AND t.\(column) IS NULL\(condition)")
    try find(
      finding(.repeatedOrder), key: key,
      from: """
        \(name) AS t JOIN (SELECT \(owner) AS o, \(column) AS p FROM \(name)
          WHERE o IS NOT NULL AND p IS NOT NULL GROUP BY o, p HAVING count(*) > 1) AS g
          ON g.o = t.\(owner) AND g.p = t.\(column) WHERE true\(condition)
        """)
  }

  /// Checks the tables of many-to-many relationships.
  mutating func checkJoinTables() throws(ModelError) {
    for join in layout.joinTables {
      let table = join.table
      let (first, second) = (table.columns[join.first.column], table.columns[join.second.column])
      guard has(table.name, first.name, second.name) else { continue }
      // Of two tables Core Data writes to one only, and which one is not known.
      let others = alternatives(to: join).filter { has($0.table.name) }
      let isNote = !others.isEmpty
      if !join.isAlternative, let other = others.first { try compare(join, other) }
      for (side, other) in [(join.first, join.second), (join.second, join.first)] {
        try checkTargets(
          StoreFinding(
            .missingRow, table: table.name, column: table.columns[side.column].name,
            isNote: isNote), key: "t.rowid", "\(SQL.quoted(table.name)) AS t", "",
          leadTo: layout.entities[side.destination - 1])
        guard let order = side.orderColumn else { continue }
        try checkOrder(
          table.name, owner: table.columns[other.column].name, order: table.columns[order].name,
          key: "t.rowid", isNote: isNote)
      }
    }
  }
  /// Compares the two tables of a relationship between rows of one entity: their links, and the
  /// places of these.
  private mutating func compare(
    _ join: CoreDataLayout.JoinTable, _ other: CoreDataLayout.JoinTable
  ) throws(ModelError) {
    // The tables have the same two sides, the other way round.
    let sides = [(join.first, other.second), (join.second, other.first)]
    func names(_ table: CoreDataTable, _ sides: [CoreDataLayout.JoinSide]) -> [String] {
      sides.flatMap { [$0.column, $0.orderColumn].compactMap(\.self) }
        .map { table.columns[$0].name }
    }
    let columns = names(join.table, sides.map(\.0))
    let otherColumns = names(other.table, sides.map(\.1))
    guard columns.allSatisfy({ has(join.table.name, $0) }),
      otherColumns.allSatisfy({ has(other.table.name, $0) })
    else { return }
    func rows(_ table: CoreDataTable, _ columns: [String]) -> String {
      let list = columns.map(SQL.quoted).joined(separator: ", ")
      return "SELECT \(list) FROM \(SQL.quoted(table.name))"
    }
    let (own, others) = (rows(join.table, columns), rows(other.table, otherColumns))
    for (some, rest) in [(own, others), (others, own)] {
      guard try store.rows("\(some) EXCEPT \(rest) LIMIT 1").isEmpty else {
        add(StoreFinding(.otherLinks, table: join.table.name, name: other.table.name))
        return
      }
    }
  }
}
