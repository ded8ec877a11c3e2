import Stores

extension StoredRows {
  /// A row that a relationship leads to.
  struct Member {
    /// Its position among them; the last one where it has none.
    var position: Int64
    var row: RowReference

    init(_ position: Int64?, _ row: RowReference) {
      (self.position, self.row) = (position ?? .max, row)
    }

    fileprivate init(_ position: StoredValue, _ row: RowReference) {
      if case .integer(let position) = position {
        self.init(position, row)
      } else {
        self.init(nil, row)
      }
    }
  }

  /// The cell of a row's to-one relationship, as the store has it.
  func cell(
    _ stored: StoredRelationship, _ reference: Int, _ row: Int64
  ) throws(StoreError) -> ForeignKeyBuffer.Cell {
    let table = layout.tables[stored.table]
    let position = stored.inverse.flatMap { relationships[$0].memberPosition }
    let columns = [reference, stored.referenceType, position].map { column in
      column.map { table.columns[$0].position } ?? "NULL"
    }
    var cell = ForeignKeyBuffer.Cell(isLoaded: true)
    let query =
      "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.quoted(table.name)) "
      + "WHERE \(table.quotedKey) = ?"
    let found = try store.query(query, [.integer(row)])
    guard let values = found.first, case .integer(let target) = values[0] else { return cell }
    cell.target = target
    let entity = self.entity(of: values[1]) ?? stored.destinations.first
    if case .integer(let position) = values[2] {
      cell.position = Int32(truncatingIfNeeded: position)
    }
    cell.targetEntity = Int32(truncatingIfNeeded: entity ?? 0)
    return cell
  }

  /// The rows whose to-one relationship leads to a row by one of its ids, each with its position.
  func members(pointingBy inverse: Int, at ids: Set<Int64>) throws(StoreError) -> [Member] {
    let stored = relationships[inverse]
    guard let reference = stored.reference else { return [] }
    let table = layout.tables[stored.table]
    let position =
      stored.inverse.flatMap { relationships[$0].memberPosition }
      .map { table.columns[$0].position } ?? "NULL"
    let only = ids.count == 1 ? ids.first : nil
    return try store.query(
      """
      SELECT \(table.quotedKey), \(position) FROM \(SQL.quoted(table.name))
        WHERE \(SQL.quoted(table.columns[reference].name))
          \(only == nil ? "IN (SELECT value FROM json_each(?))" : "= ?")
      """, [only.map { .integer($0) } ?? .text("\(ids.sorted())")]
    ).compactMap { values in
      guard case .integer(let id) = values[0] else { return nil }
      return Member(values[1], RowReference(entity: stored.entity, id: id))
    }
  }

  /// The rows that a relationship with a table of its own leads to, each with its position.
  func members(
    of stored: StoredRelationship, in table: Int, _ row: RowReference
  ) throws(StoreError) -> [Member] {
    let elements = layout.elementTables[table]
    guard let reference = elements.reference else { return [] }
    let columns = elements.table.columns
    let own = stored.isInverseTable ? reference : elements.owner
    let other = stored.isInverseTable ? elements.owner : reference
    let order = stored.isInverseTable ? elements.inversePosition : elements.position
    let position = order.map { SQL.quoted(columns[$0].name) } ?? "NULL"
    let type = elements.referenceType.map { SQL.quoted(columns[$0].name) } ?? "NULL"
    return try store.query(
      """
      SELECT \(SQL.quoted(columns[other].name)), \(position), \(type)
        FROM \(SQL.quoted(elements.table.name)) WHERE \(SQL.quoted(columns[own].name)) = ?
      """, [.integer(row.id)]
    ).compactMap { values in
      guard case .integer(let id) = values[0] else { return nil }
      let entity = self.entity(of: values[2]) ?? stored.destinations.first ?? 0
      return Member(values[1], RowReference(entity: entity, id: id))
    }
  }

  /// The plain elements of a collection, keys included, in an order of their own.
  func elements(
    in elements: RelationalLayout.ElementTable, of owner: Int64
  ) throws(StoreError) -> [[StoredValue]] {
    let columns = elements.table.columns
    let names = [elements.position, elements.key, elements.value].compactMap { column in
      column.map { SQL.quoted(columns[$0].name) }
    }
    let list = names.isEmpty ? "NULL" : names.joined(separator: ", ")
    return try store.query(
      """
      SELECT \(list) FROM \(SQL.quoted(elements.table.name))
        WHERE \(SQL.quoted(columns[elements.owner].name)) = ? ORDER BY \(list)
      """, [.integer(owner)])
  }

  /// The number of times that a table of links has a link already.
  func linkCount(
    in elements: RelationalLayout.ElementTable, of owner: Int64, to member: RowReference
  ) throws(StoreError) -> Int {
    guard let reference = elements.reference else { return 0 }
    let columns = elements.table.columns
    var condition =
      "\(SQL.quoted(columns[elements.owner].name)) = ? AND "
      + "\(SQL.quoted(columns[reference].name)) = ?"
    var values: [StoredValue] = [.integer(owner), .integer(member.id)]
    if let type = elements.referenceType {
      condition += " AND \(SQL.quoted(columns[type].name)) = ?"
      values.append(.text(layout.table(of: member.entity).name))
    }
    return try store.query(
      "SELECT 1 FROM \(SQL.quoted(elements.table.name)) WHERE \(condition)", values
    ).count
  }

  /// The entity that a row is of, which may inherit from the one that led to it; nil if it is not in
  /// the store.
  func known(_ row: RowReference) throws(StoreError) -> RowReference? {
    guard let column = entities[row.entity].discriminator else {
      return try values(ofColumns: [0], of: row).isEmpty ? nil : row
    }
    guard let kind = try values(ofColumns: [column], of: row).first, let entity = entity(of: kind)
    else { return nil }
    return RowReference(entity: entity, id: row.id)
  }

  /// The rows that a relationship of a row leads to, in order where there is one.
  func rows(_ index: Int, of row: RowReference) throws(StoreError) -> [RowReference] {
    let stored = relationships[index]
    guard stored.isToMany else {
      let columns = [stored.reference, stored.referenceType].compactMap { $0 }
      let values = try values(ofColumns: columns, of: row)
      guard case .integer(let id) = values.first else { return [] }
      let kind = values.count > 1 ? self.entity(of: values[1]) : nil
      let entity = kind ?? stored.destinations.first ?? row.entity
      return [RowReference(entity: entity, id: id)]
    }
    var found: [Member] = []
    if let table = stored.elements {
      found = try members(of: stored, in: table, row)
    } else if let inverse = stored.inverse {
      found = try members(pointingBy: inverse, at: [row.id])
    }
    return Self.inOrder(found)
  }

  /// Members by their positions, those at the same one by their ids.
  static func inOrder(_ members: [Member]) -> [RowReference] {
    members.sorted { ($0.position, $0.row.id) < ($1.position, $1.row.id) }.map(\.row)
  }
}
