import ArchiveReader

// Which rows stand for the objects that others refer to.
extension ImportSession {
  /// The rows that an object becomes, by entity mapping; they are handed out if need be.
  func rows(of uid: Int, _ id: ClassID) throws -> [RowReference] {
    workList.add(uid)
    switch try plan(of: id) {
    case .plain(let entity, _):
      return [RowReference(entity: entity, id: row(of: uid, entity: entity))]
    case .hook(_, let entity):
      guard let entity else { return [] }
      return [reserve(uid, entity)]
    case .mapped(let indices):
      if indices.count == 1, pass.entities[indices[0]].isSimple {
        return [reserve(uid, pass.entities[indices[0]].entity)]
      }
      return try resolve(uid, indices).map(\.reference)
    case .unmapped, .ignored, .value, .valueHook:
      return context.earlierRows(of: uid, archive: archiveID)
    }
  }

  /// The row that stands for an object where a relationship may lead to some entities.
  func row(
    of uid: Int, _ id: ClassID, fitting destinations: [Int], mapping: String? = nil
  ) throws -> RowReference? {
    if mapping == nil, !context.associations.isKept,
      let row = try onlyRow(of: uid, id)
    {
      return row
    }
    if let mapping {
      if let found = try mappedRow(of: uid, id, mapping) { return found }
      return context.associations.destinations(of: SourceKey(archiveID, uid), mapping).first
    }
    let rows = try rows(of: uid, id)
    if destinations.isEmpty {
      // What may lead anywhere leads to the first row that an object became.
      return context.earlierRows(of: uid, archive: archiveID).first ?? rows.first
    }
    let hierarchy = context.plan.hierarchy
    return rows.first { row in destinations.contains { hierarchy.isKind(row.entity, of: $0) } }
      ?? context.earlierRows(of: uid, archive: archiveID).first { row in
        destinations.contains { hierarchy.isKind(row.entity, of: $0) }
      } ?? rows.first
  }

  /// The row of an object that always becomes one row, whatever leads to it; nil for others.
  func onlyRow(of uid: Int, _ id: ClassID) throws -> RowReference? {
    if id.index >= soleEntities.count || soleEntities[id.index] == -2 { try findSoleEntity(of: id) }
    let entity = soleEntities[id.index]
    guard entity >= 0 else { return nil }
    workList.add(uid)
    if plainEntities[id.index] >= 0 {
      return RowReference(entity: entity, id: row(of: uid, entity: entity))
    }
    return reserve(uid, entity)
  }

  private func findSoleEntity(of id: ClassID) throws {
    while soleEntities.count <= id.index { soleEntities.append(-2) }
    soleEntities[id.index] =
      switch try plan(of: id) {
      case .plain(let entity, _), .hook(_, let entity?): entity
      case .mapped(let indices) where indices.count == 1 && pass.entities[indices[0]].isSimple:
        pass.entities[indices[0]].entity
      default: -1
      }
  }

  /// The row that one entity mapping of this pass makes of an object.
  private func mappedRow(of uid: Int, _ id: ClassID, _ mapping: String) throws -> RowReference? {
    guard case .mapped(let indices) = try plan(of: id),
      let index = indices.first(where: { pass.entities[$0].name == mapping })
    else { return nil }
    let rows = try rows(of: uid, id)
    if indices.count == 1, pass.entities[index].isSimple { return rows.first }
    return resolvedRows[uid]?.first { $0.plan == index }?.reference
  }

  /// The row of an object that becomes one row of its own.
  func reserve(_ uid: Int, _ entity: Int) -> RowReference {
    let table = context.entities[entity].table
    let (row, isNew) = rows.reserve(uid, table: table)
    if isNew { context.links.noteReserved(row, table: table) }
    return RowReference(entity: entity, id: row)
  }

  /// What the entity mappings make of an object that may become several rows, or none.
  func resolve(_ uid: Int, _ indices: [Int]) throws -> [ResolvedRows.Row] {
    if let known = resolvedRows[uid] { return known }
    // The values of an identity may lead to objects that have one, and these back to this one.
    guard identityDepth < Self.maxIdentityDepth else {
      throw ArchiveError(.tooDeep, name: "\(Self.maxIdentityDepth)")
    }
    identityDepth += 1
    defer { identityDepth -= 1 }
    let object = try graph.object(uid)
    return try reading(object, isInHook: false) {
      var rows: [ResolvedRows.Row] = []
      for index in indices where !pass.entities[index].isStaged {
        let plan = pass.entities[index]
        guard try passes(plan, object) else { continue }
        let shape = context.entities[plan.entity]
        guard !plan.identity.isEmpty else {
          let reference = RowReference(entity: plan.entity, id: context.newRow(plan.entity))
          context.links.noteReserved(reference.id, table: shape.table)
          rows.append(.init(plan: index, reference: reference, wasFound: false))
          continue
        }
        let values = try plan.identity.map { attribute in
          guard let source = plan.attributes.first(where: { $0.attribute == attribute }) else {
            return ImportValue.null
          }
          // Errors and losses are noted when the row is made.
          let value = try evaluate(source, of: object, index, notes: false).value
          return ValueCoercion.coerced(value, to: shape.attributes[attribute].attribute.type)
        }
        let (reference, wasFound) = try context.find(plan.entity, plan.identity, values)
        if !wasFound { context.links.noteReserved(reference.id, table: shape.table) }
        rows.append(.init(plan: index, reference: reference, wasFound: wasFound))
      }
      resolvedRows.set(rows, of: uid)
      return rows
    }
  }

  /// The row that was handed out for an object that an entity mapping with a policy takes.
  func handedOut(_ uid: Int, _ index: Int) throws -> RowReference {
    let plan = pass.entities[index]
    if plan.isSimple, resolvedRows[uid] == nil { return reserve(uid, plan.entity) }
    if let known = resolvedRows[uid]?.first(where: { $0.plan == index }) {
      return known.reference
    }
    return RowReference(entity: plan.entity, id: context.newRow(plan.entity))
  }

  /// The row that an identity found for an object; nil if the object becomes one of its own.
  func foundRow(_ uid: Int, _ index: Int) -> RowReference? {
    resolvedRows[uid]?.first { $0.plan == index && $0.wasFound }?.reference
  }
}
