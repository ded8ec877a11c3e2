import ArchiveReader

extension ImportSession {
  /// Sets the attributes and collections of a row from an object.
  func fill(_ instance: RowInstance, from object: GraphObject, _ index: Int) throws {
    let plan = pass.entities[index]
    let positions = positions(index, object)
    // Of an object most of whose values are asked for, all are read at once.
    var values: [GraphValue]?
    if 2 * plan.attributes.count >= object.keyCount {
      var all: [GraphValue] = []
      try graph.read(object, into: &all)
      values = all
    }
    for (attribute, position) in zip(plan.attributes, positions.attributes) {
      if attribute.conversion == nil, attribute.source.key != nil {
        guard let position else { continue }
        let value = try values?[position] ?? graph.value(of: object, at: position)
        if try leaves(value, to: attribute.leaves) { continue }
        instance.slots[attribute.attribute] = try slot(of: value, under: attribute.source.key)
      } else {
        switch try evaluated(attribute, of: object, index) {
        case .absent: continue
        case .refused: instance.refused.insert(attribute.attribute)
        case .value(let value): instance.slots[attribute.attribute] = .value(value)
        }
      }
      if instance.isWritten { instance.changed.insert(attribute.attribute) }
    }
    for (collection, position) in zip(plan.collections, positions.collections) {
      guard let position else { continue }
      let value = try unwrapped(graph.value(of: object, at: position))
      if case .collection = value {
        if collection.dropsOrder { try noteDroppedOrder(of: value, object, collection.key) }
        instance.collections[collection.name] = .archived(value)
      } else if !value.isNothing, !(try leaves(value, to: collection.leaves)) {
        context.report.add(
          ValidationError(
            .wrongKind, entity: context.entities[plan.entity].name, property: collection.name,
            kind: try importValue(of: value).kind, detail: "it is a collection"), at: location)
      }
    }
  }

  /// The value of an attribute, converted; an expression that has none ends a migration.
  private func evaluated(
    _ plan: ImportPlan.AttributePlan, of object: GraphObject, _ index: Int
  ) throws -> ImportContext.EvaluatedAttribute {
    guard let migration = context.plan.migration, case .expression(let expression) = plan.source
    else { return try evaluate(plan, of: object, index, notes: true) }
    let shape = context.entities[pass.entities[index].entity]
    let attribute = shape.attributes[plan.attribute].attribute
    let value = try migrationScope.value(
      of: expression, object.uid, index, attribute.name, migration)
    return context.converted(
      migration.stored(value, attribute), plan, attribute, entity: shape.name, notes: true,
      at: location)
  }

  /// Whether a property leaves a value to another one that has the same key.
  ///
  /// An object of which a hook makes a value counts as a plain value.
  func leaves(_ value: GraphValue, to others: ImportPlan.SourceKinds) throws -> Bool {
    guard !others.isEmpty else { return false }
    let value = try unwrapped(value)
    if case .object(_, let id) = value, case .valueHook = try plan(of: id) {
      return others.contains(.plain)
    }
    return others.contains(value)
  }

  /// A value as it is bound: straight from the archive where that is possible.
  func slot(of value: GraphValue, under key: String?) throws -> RowSlots.Slot {
    switch value {
    case .object, .collection: .value(try importValue(of: value, under: key))
    case .null, .nsNull: .unset
    default:
      // A row may wait for long until it is written.
      context.store.row.copiesValues ? .value(exactValue(of: value, under: key)) : .archived(value)
    }
  }

  /// The value of an attribute, converted.
  func evaluate(
    _ plan: ImportPlan.AttributePlan, of object: GraphObject, _ index: Int, notes: Bool
  ) throws -> ImportContext.EvaluatedAttribute {
    let entity = context.entities[pass.entities[index].entity]
    let attribute = entity.attributes[plan.attribute].attribute
    if plan.conversion?.needsArchive == true {
      let copy = try archivedCopy(of: plan.source, object)
      return copy.isNull ? .absent : .value(copy)
    }
    let takesObjects = plan.conversion?.takesObjects == true
    let objects: ObjectForm = takesObjects ? .dictionary(inside: []) : .row
    let found: ImportValue?
    do {
      found = try value(of: plan.source, object, attribute.name, objects: objects, notes: notes)
    } catch let error as ArchiveError
      where error.code == .tooDeep && takesObjects && plan.source.key != nil
    {
      // Of a value that is a whole, nothing is kept: the others are.
      var location = location
      location.key = plan.source.key
      if notes {
        context.report.addLoss(
          at: location, before: .dictionary([]), after: .null, reason: "\(error)")
      }
      return .value(.null)
    }
    guard let value = found else { return .refused }
    return context.converted(
      value, plan, attribute, entity: entity.name, notes: notes, at: location)
  }

  /// What stands under a key, as an archive of its own.
  private func archivedCopy(of source: ValueSource, _ object: GraphObject) throws -> ImportValue {
    guard let key = source.key, let position = graph.position(of: key, in: object) else {
      return .null
    }
    if case .null = try graph.value(of: object, at: position) { return .null }
    return try graph.archivedData(of: object, at: position, limits: context.plan.limits)
      .map { .data($0) } ?? .null
  }

  /// What a source gives for an object; nil where an expression has no value, or a path leads
  /// nowhere.
  func value(
    of source: ValueSource, _ object: GraphObject, _ property: String,
    objects: ObjectForm = .row, notes: Bool
  ) throws -> ImportValue? {
    do {
      switch source {
      case .constant(let value):
        return value
      case .keyPath(let path):
        return try value(forKeyPath: path, of: object, objects, notes: notes)
      case .expression(let expression):
        return try rows(for: try expression.evaluate(in: ObjectScope(self, object)))
      }
    } catch let error as ExpressionFailure {
      if notes {
        context.report.add(
          ValidationError(.expressionFailed, property: property, detail: "\(error)"), at: location)
      }
      return nil
    }
  }
}
