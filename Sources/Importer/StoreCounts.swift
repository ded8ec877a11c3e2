import DataModel
import Stores

/// Counts what a store holds: rows, values and links, by entity and property.
package enum StoreCounts {
  /// The counts of all entities of a plan, and of what belongs to none.
  package static func counts(
    _ store: StoreWriter, _ plan: ImportPlan
  ) throws(StoreError) -> ImportCounts {
    var counts = ImportCounts(entityCount: plan.model.entities.count)
    counts.collections = integer(
      try store.query("SELECT count(*) FROM \(RelationalLayout.collectionTable)"))
    counts.collectionValues = integer(
      try store.query("SELECT count(value) FROM \(RelationalLayout.collectionElementTable)"))
    counts.collectionLinks = integer(
      try store.query("SELECT count(value_id) FROM \(RelationalLayout.collectionElementTable)"))
    counts.topLevelValues = integer(
      try store.query("SELECT count(value) FROM \(RelationalLayout.topTable)"))
    for index in plan.model.entities.indices {
      try count(index, store, plan, &counts)
    }
    return counts
  }

  /// The number of metadata values that applications keep with a Core Data store.
  package static func metadataValues(_ store: StoreWriter) throws(StoreError) -> Int {
    integer(try store.query("SELECT count(value) FROM \(RelationalLayout.metadataTable)"))
  }

  private static func count(
    _ index: Int, _ store: StoreWriter, _ plan: ImportPlan, _ counts: inout ImportCounts
  ) throws(StoreError) {
    let place = plan.layout.entities[index]
    let table = plan.layout.table(of: index)
    let properties = place.properties.sorted { $0.key < $1.key }
    var terms = ["count(*)"]
    var targets: [(name: String, isLink: Bool)] = []
    for (name, property) in properties {
      for (column, isLink) in [(property.value, false), (property.reference, true)] {
        guard let column else { continue }
        terms.append("count(\(SQL.quoted(table.columns[column].name)))")
        targets.append((name, isLink))
      }
    }
    let rows = condition(index, plan)
    let known = knownCounts(properties.map(\.value), place, store)
    if let known {
      counts.entities[index].rows = known.rows
      for (target, count) in zip(targets, known.counts) {
        counts.entities[index].add(count, target.name, isLink: target.isLink)
      }
    } else {
      // SQLite returns so many columns at most.
      let first = try store.query(
        "SELECT \(terms[0]) FROM \(SQL.quoted(table.name)) WHERE \(rows)")
      counts.entities[index].rows = integer(first)
    }
    var start = known == nil ? 0 : targets.count
    while start < targets.count {
      let end = min(start + 500, targets.count)
      let list = terms[(start + 1)..<(end + 1)].joined(separator: ", ")
      let found = try store.query(
        "SELECT \(list) FROM \(SQL.quoted(table.name)) WHERE \(rows)")
      for (place, target) in targets[start..<end].enumerated() {
        guard case .integer(let count) = found.first?[place] else { continue }
        counts.entities[index].add(Int(count), target.name, isLink: target.isLink)
      }
      start = end
    }
    try countOverflow(index, store, plan, &counts)
    for (name, property) in properties {
      let (values, links) = try countElements(property, index, store, plan)
      counts.entities[index].properties[name, default: .init()].values += values
      counts.entities[index].properties[name, default: .init()].memberLinks += links
    }
  }

  /// The counts from inserting the rows, property by property; nil where the entity shares its
  /// table, or rows were changed since.
  private static func knownCounts(
    _ properties: [RelationalLayout.PropertyStorage], _ place: RelationalLayout.EntityStorage,
    _ store: StoreWriter
  ) -> (rows: Int, counts: [Int])? {
    guard place.discriminator == nil, let rows = store.filled(0, ofTable: place.table) else {
      return nil
    }
    var counts: [Int] = []
    for property in properties {
      for column in [property.value, property.reference].compactMap({ $0 }) {
        guard let count = store.filled(column, ofTable: place.table) else { return nil }
        counts.append(count)
      }
    }
    return (rows, counts)
  }

  /// Counts the properties for which the entity's table has no room.
  private static func countOverflow(
    _ index: Int, _ store: StoreWriter, _ plan: ImportPlan, _ counts: inout ImportCounts
  ) throws(StoreError) {
    let properties = plan.layout.entities[index].properties
    let owners = plan.layout.table(of: index)
    for overflow in Set(properties.values.compactMap(\.overflow)).sorted() {
      let elements = plan.layout.elementTables[overflow]
      guard let key = elements.key, let value = elements.value, let reference = elements.reference
      else { continue }
      let names = [elements.owner, key, value, reference].map {
        SQL.quoted(elements.table.columns[$0].name)
      }
      let found = try store.query(
        """
        SELECT \(names[1]), count(\(names[2])), count(\(names[3]))
          FROM \(SQL.quoted(elements.table.name))
          WHERE \(names[0]) IN (SELECT \(owners.quotedKey) FROM \(SQL.quoted(owners.name))
            WHERE \(condition(index, plan)))
          GROUP BY \(names[1])
        """)
      for row in found {
        guard case .text(let name) = row[0], properties[name]?.overflow == overflow,
          case .integer(let values) = row[1], case .integer(let links) = row[2]
        else { continue }
        counts.entities[index].properties[name, default: .init()].values += Int(values)
        counts.entities[index].properties[name, default: .init()].links += Int(links)
      }
    }
  }

  /// Counts what stands in other tables than the entity's own.
  private static func countElements(
    _ property: RelationalLayout.PropertyStorage, _ index: Int, _ store: StoreWriter,
    _ plan: ImportPlan
  ) throws(StoreError) -> (values: Int, links: Int) {
    let table = plan.layout.table(of: index)
    let rows =
      "SELECT \(table.quotedKey) FROM \(SQL.quoted(table.name)) WHERE \(condition(index, plan))"
    if let members = property.members {
      // All owners are rows of the entity's table.
      let memberPlace = plan.layout.entities[members.entity]
      // What names an owner whose ordered collection does not hold it has no position.
      let column = members.position ?? members.reference
      if plan.layout.entities[index].discriminator == nil,
        let count = store.filled(column, ofTable: memberPlace.table)
      {
        return (0, count)
      }
      let memberTable = plan.layout.table(of: members.entity)
      let owner = SQL.quoted(memberTable.columns[members.reference].name)
      return (
        0,
        integer(
          try store.query(
            "SELECT count(\(SQL.quoted(memberTable.columns[column].name))) "
              + "FROM \(SQL.quoted(memberTable.name)) WHERE \(owner) IN (\(rows))"))
      )
    }
    guard let elementIndex = property.elements ?? property.inverseElements else { return (0, 0) }
    let elements = plan.layout.elementTables[elementIndex]
    let columns = elements.table.columns
    let isInverse = property.elements == nil
    guard let owner = isInverse ? elements.reference : elements.owner else { return (0, 0) }
    func count(_ column: Int?) throws(StoreError) -> Int {
      guard let column else { return 0 }
      if plan.layout.entities[index].discriminator == nil,
        let count = store.filled(column, ofElements: elementIndex)
      {
        return count
      }
      return integer(
        try store.query(
          "SELECT count(\(SQL.quoted(columns[column].name))) "
            + "FROM \(SQL.quoted(elements.table.name)) "
            + "WHERE \(SQL.quoted(columns[owner].name)) IN (\(rows))"))
    }
    return (try count(elements.value), try count(elements.reference))
  }

  /// The rows of an entity, without those of its subentities.
  private static func condition(_ index: Int, _ plan: ImportPlan) -> String {
    plan.layout.condition(forRowsOf: [index]) ?? "1"
  }

  private static func integer(_ rows: [[StoredValue]]) -> Int {
    if case .integer(let value) = rows.first?.first { Int(value) } else { 0 }
  }
}

extension ImportCounts.EntityCounts {
  /// Adds what a column of all rows holds.
  fileprivate mutating func add(_ count: Int, _ name: String, isLink: Bool) {
    if isLink {
      properties[name, default: .init()].links += count
    } else {
      properties[name, default: .init()].values += count
      properties[name, default: .init()].nulls += rows - count
    }
  }
}
