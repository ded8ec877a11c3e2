/// Rows of the same identity that objects of several entities of one hierarchy become.
extension ImportContext {
  /// The row that an object of an entity becomes where one of its identity is there already.
  ///
  /// It is of the narrower of both entities. Where neither inherits from the other, no row can be
  /// both, which is an error.
  func found(
    _ row: RowReference, as entity: Int, _ attributes: [Int], _ values: [ImportValue],
    _ folding: RelationshipMapping.Folding
  ) throws(StoreError) -> RowReference {
    if plan.hierarchy.isKind(row.entity, of: entity) { return row }
    let own = RowReference(entity: entity, id: row.id)
    guard plan.hierarchy.isKind(entity, of: row.entity) else {
      let shape = entities[entity]
      let names = attributes.map { shape.attributes[$0].attribute.name }
      report.add(
        ValidationError(
          .notUnique, entity: shape.name, row: row.id, property: names.joined(separator: ", "),
          detail: "a row of '\(entities[row.entity].name)' has it"), at: location)
      return own
    }
    identities.noteNarrowed(own, from: row.entity, table: entities[entity].table)
    try identities.add(own, attributes, values, folding, storedRows)
    return own
  }

  /// The attributes that a row got when it was narrowed to an entity: nothing was said of them yet.
  func newAttributes(of reference: RowReference) -> Range<Int> {
    let count = entities[reference.entity].attributes.count
    let key = RowKey(table: entities[reference.entity].table, id: reference.id)
    guard let (entity, former) = identities.narrowed[key], entity == reference.entity else {
      return count..<count
    }
    return min(count, entities[former].attributes.count)..<count
  }

  /// Writes which entities narrowed rows are of.
  func writeNarrowed() throws {
    let rows = identities.narrowed.sorted { ($0.key.table, $0.key.id) < ($1.key.table, $1.key.id) }
    for (row, (entity, _)) in rows {
      guard let column = entities[entity].discriminator else { continue }
      try store.update(column, of: row.table, row: row.id) { $0.set(0, entities[entity].kind) }
    }
  }

  // MARK: Rows of hooks

  /// Lets the rows that a hook inserted become those of the same identity that are there already.
  func mergeByIdentity() throws {
    guard !identities.attributes.isEmpty else { return }
    for instance in pending.rows where !instance.isWritten {
      let shape = entities[instance.reference.entity]
      guard let identity = identities.attributes[shape.index] else { continue }
      let values = identity.map { index in
        ValueCoercion.coerced(
          importValue(of: instance.slots[index]), to: shape.attributes[index].attribute.type)
      }
      // As in SQL, nothing is not equal to nothing.
      guard values.contains(where: { !$0.isNull }) else { continue }
      guard let known = try identities.find(shape.index, identity, values, .none, storedRows) else {
        try identities.add(instance.reference, identity, values, .none, storedRows)
        continue
      }
      // The hook may have looked for it itself.
      guard known.id != instance.reference.id else { continue }
      let row = try found(known, as: shape.index, identity, values, .none)
      replace(instance.reference, by: row)
      instance.merge(into: row)
      instance.changed.formUnion(newAttributes(of: row))
    }
  }
}

extension RowInstance {
  /// Stands for a row that was there already, and says of it what was said of its own.
  fileprivate func merge(into row: RowReference) {
    become(row)
    (isWritten, wasFound, isMerged) = (true, true, true)
    changed = Set(
      context.entities[row.entity].attributes.indices.filter { !slots[$0].isNothing })
  }
}

extension ImportPlan {
  /// For each entity whose rows have an identity, the attributes that tell them apart: what is said
  /// of an entity holds for those that inherit from it.
  var identities: [Int: [Int]] {
    var found: [Int: [Int]] = [:]
    for entity in passes.first?.entities ?? [] where !entity.identity.isEmpty {
      found[entity.entity] = found[entity.entity] ?? entity.identity
    }
    guard !found.isEmpty else { return [:] }
    for entity in hierarchy.parentsFirst where found[entity] == nil {
      found[entity] = hierarchy.parents[entity].flatMap { found[$0] }
    }
    return found
  }
}
