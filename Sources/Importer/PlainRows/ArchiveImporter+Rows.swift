import ArchiveReader
import Stores

extension ArchiveImporter {
  /// Writes the row of an object.
  func write(_ object: GraphObject, _ recipe: RowRecipe) throws {
    let shapePlan = try shapePlan(of: object, recipe)
    let entity = recipe.entity
    let id = rows.row(of: object.uid, table: recipe.table)
    row.clear(recipe.columnCount)
    row.set(0, id)
    if let column = recipe.discriminator { row.set(column, recipe.kind) }
    openCollections.removeAll(keepingCapacity: true)
    overflow.removeAll(keepingCapacity: true)

    let tally = try profile?.begin(object, graph)
    try graph.read(object, into: &values)
    for key in shapePlans.plans[shapePlan].keys {
      let position = shapePlans.keys[key].position
      let value = values[position]
      if let tally { try profile?.note(value, position, tally, graph) }
      switch value {
      case .null, .nsNull:
        shapePlans.keys[key].counts.nulls += 1
      case .object(let target, let targetClass):
        guard shapePlans.keys[key].reference >= 0 else {
          overflow.append((position, shapePlans.keys[key].property))
          continue
        }
        try setReference(to: target, targetClass, key)
      case .collection(let collection, let kind):
        openCollections.append(
          OpenCollection(
            id: collection, kind: kind, position: position,
            property: shapePlans.keys[key].property))
      default:
        let column = shapePlans.keys[key].value
        guard column >= 0 else {
          overflow.append((position, shapePlans.keys[key].property))
          continue
        }
        shapePlans.keys[key].counts.values += 1
        if try !bind(column, value, entity, key) {
          noteLoss(of: value, object, graph.keys(ofShape: object.shape)[position])
        }
      }
    }
    if let tally { try noteOthers(shapePlan, tally) }
    if !recipe.transforms.isEmpty { try applyTransforms(object, id, recipe, shapePlan) }

    // The lengths of collections stand in the row itself; their elements follow it.
    for collection in openCollections {
      guard let column = plain.storage[entity][collection.property].count else { continue }
      row.set(column, Int64(try graph.elements(of: collection.id, collection.kind).count))
    }
    positions.fill(row, entity: entity, row: id)
    inverseLinks.noteRow(row, id, entity, tellsConflicts: recipe.tellsConflicts)
    // Rows that are made otherwise may have led here.
    if makesOthers { context.setLinks(of: RowReference(entity: entity, id: id), row) }
    try store.insert(entity: entity)
    if makesOthers { context.links.noteWritten(id, table: recipe.table) }
    counts.entities[entity].rows += 1
    positions.noteWritten(entity: entity, row: id)
    if plan.recordsProvenance { try writeProvenance(object, entity, id) }
    for (position, property) in overflow {
      try writeOverflow(object, position, entity, property, owner: id)
    }
    for collection in openCollections {
      let key = graph.keys(ofShape: object.shape)[collection.position]
      if recipe.unorderedKeys.contains(key) {
        try noteDroppedOrder(of: .collection(collection.id, collection.kind), object, key)
      }
      for value in try writeElements(collection, of: object, entity, owner: id, tally) {
        noteLoss(of: value, object, key)
      }
    }
    if !recipe.splits.isEmpty { try relateParts(object, id, recipe, shapePlan) }
  }

  /// Lets the profile that goes along note what is not bound as it stands.
  private func noteOthers(_ shapePlan: Int, _ tally: Int) throws {
    // Then references come to have their turn in another order than that of a profile.
    guard overflow.isEmpty else { throw ArchiveError.unplanned }
    for position in shapePlans.plans[shapePlan].others {
      switch values[position] {
      case .object, .collection: throw ArchiveError.unplanned
      case let value: try profile?.note(value, position, tally, graph)
      }
    }
  }

  /// Sets the column of a plain value, and that of the attributes of a text; returns whether all of
  /// the value is there.
  private func bind(
    _ column: Int, _ value: GraphValue, _ entity: Int, _ key: Int
  ) throws -> Bool {
    guard case .foundation = value else {
      return row.set(column, to: value, graph, isReal: shapePlans.keys[key].isReal)
    }
    return try bind(column, plain.storage[entity][shapePlans.keys[key].property].runs, to: value)
  }

  /// Sets the column of a plain value, and that of the attributes of a text; returns whether all of
  /// the value is there.
  func bind(_ column: Int, _ runs: Int?, to value: GraphValue) throws -> Bool {
    guard case .foundation(let uid, _) = value else { return row.set(column, to: value, graph) }
    guard let found = try graph.foundationValue(uid) else { throw ArchiveError.unplanned }
    row.set(column, runs: runs, to: found)
    return true
  }

  private func setReference(
    to target: Int, _ targetClass: ClassID, _ key: Int
  ) throws {
    guard let reference = try self.reference(to: target, targetClass) else { return }
    row.set(shapePlans.keys[key].reference, reference.row)
    let typeColumn = shapePlans.keys[key].referenceType
    if typeColumn >= 0 { row.set(typeColumn, plan.layout.table(of: reference.entity).name) }
    shapePlans.keys[key].counts.links += 1
  }
}

/// The plans for classes, and for the keys of their objects.
extension ArchiveImporter {
  /// The index of the plan for an object whose row is written straight from the archive.
  func shapePlan(of object: GraphObject, _ recipe: RowRecipe) throws -> Int {
    if let known = shapePlans.plan(of: object) { return known }
    let index = shapePlans.makePlan(
      of: object, keys: graph.keys(ofShape: object.shape), recipe, plain)
    // A profile notes each key once.
    guard profile == nil || shapePlans.plans[index].bindsOnce else { throw ArchiveError.unplanned }
    return index
  }

  /// Hands over what was counted since the last time, and tells a report of keys and objects.
  func takeCounts(_ report: inout ImportFindings) -> ImportCounts {
    countPlainRows()
    for index in visited.indices where visited[index] > 0 {
      let name = graph.classes[index].name
      report.visitedObjects[name, default: [:]][pass.index, default: 0] += visited[index]
      visited[index] = 0
    }
    for (place, count) in unreadKeys { report.unreadKeys[place, default: 0] += count }
    for (place, count) in ignoredKeys { report.ignoredKeys[place, default: 0] += count }
    (unreadKeys, ignoredKeys) = ([:], [:])
    defer { counts = ImportCounts(entityCount: counts.entities.count) }
    return counts
  }

  /// Adds up what was counted for each shape.
  private func countPlainRows() {
    for index in shapePlans.plans.indices where shapePlans.plans[index].objectCount > 0 {
      let plan = shapePlans.plans[index]
      for key in shapePlans.keys[plan.keys] {
        propertyCounts[plan.entity][key.property].values += key.counts.values
        propertyCounts[plan.entity][key.property].nulls += key.counts.nulls
        propertyCounts[plan.entity][key.property].links += key.counts.links
      }
      let name = graph.classes[shapePlans.classID(ofPlan: index).index].name
      for key in plan.unread {
        unreadKeys[.init(className: name, key: key), default: 0] += plan.objectCount
      }
      for key in plan.ignored {
        ignoredKeys[.init(className: name, key: key), default: 0] += plan.objectCount
      }
    }
    shapePlans.resetCounts()
    // An archive has objects of few of many entities.
    let none = ImportCounts.PropertyCounts()
    for entity in counts.entities.indices
    where propertyCounts[entity].contains(where: { $0 != none }) {
      counts.entities[entity].properties = Dictionary(
        uniqueKeysWithValues: zip(plain.names[entity], propertyCounts[entity]))
      for property in propertyCounts[entity].indices { propertyCounts[entity][property] = none }
    }
  }

  /// The plan for the objects of a class.
  ///
  /// To all that refer to it, a row that is written straight from the archive is a plain one.
  func plan(of id: ClassID) throws -> ImportPlan.ClassUse {
    while plansOfClasses.count <= id.index {
      let name = graph.classes[plansOfClasses.count].name
      let recipe = context.recipe(ofClass: name, pass)
      plansOfClasses.append(
        recipe.map { .plain(entity: $0.entity, properties: [:]) } ?? pass.classes[name]
          ?? .unmapped)
      recipes.append(recipe)
      plainEntities.append(recipe?.entity ?? -1)
      visited.append(0)
    }
    return plansOfClasses[id.index]
  }

  /// The entity of the objects of a class, if they become plain rows; -1 if they do not.
  func plainEntity(of id: ClassID) throws -> Int {
    if id.index >= plainEntities.count { _ = try plan(of: id) }
    return plainEntities[id.index]
  }
}
