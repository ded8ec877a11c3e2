import DataModel
import GraphCore
import Stores
import Support

/// The storage of to-many relationships.
extension StoreLayout.Builder {
  /// The storage of the links of a relationship.
  mutating func links(
    of relationship: Relationship, _ owner: Int, _ storage: CoreDataLayout.LinkStorage,
    _ target: StoreLayout.Target
  ) throws(ModelError) -> StoreLayout.Links {
    let declaring = planned.entities[owner - 1]
    switch storage {
    case .column: throw unreadable(declaring, relationship.name)
    case .members(let entity, let inverse):
      guard case .column(let reference) = planned.entities[entity - 1].relationships[inverse] else {
        throw unreadable(declaring, relationship.name)
      }
      let table = planned.entities[entity - 1].table
      let columns = planned.tables[table].columns
      return try memberLinks(
        relationship, declaring, target, table, columns[reference.column].name,
        relationship.isOrdered ? reference.orderColumn.map { columns[$0].name } : nil,
        hasInverse: true)
    case .memberColumn(let table, let column):
      return try memberLinks(
        relationship, declaring, target, table, planned.tables[table].columns[column].name, nil,
        hasInverse: false)
    case .join(let tables):
      return try joinLinks(relationship, declaring, target, tables)
    }
  }

  /// The links in a column of the members.
  private func memberLinks(
    _ relationship: Relationship, _ declaring: CoreDataLayout.EntityStorage,
    _ target: StoreLayout.Target, _ table: Int, _ owner: String, _ order: String?,
    hasInverse: Bool
  ) throws(ModelError) -> StoreLayout.Links {
    let (stored, columns) = found[table]
    func column(_ name: String) throws(ModelError) -> String {
      guard let found = columns[name.folded] else {
        throw ModelError(
          .missingColumn, entity: declaring.entity.name, property: relationship.name,
          name: "\(stored.name).\(name)")
      }
      return found
    }
    let owner = try column(owner)
    var orderColumn: String?
    if let order { orderColumn = try column(order) }
    return StoreLayout.Links(
      table: stored.name, owner: owner, member: nil, order: orderColumn,
      index: try schema.index(of: stored, on: owner), owners: owners(declaring), target: target,
      kind: relationship.isOrdered ? .orderedSet : .set, memberTable: table,
      hasInverse: hasInverse)
  }

  /// The links in a join table, or in both where the store has tables of both possible names.
  ///
  /// Which name the table of a relationship between objects of one entity has does not follow from
  /// the model. This program makes both, with the same rows; Core Data goes on with one of them.
  private mutating func joinLinks(
    _ relationship: Relationship, _ declaring: CoreDataLayout.EntityStorage,
    _ target: StoreLayout.Target, _ tables: [Int]
  ) throws(ModelError) -> StoreLayout.Links {
    let joins = tables.map { planned.joinTables[$0] }
    var found: [StoreLayout.Links] = []
    for join in joins {
      guard let stored = table(of: join) else { continue }
      joinTables.insert(stored.name.folded)
      found.append(try joinLinks(relationship, declaring, target, join, stored))
    }
    guard var links = found.first else {
      throw ModelError(
        .missingTable, entity: declaring.entity.name, property: relationship.name,
        name: joins.first?.table.name)
    }
    links.others = Array(found.dropFirst())
    return links
  }

  /// The join table in the store: which of the two sides gives it its name has not been the same in
  /// all frameworks.
  private func table(of join: CoreDataLayout.JoinTable) -> SQLiteSchema.Table? {
    if let table = schema.tables[join.table.name.folded] { return table }
    let number = planned.entities[join.first.owner - 1].storeNumber
    let other = "Z_\(number)\(join.first.relationship.uppercased())".folded
    guard !planned.joinTables.contains(where: { $0.table.name.folded == other }) else { return nil }
    return schema.tables[other]
  }

  /// The links in a join table that the store has.
  private func joinLinks(
    _ relationship: Relationship, _ declaring: CoreDataLayout.EntityStorage,
    _ target: StoreLayout.Target, _ join: CoreDataLayout.JoinTable, _ stored: SQLiteSchema.Table
  ) throws(ModelError) -> StoreLayout.Links {
    let columns = try schema.columns(of: stored)
    let own = join.members(of: relationship.name, declaring.number)
    let other = own.column == join.first.column ? join.second : join.first
    func column(_ side: CoreDataLayout.JoinSide) throws(ModelError) -> String {
      let name = join.table.columns[side.column].name
      if let found = columns[name.folded] { return found }
      // Core Data numbers columns of the same name in an order that older stores have otherwise.
      let numbered = columns.filter {
        Self.withoutNumber($0.key) == Self.withoutNumber(name.folded)
      }
      guard numbered.count == 1, let found = numbered.first?.value else {
        throw ModelError(
          .missingColumn, entity: declaring.entity.name, property: relationship.name,
          name: "\(stored.name).\(name)")
      }
      return found
    }
    let (owner, member) = (try column(other), try column(own))
    var order: String?
    if relationship.isOrdered {
      let name = "Z_FOK_\(member.dropFirst(2))"
      guard let found = columns[name.folded] else {
        throw ModelError(
          .missingColumn, entity: declaring.entity.name, property: relationship.name,
          name: "\(stored.name).\(name)")
      }
      order = found
    }
    return StoreLayout.Links(
      table: stored.name, owner: owner, member: member, order: order,
      index: try schema.index(of: stored, on: owner), owners: owners(declaring), target: target,
      kind: relationship.isOrdered ? .orderedSet : .set, memberTable: nil, hasInverse: true)
  }

  /// The links in the join table of a many-to-many relationship that is its own inverse.
  ///
  /// One of its columns has the name of the table, and the other is the other one. Whichever objects
  /// are in it, and whether a link is there once or in both directions, it leads both ways.
  mutating func symmetricLinks(
    of relationship: Relationship, _ owner: Int, _ target: StoreLayout.Target
  ) throws(ModelError) -> StoreLayout.Links {
    let declaring = planned.entities[owner - 1]
    let name = "Z_\(declaring.storeNumber)\(relationship.name.uppercased())"
    guard let stored = schema.tables[name.folded] else {
      throw ModelError(
        .missingTable, entity: declaring.entity.name, property: relationship.name, name: name)
    }
    var columns = try schema.columns(of: stored)
    guard let own = columns.removeValue(forKey: name.folded), columns.count == 1,
      let other = columns.values.first
    else { throw unreadable(declaring, relationship.name) }
    joinTables.insert(name.folded)
    var links = StoreLayout.Links(
      table: stored.name, owner: own, member: other, order: nil, index: nil,
      owners: owners(declaring), target: target, kind: .set, memberTable: nil, hasInverse: true)
    let (one, two) = (SQL.quoted(own), SQL.quoted(other))
    let rows = "FROM main.\(SQL.quoted(stored.name)) NOT INDEXED"
    links.union = """
      SELECT \(one) AS owner, \(two) AS member, NULL AS place \(rows)
        UNION SELECT \(two), \(one), NULL \(rows)
      """
    return links
  }

  /// The objects that have a relationship of an entity.
  private func owners(_ declaring: CoreDataLayout.EntityStorage) -> StoreLayout.Target {
    StoreLayout.Target(table: declaring.table, entity: declaring.number - 1)
  }

  /// A name without the digits at its end.
  private static func withoutNumber(_ name: String) -> Substring {
    var rest = Substring(name)
    while rest.last?.isNumber == true { rest.removeLast() }
    return rest
  }
}

extension Relationship {
  /// True for an unordered many-to-many relationship of an entity which is its own inverse.
  func isSymmetric(in entity: String) -> Bool {
    isToMany && !isOrdered && inverse == name && destinations == [entity]
  }
}
