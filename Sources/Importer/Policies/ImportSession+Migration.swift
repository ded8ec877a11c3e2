import ArchiveReader
import Mappings

// The objects of a store that is migrated.
extension ImportSession {
  /// Makes the rows that entity mappings make of an object in the walk over the store, and gives it
  /// to those that make theirs later.
  func runMappings(
    _ indices: [Int], on object: GraphObject, _ migration: MigrationTraits
  ) throws {
    var isTaken = false
    for index in indices where pass.entities[index].isStaged {
      guard try passes(pass.entities[index], object) else { continue }
      isTaken = true
      context.migrated.selected[index] += 1
      if pass.entities[index].policy != nil {
        context.migrated.sources[index].append(UInt32(truncatingIfNeeded: object.uid))
      }
    }
    let isSole = try soleMapping(of: object.class) >= 0
    let rows: [ResolvedRows.Row]
    if isSole {
      let reference = reserve(object.uid, pass.entities[indices[0]].entity)
      rows = [.init(plan: indices[0], reference: reference, wasFound: false)]
    } else {
      rows = try resolve(object.uid, indices)
    }
    if !isTaken, rows.isEmpty {
      context.report.filteredObjects[graph.classes[object.class.index].name, default: 0] += 1
    }
    for row in rows {
      var instance = context.register(row.reference, wasFound: false)
      try fill(instance, from: object, row.plan)
      try relate(instance, from: object, row.plan)
      try context.flush()
      if !isSole {
        context.migrated.selected[row.plan] += 1
      }
      context.pending.reuse(&instance)
    }
  }

  /// Sets a relationship of a row to all rows that the walk makes of the objects in a value.
  func relate(_ owner: RowReference, toRowsOf value: GraphValue, _ relationship: Int) throws {
    var members: [RowReference] = []
    func add(_ value: GraphValue) throws {
      guard case .object(let uid, let id) = value else { return }
      members += try rows(of: uid, id).filter { context.holds($0, relationship) }
    }
    if case .collection(let id, let kind) = value {
      let elements = try graph.elements(of: id, kind)
      for place in 0..<elements.count { try add(try graph.value(of: elements, at: place)) }
    } else {
      try add(value)
    }
    guard let first = members.first else { return }
    let stored = context.relationships[relationship]
    if stored.isToMany {
      context.relate(relationship, of: owner, toMany: members, keepsOrder: stored.isOrdered)
    } else {
      context.relate(relationship, of: owner, toOne: first)
    }
  }

  // MARK: What source objects have become

  /// The entity mapping that makes one row of each object of a class in the walk; -1 for none.
  func soleMapping(of id: ClassID) throws -> Int {
    while soleMappings.count <= id.index { soleMappings.append(-2) }
    if soleMappings[id.index] == -2 {
      let name = graph.classes[id.index].name
      if let direct = pass.direct[name] {
        soleMappings[id.index] = direct.index
      } else if case .mapped(let indices) = try plan(of: id), indices.count == 1,
        pass.entities[indices[0]].isSimple
      {
        soleMappings[id.index] = indices[0]
      } else {
        soleMappings[id.index] = -1
      }
    }
    return soleMappings[id.index]
  }

  /// The row that an entity mapping made of an object in the walk over the store.
  private func walkedRow(of uid: Int, madeBy mapping: Int) throws -> RowReference? {
    guard case .object(_, let id) = try graph.value(ofObject: uid) else { return nil }
    let sole = try soleMapping(of: id)
    guard sole >= 0 else { return resolvedRows.row(of: uid, madeBy: mapping) }
    guard sole == mapping else { return nil }
    let entity = pass.entities[mapping].entity
    return RowReference(
      entity: entity, id: rows.row(of: uid, table: context.entities[entity].table))
  }

  /// Calls a function with each row that an entity mapping made of an object.
  func forEachRow(
    of uid: Int, madeBy mapping: Int, _ body: (RowReference) throws -> Void
  ) throws {
    if let row = try walkedRow(of: uid, madeBy: mapping) { try body(row) }
    guard !context.migrated.associations[mapping].isEmpty else { return }
    for row in context.migrated.associations[mapping].rows(of: uid)
    // A policy may associate a row of an entity mapping without one.
    where !context.migrated.gone.contains(row) {
      try body(row)
    }
  }

  /// The source objects of a row by an entity mapping.
  func sources(of row: RowReference, by mapping: Int) throws -> [Int] {
    var found = context.migrated.associations[mapping].sources(of: row)
    if let uid = try walkedSource(of: row), !found.contains(uid),
      try walkedRow(of: uid, madeBy: mapping) != nil
    {
      found.insert(uid, at: 0)
    }
    return found
  }

  /// The object of which the walk made a row; nil if a policy made it, or if there is none.
  private func walkedSource(of row: RowReference) throws -> Int? {
    guard context.isWalked(row) else { return nil }
    if walkedSources.isEmpty {
      walkedSources = firstIDs.map { _ in [] }
      for mapping in pass.entities.indices where !pass.entities[mapping].isStaged {
        let table = context.entities[pass.entities[mapping].entity].table
        try forEachSource(of: mapping) { uid in
          guard let row = try walkedRow(of: uid, madeBy: mapping) else { return }
          while walkedSources[table].count <= Int(row.id) { walkedSources[table].append(.max) }
          walkedSources[table][Int(row.id)] = UInt32(truncatingIfNeeded: uid)
        }
      }
    }
    let known = walkedSources[context.entities[row.entity].table]
    guard row.id < known.count, known[Int(row.id)] != .max else { return nil }
    return Int(known[Int(row.id)])
  }

  /// The source objects of a row.
  func sources(of row: RowReference) throws -> [Int] {
    try pass.entities.indices.flatMap { try sources(of: row, by: $0) }
  }

  /// Calls a function with each object of which an entity mapping has made something.
  func forEachSource(of mapping: Int, _ body: (Int) throws -> Void) throws {
    if !pass.entities[mapping].isStaged {
      var next = 0
      while let (uid, id) = try graph.ownObject(from: next) {
        next = uid + 1
        let sole = try soleMapping(of: id)
        if sole == mapping || sole < 0 && resolvedRows.row(of: uid, madeBy: mapping) != nil {
          try body(uid)
        }
      }
    }
    for uid in context.migrated.associations[mapping].sources { try body(uid) }
  }

  // MARK: Links

  /// Sets the relationships of the rows that an entity mapping made in the walk.
  func relateWalked(_ mapping: Int, _ migration: MigrationTraits) throws {
    guard !migration.entities[mapping].links.isEmpty, !pass.entities[mapping].isStaged else {
      return
    }
    try forEachSource(of: mapping) { uid in
      try forEachRow(of: uid, madeBy: mapping) { row in
        try relateStaged(row, uid, mapping, migration)
      }
    }
  }

  /// Sets the relationships of a row to what entity mappings have made.
  func relateStaged(
    _ row: RowReference, _ uid: Int, _ mapping: Int, _ migration: MigrationTraits
  ) throws {
    let shape = context.entities[row.entity]
    for links in migration.entities[mapping].links {
      guard let index = shape.relationshipIndices[links.relationship] else { continue }
      var members = try members(links, index, uid, mapping, migration)
      if members.count > 1 { members = members.uniqued() }
      guard let first = members.first else { continue }
      let stored = context.relationships[index]
      if stored.isToMany {
        context.relate(index, of: row, toMany: members, keepsOrder: stored.isOrdered)
      } else {
        context.migrated.replacedLinks += members.count - 1
        context.relate(index, of: row, toOne: first)
      }
    }
  }

  private func members(
    _ links: MigrationTraits.StagedLinks, _ relationship: Int, _ uid: Int, _ mapping: Int,
    _ migration: MigrationTraits
  ) throws -> [RowReference] {
    let uids: [Int]
    switch links.origin {
    case .itself: uids = [uid]
    case .key(let key): uids = try graph.objects(under: key, of: uid)
    case .expression(let expression):
      uids = ObjectHandle.uids(
        in: try migrationScope.value(of: expression, uid, mapping, links.relationship, migration))
    case .objects(let expression):
      let found = try migrationScope.value(
        of: expression, uid, mapping, links.relationship, migration)
      let rows = found.rows
      guard rows.isEmpty, !found.isNull, found != .list([]), found != .set([]) else {
        return rows.filter { context.holds($0, relationship) }
      }
      throw MigrationError(
        .failedExpression, entityMapping: migration.entities[mapping].info.name,
        property: links.relationship, name: "expected objects of the new store, found \(found.kind)"
      )
    }
    var found: [RowReference] = []
    for uid in uids {
      for mapping in links.mappings {
        try forEachRow(of: uid, madeBy: mapping) { row in
          if context.holds(row, relationship) { found.append(row) }
        }
      }
    }
    return found
  }

  // MARK: Source objects

  /// The name of the entity of an object.
  func entityName(of uid: Int) -> String? {
    guard case .object(_, let id)? = try? graph.value(ofObject: uid) else { return nil }
    return graph.classes[id.index].name
  }

  /// The value of an object under a key, objects as handles; nil for an unknown key.
  func storedValue(forKey key: String, of uid: Int) throws -> ImportValue? {
    let object = try graph.object(uid)
    guard let position = graph.position(of: key, in: object) else { return nil }
    return try importValue(of: try graph.value(of: object, at: position), objects: .handle)
  }

  /// The position of an object and a property in errors.
  func position(of uid: Int, _ property: String? = nil) -> ArchiveError.Position {
    .record(
      "\(entityName(of: uid) ?? "?") \(graph.source.number(ofObject: uid))", property: property)
  }
}

extension ObjectGraph {
  /// The objects of a store under a key of an object.
  package func objects(under key: String, of uid: Int) throws -> [Int] {
    let object = try object(uid)
    guard let position = position(of: key, in: object) else { return [] }
    switch try value(of: object, at: position) {
    case .object(let uid, _): return [uid]
    case .collection(let id, let kind):
      let elements = try elements(of: id, kind)
      return try (0..<elements.count).compactMap { place in
        guard case .object(let uid, _) = try value(of: elements, at: place) else { return nil }
        return uid
      }
    default: return []
    }
  }
}
