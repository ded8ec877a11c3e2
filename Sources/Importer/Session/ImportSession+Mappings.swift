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
