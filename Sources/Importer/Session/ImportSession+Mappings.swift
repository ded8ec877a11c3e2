import ArchiveReader

extension ImportSession {
  /// Makes the rows that entity mappings make of an object.
  func runMappings(_ indices: [Int], on object: GraphObject) throws {
    let className = graph.classes[object.class.index].name
    noteUnread(object, className)
    let isSimple = indices.count == 1 && pass.entities[indices[0]].isSimple
    let rows: [ResolvedRows.Row]
    if isSimple {
      let reference = reserve(object.uid, pass.entities[indices[0]].entity)
      rows = [.init(plan: indices[0], reference: reference, wasFound: false)]
    } else {
      rows = try resolve(object.uid, indices)
    }
    if rows.isEmpty { try reachReferences(of: object, indices) }
    // Other passes may take what the filters of one leave out.
    if rows.isEmpty, context.plan.passes(of: className).last == pass.index,
      context.earlierRows(of: object.uid, archive: archiveID).isEmpty
    {
      context.report.filteredObjects[className, default: 0] += 1
    }
    for row in rows {
      guard pass.entities[row.plan].policy == nil else {
        policySources.append((object.uid, row.plan))
        try reachAll(of: object)
        continue
      }
      var instance = context.register(row.reference, wasFound: row.wasFound)
      try handOutRows(of: object, row.plan)
      if row.wasFound { instance.changed.formUnion(context.newAttributes(of: row.reference)) }
      try fill(instance, from: object, row.plan)
      try relate(instance, from: object, row.plan)
      try context.flush()
      try noteOrigin(of: row.reference, object)
      context.associations.add(
        SourceKey(archiveID, object.uid), row.reference, pass.entities[row.plan].name)
      context.pending.reuse(&instance)
    }
  }

  /// Puts what an object refers to on the work list where the filters leave the object itself out:
  /// a filter says nothing of other objects.
  private func reachReferences(of object: GraphObject, _ indices: [Int]) throws {
    for index in indices {
      for position in positions(index, object).leading {
        let value = try unwrapped(graph.value(of: object, at: position))
        try reach(value)
      }
    }
  }

  /// Hands out the rows that an object refers to, in the order of its keys: single ones before
  /// those of collections, as plain rows do.
  private func handOutRows(of object: GraphObject, _ index: Int) throws {
    let positions = positions(index, object).leading
    for position in positions {
      let value = try unwrapped(graph.value(of: object, at: position))
      if case .object(let uid, let id) = value { _ = try rows(of: uid, id) }
    }
    for position in positions {
      let value = try unwrapped(graph.value(of: object, at: position))
      guard case .collection(let id, let kind) = value else { continue }
      let elements = try graph.elements(of: id, kind)
      for place in 0..<elements.count { _ = try mappedElement(elements, place) }
    }
  }

  /// True if an entity mapping takes an object.
  func passes(_ plan: ImportPlan.EntityPlan, _ object: GraphObject) throws -> Bool {
    guard let filter = plan.filter else { return true }
    if let migration = context.plan.migration, let index = Int(plan.name) {
      return try migrationScope.passes(filter, object.uid, index, migration)
    }
    do {
      return try filter.evaluate(in: ObjectScope(self, object))
    } catch {
      context.report.add(
        ValidationError(
          .expressionFailed, entity: context.entities[plan.entity].name, detail: "\(error)"),
        at: location)
      return false
    }
  }
}

/// The positions, among the keys of a shape, of those that an entity mapping reads.
struct MappedPositions {
  /// For each attribute, collection and relationship of the mapping, in its order; nil where the
  /// shape does not have the key, or the source is no key.
  let attributes: [Int?]
  let collections: [Int?]
  let relationships: [Int?]
  /// The keys that hold rows or collections of them, in the order of the shape.
  let leading: [Int]

  init(_ plan: ImportPlan.EntityPlan, _ keys: [String]) {
    let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
    attributes = plan.attributes.map { $0.source.key.flatMap { places[$0] } }
    collections = plan.collections.map { places[$0.key] }
    relationships = plan.relationships.map { relationship in
      relationship.split == nil ? relationship.source.key.flatMap { places[$0] } : nil
    }
    leading = Set((collections + relationships).compactMap(\.self)).sorted()
  }
}

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
