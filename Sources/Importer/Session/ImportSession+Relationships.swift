import ArchiveReader

extension ImportSession {
  /// Sets the relationships of a row from an object.
  func relate(_ instance: RowInstance, from object: GraphObject, _ index: Int) throws {
    let positions = positions(index, object).relationships
    for (plan, position) in zip(pass.entities[index].relationships, positions) {
      try relate(instance.reference, plan, from: object, at: position)
    }
  }

  /// Sets a relationship of a row from an object, whose key stands at a position; nil where it has
  /// none.
  private func relate(
    _ owner: RowReference, _ plan: ImportPlan.RelationshipPlan, from object: GraphObject,
    at position: Int?
  ) throws {
    let stored = context.relationships[plan.relationship]
    if let split = plan.split { return try relate(owner, plan, partsBy: split, of: object) }
    guard plan.source.key != nil else {
      if let value = try value(of: plan.source, object, stored.name, notes: true) {
        context.relate(value, plan.relationship, of: owner)
      }
      return
    }
    guard let position else { return }
    let value = try unwrapped(graph.value(of: object, at: position))
    if try leaves(value, to: plan.leaves) { return }
    if plan.dropsOrder, let key = plan.source.key { try noteDroppedOrder(of: value, object, key) }
    if context.plan.migration != nil {
      return try relate(owner, toRowsOf: value, plan.relationship)
    }
    let members = try self.members(value, stored, plan.entityMapping)
    if let members { context.relate(members, plan.relationship, of: owner) }
  }

  /// Sets a relationship to the rows that the parts of an object's value find or make.
  func relate(
    _ owner: RowReference, _ plan: ImportPlan.RelationshipPlan, partsBy split: ImportPlan.SplitPlan,
    of object: GraphObject
  ) throws {
    let name = context.relationships[plan.relationship].name
    guard let value = try value(of: plan.source, object, name, notes: true) else { return }
    let rows = try parts(of: value, split, plan.relationship).map(ImportValue.row)
    if !rows.isEmpty { context.relate(.list(rows), plan.relationship, of: owner) }
  }

  /// The rows that a value leads to; nil for nothing.
  private func members(
    _ value: GraphValue, _ stored: StoredRelationship, _ mapping: String?
  ) throws -> ImportValue? {
    switch value {
    case .null, .nsNull:
      return nil
    case .object(let uid, let id):
      guard
        let row = try row(of: uid, id, fitting: stored.destinations, mapping: mapping)
      else { return nil }
      return stored.isToMany ? .list([.row(row)]) : .row(row)
    case .collection(let id, let kind) where !kind.isKeyed:
      let elements = try graph.elements(of: id, kind)
      var rows: [ImportValue] = []
      for position in 0..<elements.count {
        let element = try unwrapped(graph.value(of: elements, at: position))
        guard case .object(let uid, let elementClass) = element else {
          let plain = try importValue(of: element)
          // What stands for nothing is a hole.
          if !plain.isNull { rows.append(plain) }
          continue
        }
        if let row = try row(
          of: uid, elementClass, fitting: stored.destinations, mapping: mapping)
        {
          rows.append(.row(row))
        }
      }
      return kind.isOrdered ? .list(rows) : .set(rows)
    default:
      return try importValue(of: value)
    }
  }

  /// The rows that the parts of a value find or make.
  private func parts(
    of value: ImportValue, _ split: ImportPlan.SplitPlan, _ relationship: Int
  ) throws -> [RowReference] {
    var rows: [RowReference] = []
    let shape = context.entities[split.entity]
    for element in split.rule.elements(of: value) {
      guard let part = split.rule.part(element) else {
        if case .text(let text) = element { context.parts.add(text, nil, relationship) }
        continue
      }
      let type = shape.attributes[split.attribute].attribute.type
      let identity = ValueCoercion.coerced(part, to: type)
      let (reference, wasFound) = try context.find(
        split.entity, [split.attribute], [identity], folding: split.rule.folding)
      if !wasFound {
        let instance = context.register(reference, wasFound: false)
        instance.slots[split.attribute] = .value(part)
      }
      if case .text(let text) = element, !identity.isNull {
        context.parts.add(text, reference, relationship)
      }
      if !rows.contains(reference) { rows.append(reference) }
    }
    return rows
  }
}
