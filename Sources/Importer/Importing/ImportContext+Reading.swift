import RelationalStores

extension ImportContext {
  /// The value of an attribute of a row, or the rows of a relationship.
  func value(of name: String, in instance: RowInstance) -> ImportValue {
    let entity = entities[instance.reference.entity]
    if let index = entity.attributeIndices[name] {
      if case .unset = instance.slots[index] {
        guard instance.isWritten else { return .null }
        return answer(orElse: .null) { try storedValue(of: index, in: instance.reference) }
      }
      return importValue(of: instance.slots[index])
    }
    if let index = entity.relationshipIndices[name] {
      let rows = answer(orElse: []) { try members(of: index, instance.reference) }
      if relationships[index].isToMany { return .list(rows.map { .row($0) }) }
      return rows.first.map { .row($0) } ?? .null
    }
    if let slot = instance.collections[name] { return importValue(of: slot) }
    // Setting an unknown name is an error of the run; getting it is one as well.
    set(.null, for: name, in: instance)
    return .null
  }

  /// The rows that a relationship of a row leads to, in order where there is one.
  func members(of index: Int, _ row: RowReference) throws -> [RowReference] {
    let stored = relationships[index]
    guard stored.isToMany else {
      let cell = cell(index, of: row)
      guard cell.target != 0 else { return [] }
      return [RowReference(entity: Int(cell.targetEntity), id: cell.target)]
    }
    var found: [(position: Int64, row: RowReference)] = []
    if let table = stored.elements {
      let destination = stored.destinations.first ?? 0
      for link in links.joins.links(of: table) {
        if stored.isInverseTable, link.member == row.id {
          found.append(
            (link.inversePosition ?? .max, RowReference(entity: destination, id: link.owner)))
        } else if !stored.isInverseTable, link.owner == row.id {
          found.append(
            (link.position ?? .max, RowReference(entity: link.memberEntity, id: link.member)))
        }
      }
      found += try storedMembers(stored, table, row).filter { other in
        !found.contains { $0.row.id == other.row.id }
      }
    } else if let inverse = stored.inverse {
      var known: Set<Int64> = []
      links.cells[inverse]?.forEachCurrent { member, cell in
        known.insert(member)
        guard cell.target == row.id else { return }
        let position = cell.position < 0 ? Int64.max : Int64(cell.position)
        found.append(
          (position, RowReference(entity: relationships[inverse].entity, id: member)))
      }
      found += try storedMembers(inverse, row).filter { !known.contains($0.row.id) }
    }
    return found.sorted { ($0.position, $0.row.id) < ($1.position, $1.row.id) }.map(\.row)
  }

  private func storedMembers(
    _ inverse: Int, _ row: RowReference
  ) throws -> [(position: Int64, row: RowReference)] {
    let stored = relationships[inverse]
    guard let reference = stored.reference else { return [] }
    let table = plan.layout.tables[stored.table]
    let position =
      stored.inverse.flatMap { relationships[$0].memberPosition }
      .map { SQL.quoted(table.columns[$0].name) } ?? "NULL"
    return try store.query(
      """
      SELECT \(table.quotedKey), \(position) FROM \(SQL.quoted(table.name))
        WHERE \(SQL.quoted(table.columns[reference].name)) = ?
      """, [.integer(row.id)]
    ).compactMap { values in
      guard case .integer(let id) = values[0] else { return nil }
      if let known = links.cells[inverse]?.cell(of: id), known.target != row.id { return nil }
      return (Self.position(values[1]), RowReference(entity: stored.entity, id: id))
    }
  }

  private func storedMembers(
    _ stored: StoredRelationship, _ table: Int, _ row: RowReference
  ) throws -> [(position: Int64, row: RowReference)] {
    let elements = plan.layout.elementTables[table]
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
      var entity = stored.destinations.first ?? 0
      if case .text(let name) = values[2] { entity = plan.hierarchy.index(of: name) ?? entity }
      return (Self.position(values[1]), RowReference(entity: entity, id: id))
    }
  }

  private static func position(_ value: StoredValue) -> Int64 {
    if case .integer(let position) = value { position } else { .max }
  }

  package func fetch(
    _ entityName: String, where values: [String: ImportValue]
  ) throws -> [DestinationInstance] {
    guard let index = plan.hierarchy.index(of: entityName) else {
      let nearest = NearestName.find(entityName, in: plan.model.entities.map(\.name))
      throw ImportError(.unknownEntity, name: entityName, nearest: nearest)
    }
    let table = plan.layout.table(of: index)
    var conditions: [String] = []
    var parameters: [StoredValue] = []
    if let column = entities[index].discriminator {
      let kinds = plan.hierarchy.withDescendants(of: index)
      let marks = Array(repeating: "?", count: kinds.count).joined(separator: ", ")
      conditions.append("\(SQL.quoted(table.columns[column].name)) IN (\(marks))")
      parameters += kinds.map { .text(entities[$0].name) }
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let attribute = entities[index].attributeIndices[name],
        let column = entities[index].attributes[attribute].column
      else {
        let nearest = NearestName.find(name, in: Array(entities[index].attributeIndices.keys))
        throw ImportError(
          .unknownProperty, name: "\(entityName).\(name)", nearest: nearest)
      }
      let type = entities[index].attributes[attribute].attribute.type
      conditions.append("\(SQL.quoted(table.columns[column].name)) IS ?")
      parameters.append(StoredValue(coerced(value, to: type)))
    }
    let kind = entities[index].discriminator.map { SQL.quoted(table.columns[$0].name) } ?? "NULL"
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let found = try store.query(
      "SELECT \(table.quotedKey), \(kind) FROM \(SQL.quoted(table.name))\(filter) "
        + "ORDER BY \(table.quotedKey)", parameters)
    return found.compactMap { values in
      guard case .integer(let id) = values[0] else { return nil }
      var entity = index
      if case .text(let name) = values[1] { entity = plan.hierarchy.index(of: name) ?? index }
      return instance(for: RowReference(entity: entity, id: id))
    }
  }
}
