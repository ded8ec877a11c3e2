import CoreDataStores
import DataModel
import Importer
import Stores

/// What rows lead to.
extension CoreDataComparison {
  // MARK: One row

  /// Compares a to-one relationship: in one column, or in one for each entity that it leads to.
  func compareReference(
    _ relationship: Relationship, _ index: Int, _ storage: CoreDataLayout.EntityStorage
  ) throws(StoreError) {
    guard let property = plan.layout.entities[index].properties[relationship.name],
      let reference = property.reference
    else { return }
    let table = plan.layout.table(of: index)
    let source = "r.\(SQL.quoted(table.columns[reference].name))"
    let type = property.referenceType.map { "r.\(SQL.quoted(table.columns[$0].name))" }
    let own = plan.hierarchy.withDescendants(of: index)
    let condition = plan.layout.condition(forRowsOf: own)
    for own in storage.entity.references {
      let isPart = own.draftedPart == .reference(of: relationship.name)
      guard isPart || own.name == relationship.name,
        case .column(let column) = storage.relationships[own.name]
      else { continue }
      try compare(
        column, storage, own.name, source, isPart ? type : nil, table: table.name,
        key: table.quotedKey, condition)
    }
    if case .column(let column) = storage.relationships[relationship.name],
      !storage.entity.references.contains(where: { $0.name == relationship.name })
    {
      // It is inherited.
      try compare(
        column, storage, relationship.name, source, nil, table: table.name, key: table.quotedKey,
        condition)
    }
  }

  /// Compares a column with keys of other rows.
  func compare(
    _ reference: CoreDataLayout.ReferenceColumns, _ storage: CoreDataLayout.EntityStorage,
    _ name: String, _ source: String, _ type: String?, table: String, key: String,
    _ condition: String?
  ) throws(StoreError) {
    let declared = layout.tables[storage.table]
    let column = "c.\(SQL.quoted(declared.columns[reference.column].name))"
    let destination = layout.entities[reference.destination - 1]
    var expected = source
    if let type, let target = relationalName(of: destination.entity) {
      expected = "iif(\(type) = '\(target.replacing("'", with: "''"))', \(source), NULL)"
    }
    let rows =
      "SELECT r.\(key) FROM \(Self.origin).\(SQL.quoted(table)) AS r "
      + "JOIN \(SQL.quoted(declared.name)) AS c ON c.Z_PK = r.\(key) WHERE "
    let more = condition.map { " AND \($0)" } ?? ""
    try list(
      storage.entity.name, name, "the row it refers to", "another",
      "\(rows)\(column) IS NOT \(expected)\(more)")
    if let order = reference.orderColumn {
      // Those of rows in a collection are compared with the collection.
      let place = "c.\(SQL.quoted(declared.columns[order].name))"
      try list(
        storage.entity.name, name, "no position, in no collection", "one",
        "\(rows)\(column) IS NULL AND \(place) IS NOT NULL\(more)")
    }
    guard let index = reference.entityColumn else { return }
    let entity = "c.\(SQL.quoted(declared.columns[index].name))"
    let other = SQL.quoted(layout.tables[destination.table].name)
    try list(
      storage.entity.name, name, "the entity of the row it refers to", "another",
      "\(rows)\(entity) IS NOT (SELECT d.Z_ENT FROM \(other) AS d WHERE d.Z_PK = \(column))\(more)")
  }

  /// The name of the relational table with the rows of an entity.
  private func relationalName(of entity: Entity) -> String? {
    if entity.draftedTable == .collections { return RelationalLayout.collectionTable }
    return plan.hierarchy.index(of: entity.name).map { plan.layout.table(of: $0).name }
  }

  // MARK: Several rows

  /// Pairs of an owner `o` and a member `m` with the member's place `p`, in SQL.
  private struct Pairs {
    var sql: String
    var isOrdered: Bool
  }

  /// Compares a to-many relationship: its links, and their order.
  func compareMembers(
    of relationship: Relationship, _ index: Int, _ storage: CoreDataLayout.EntityStorage
  ) throws(StoreError) {
    guard let property = plan.layout.entities[index].properties[relationship.name],
      let expected = relationalPairs(property), let found = pairs(of: relationship.name, storage)
    else { return }
    let name = storage.entity.name
    // A collection of Core Data holds a row once: where it is first.
    let rows = "SELECT o, m, min(p) AS p FROM (\(expected.sql)) GROUP BY o, m"
    for (table, isColumn) in found {
      // Where the members lead back, their column was compared.
      if !isColumn {
        try list(
          name, relationship.name, "a link", "none",
          "SELECT o, m FROM (\(rows)) EXCEPT SELECT o, m FROM (\(table.sql))")
        try list(
          name, relationship.name, "no link", "one",
          "SELECT o, m FROM (\(table.sql)) EXCEPT SELECT o, m FROM (\(rows))")
      }
      guard expected.isOrdered, table.isOrdered else { continue }
      // Members of sets have no place: they stand after those that have one, in any order.
      let order = "row_number() OVER (PARTITION BY o ORDER BY p IS NULL, p, m) AS n"
      // Core Data counts from 2048 in steps of 1024.
      let key = "min(p, \((Int64.max - 2_048) / 1_024)) * 1024 + 2048"
      try list(
        name, relationship.name, "its position in the collection", "another",
        """
        SELECT o, m FROM (
          SELECT o, m, n, \(key) FROM (SELECT o, m, p, \(order) FROM (\(rows)))
            WHERE p IS NOT NULL
          EXCEPT SELECT o, m, \(order), p FROM (\(table.sql)))
          WHERE (o, m) IN (SELECT o, m FROM (\(table.sql)))
        UNION SELECT o, m FROM (\(table.sql)) WHERE typeof(p) <> 'integer'
        """)
    }
  }

  /// The links of the relational store.
  private func relationalPairs(_ property: RelationalLayout.PropertyStorage) -> Pairs? {
    if let members = property.members {
      let table = plan.layout.table(of: members.entity)
      let owner = SQL.quoted(table.columns[members.reference].name)
      let position = members.position.map { SQL.quoted(table.columns[$0].name) }
      return Pairs(
        sql: "SELECT \(owner) AS o, \(table.quotedKey) AS m, \(position ?? "0") AS p "
          + "FROM \(Self.origin).\(SQL.quoted(table.name)) "
          + "WHERE \(owner) IS NOT NULL AND \(position ?? "0") IS NOT NULL",
        isOrdered: position != nil)
    }
    guard let index = property.elements ?? property.inverseElements else { return nil }
    let elements = plan.layout.elementTables[index]
    guard let reference = elements.reference, elements.referenceType == nil else { return nil }
    let columns = elements.table.columns.map { SQL.quoted($0.name) }
    let isOwn = property.elements != nil
    let (owner, member) = isOwn ? (elements.owner, reference) : (reference, elements.owner)
    let position = isOwn ? elements.position : elements.inversePosition
    return Pairs(
      sql: "SELECT \(columns[owner]) AS o, \(columns[member]) AS m, "
        + "\(position.map { columns[$0] } ?? "0") AS p "
        + "FROM \(Self.origin).\(SQL.quoted(elements.table.name)) "
        + "WHERE \(columns[owner]) IS NOT NULL AND \(columns[member]) IS NOT NULL",
      isOrdered: position != nil)
  }

  /// The links of the store: in each table that may have them, and whether it is the members' own.
  private func pairs(
    of relationship: String, _ storage: CoreDataLayout.EntityStorage
  ) -> [(pairs: Pairs, isColumn: Bool)]? {
    switch storage.relationships[relationship] {
    case .members(let entity, let inverse):
      let members = layout.entities[entity - 1]
      guard case .column(let reference) = members.relationships[inverse] else { return nil }
      let table = layout.tables[members.table]
      let owner = SQL.quoted(table.columns[reference.column].name)
      let order = reference.orderColumn.map { SQL.quoted(table.columns[$0].name) }
      let sql =
        "SELECT \(owner) AS o, Z_PK AS m, \(order ?? "0") AS p FROM \(SQL.quoted(table.name)) "
        + "WHERE \(owner) IS NOT NULL"
      return [(Pairs(sql: sql, isOrdered: order != nil), true)]
    case .memberColumn(let table, let column):
      let declared = layout.tables[table]
      let owner = SQL.quoted(declared.columns[column].name)
      let sql =
        "SELECT \(owner) AS o, Z_PK AS m, 0 AS p FROM \(SQL.quoted(declared.name)) "
        + "WHERE \(owner) IS NOT NULL"
      return [(Pairs(sql: sql, isOrdered: false), false)]
    case .join(let tables):
      return tables.map { index in
        let join = layout.joinTables[index]
        let isSecond =
          join.second.relationship == relationship
          && layout.entities[join.second.owner - 1].numbers.contains(storage.number)
        let (owner, member) = isSecond ? (join.first, join.second) : (join.second, join.first)
        let columns = join.table.columns.map { SQL.quoted($0.name) }
        let order = member.orderColumn.map { columns[$0] }
        let sql =
          "SELECT \(columns[owner.column]) AS o, \(columns[member.column]) AS m, "
          + "\(order ?? "0") AS p FROM \(SQL.quoted(join.table.name))"
        return (Pairs(sql: sql, isOrdered: order != nil), false)
      }
    case .column, nil: return nil
    }
  }
}
