import Stores

/// The counting, in SQL, of the rows that relationships lead to.
extension StoredRows {
  /// A query of how many rows a relationship leads to, for each row of its entity.
  func counting(_ index: Int) -> String {
    let stored = relationships[index]
    let table = layout.tables[stored.table]
    let name = SQL.quoted(table.name)
    let key = table.quotedKey
    var ids = "SELECT \(key) AS id FROM \(name)"
    if let condition = kindCondition(stored.entity) { ids += " WHERE " + condition }
    if let reference = stored.reference {
      let column = SQL.quoted(table.columns[reference].name)
      return "SELECT \(key) AS id, \(column) IS NOT NULL AS count FROM \(name) "
        + "WHERE \(key) IN (\(ids))"
    }
    var holder = ""
    var owner = ""
    var counted = ""
    if let elements = stored.elements {
      let table = layout.elementTables[elements]
      holder = table.table.name
      let column = stored.isInverseTable ? table.reference ?? table.owner : table.owner
      owner = table.table.columns[column].name
      counted = owner
    } else if let inverse = stored.inverse, let reference = relationships[inverse].reference {
      let table = layout.tables[relationships[inverse].table]
      holder = table.name
      owner = table.columns[reference].name
      // A row whose owner's collection does not hold it has no position.
      counted =
        (stored.isOrdered ? stored.memberPosition : nil).map { table.columns[$0].name } ?? owner
    }
    return """
      SELECT mine.id AS id, count(other.\(SQL.quoted(counted))) AS count FROM (\(ids)) AS mine
        LEFT JOIN \(SQL.quoted(holder)) AS other ON other.\(SQL.quoted(owner)) = mine.id
        GROUP BY mine.id
      """
  }

  /// What holds for the rows of an entity, in SQL; nil where they have a table for themselves.
  func kindCondition(_ entity: Int) -> String? {
    layout.condition(forRowsOf: hierarchy.withDescendants(of: entity))
  }
}
