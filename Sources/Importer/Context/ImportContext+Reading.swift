import Stores
import Support

extension ImportContext {
  /// The value of an attribute of a row, or the rows of a relationship.
  func value(of name: String, in instance: RowInstance) -> ImportValue {
    let reference = present(instance.reference)
    let entity = entities[instance.reference.entity]
    if plan.migration != nil, !isThere(reference) || !has(name, entity) { return .null }
    if let index = entity.attributeIndices[name] {
      if case .unset = instance.slots[index] {
        guard instance.isWritten else { return .null }
        return answer(orElse: .null) { try storedRows.value(of: index, in: reference) }
      }
      return importValue(of: instance.slots[index])
    }
    if let index = entity.relationshipIndices[name] {
      let rows = answer(orElse: []) { try members(of: index, reference) }
      let values = rows.map { ImportValue.row($0) }
      if relationships[index].isToMany {
        return plan.migration != nil && !relationships[index].isOrdered
          ? .set(values) : .list(values)
      }
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
      return [RowReference(entity: Int(cell.targetEntity), id: cell.target)].compactMap(resolved)
    }
    // What was said of the rows whose place it took holds for it.
    let ids = aliases.ids(of: row)
    var found: [StoredRows.Member] = []
    func add(_ position: Int64?, _ member: RowReference) {
      guard let member = resolved(member) else { return }
      found.append(.init(position, member))
    }
    if let table = stored.elements {
      let destination = stored.destinations.first ?? 0
      for link in links.joins.links(of: table) {
        if stored.isInverseTable, ids.contains(link.member) {
          add(link.inversePosition, RowReference(entity: destination, id: link.owner))
        } else if !stored.isInverseTable, ids.contains(link.owner) {
          add(link.position, RowReference(entity: link.memberEntity, id: link.member))
        }
      }
      let known = Set(found.map(\.row.id))
      found += try storedRows.members(of: stored, in: table, row).filter { member in
        !known.contains(member.row.id)
      }
    } else if let inverse = stored.inverse {
      let entity = relationships[inverse].entity
      for (row, cell) in links.cells[inverse]?.rows(pointingAt: ids) ?? [] {
        let member = RowReference(entity: entity, id: row)
        guard resolved(member) == member else { continue }
        add(cell.position < 0 ? nil : Int64(cell.position), member)
      }
      found += try storedRows.members(pointingBy: inverse, at: ids).filter { member in
        links.cells[inverse]?.isKnown(member.row.id) != true
      }
    }
    let rows = StoredRows.inOrder(found)
    return stored.inverse == nil ? rows : rows.uniqued()
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
    let kinds = plan.hierarchy.withDescendants(of: index)
    if let condition = plan.layout.condition(forRowsOf: kinds) { conditions.append(condition) }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let attribute = entities[index].attributeIndices[name],
        let column = entities[index].attributes[attribute].column
      else {
        let nearest = NearestName.find(name, in: Array(entities[index].attributeIndices.keys))
        throw ImportError(
          .unknownProperty, name: "\(entityName).\(name)", nearest: nearest)
      }
      let stored = entities[index].attributes[attribute]
      conditions.append("\(SQL.quoted(table.columns[column].name)) IS ?")
      parameters.append(stored.form.stored(ValueCoercion.coerced(value, to: stored.type)))
    }
    if plan.migration != nil { try flush() }
    let kind = entities[index].discriminator.map { SQL.quoted(table.columns[$0].name) } ?? "NULL"
    let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let found = try store.query(
      "SELECT \(table.quotedKey), \(kind) FROM \(SQL.quoted(table.name))\(filter) "
        + "ORDER BY \(table.quotedKey)", parameters)
    return found.compactMap { values in
      guard case .integer(let id) = values[0] else { return nil }
      let entity = storedRows.entity(of: values[1]) ?? index
      let row = RowReference(entity: entity, id: id)
      return migrated.gone.contains(row) ? nil : instance(for: row)
    }
  }
}

/// The checks of rows that relationships may lead to, also where their entity is not known yet.
extension ImportContext {
  /// True if a relationship may lead to a row.
  func fits(_ member: RowReference, _ relationship: Int) -> Bool {
    let stored = relationships[relationship]
    if stored.destinations.count == 1, stored.destinations[0] == member.entity { return true }
    if leads(relationship, to: member.entity) { return true }
    // What a hook is going to insert, or has inserted, may be of a subentity.
    if stored.destinations.contains(where: { plan.hierarchy.isKind($0, of: member.entity) }) {
      guard !isAwaited(member) else {
        links.awaited.append((relationship, member))
        return true
      }
      let row = answer(orElse: nil) { try storedRows.known(member) }
      if let row, leads(relationship, to: row.entity) { return true }
    }
    noteWrongEntity(member.entity, relationship)
    return false
  }

  /// True if a relationship may lead to rows of an entity.
  private func leads(_ relationship: Int, to entity: Int) -> Bool {
    relationships[relationship].destinations.contains { plan.hierarchy.isKind(entity, of: $0) }
  }

  private func noteWrongEntity(_ entity: Int, _ relationship: Int) {
    let stored = relationships[relationship]
    report.add(
      ValidationError(
        .wrongEntity, entity: entities[stored.entity].name, property: stored.name,
        detail: entities[entity].name), at: self.location)
  }

  /// Lists the links to rows that have become ones of an entity to which their relationship does not
  /// lead.
  func checkAwaited() throws(StoreError) {
    var waiting: [(relationship: Int, member: RowReference)] = []
    for link in links.awaited {
      guard let member = resolved(link.member) else { continue }
      if let row = try storedRows.known(member) {
        guard !leads(link.relationship, to: row.entity) else { continue }
        noteWrongEntity(row.entity, link.relationship)
      } else {
        waiting.append(link)
      }
    }
    links.awaited = waiting
  }

  /// True if a row is only referred to so far: its object has yet to become it.
  func isAwaited(_ row: RowReference) -> Bool {
    !links.isWritten(row.id, table: entities[row.entity].table)
  }
}

/// Rows that hooks, mappings and policies set, until they are written.
extension ImportContext {
  /// A pending row: it is written when the hook or policy returns.
  func register(_ reference: RowReference, wasFound: Bool) -> RowInstance {
    let instance: RowInstance
    if let spare = pending.takeSpare(reference.entity) {
      spare.begin(reference, wasFound: wasFound)
      instance = spare
    } else {
      instance = RowInstance(reference, wasFound: wasFound, in: self)
    }
    pending.add(instance)
    return instance
  }

  /// Writes all pending rows.
  func flush() throws {
    if let storeFailure { throw storeFailure }
    guard !pending.rows.isEmpty else { return }
    // Writing a row makes no other pending.
    for index in pending.rows.indices {
      let instance = pending.rows[index]
      instance.isPending = false
      if instance.isWritten, isAwaited(instance.reference) {
        pending.postpone(instance)
      } else {
        try write(instance)
      }
    }
    pending.removeAll()
  }

  /// Writes what was set of rows before their objects had become them.
  func flushPostponed() throws {
    for instance in pending.takePostponed() {
      // Its object may have become another row, or none.
      guard let row = resolved(instance.reference) else { continue }
      instance.become(row)
      try write(instance)
    }
  }

  /// The store's answer, where nothing can be thrown: an error ends the run when the hook or policy
  /// returns.
  func answer<R>(orElse fallback: R, _ body: () throws -> R) -> R {
    do {
      return try body()
    } catch {
      storeFailure = storeFailure ?? error
      return fallback
    }
  }

  /// Lets go of what retains the context in turn: the run has failed.
  func abandon() {
    pending = PendingRows(entityCount: entities.count)
    session = nil
  }
}
