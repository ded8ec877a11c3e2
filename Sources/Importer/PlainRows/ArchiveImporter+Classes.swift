import ArchiveReader

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
