import ArchiveReader

/// What becomes of classes, and of the keys of their objects.
extension ArchiveImporter {
  /// The number of the plan for an object that becomes a plain row.
  mutating func shapePlan(of object: ArchivedObject) throws -> Int {
    if let known = shapePlans.plan(of: object) { return known }
    guard case .plain(let entity, let names) = try plan(of: object.class) else { throw changed() }
    return shapePlans.makePlan(
      of: object, keys: reader.shapes[object.shape].keys, entity: entity, properties: names)
  }

  /// Adds up what was counted for each shape.
  mutating func countPlainRows() {
    for number in shapePlans.plans.indices {
      let plan = shapePlans.plans[number]
      for key in shapePlans.keys[plan.keys] where key.property >= 0 {
        propertyCounts[plan.entity][key.property].values += key.counts.values
        propertyCounts[plan.entity][key.property].nulls += key.counts.nulls
        propertyCounts[plan.entity][key.property].links += key.counts.links
      }
      let name = reader.classes[shapePlans.classID(ofPlan: number).index].name
      for key in plan.unread {
        unreadKeys[.init(className: name, key: key), default: 0] += plan.objectCount
      }
    }
  }

  /// What becomes of the objects of a class.
  mutating func plan(of id: ClassID) throws -> ClassPlan {
    while plansOfClasses.count <= id.index {
      let classPlan = pass.classes[reader.classes[plansOfClasses.count].name] ?? .unmapped
      plansOfClasses.append(classPlan)
      if case .plain(let entity, _) = classPlan {
        plainEntities.append(entity)
      } else {
        plainEntities.append(-1)
      }
      visited.append(0)
    }
    return plansOfClasses[id.index]
  }

  /// The entity of the objects of a class, if they become plain rows; -1 if they do not.
  mutating func plainEntity(of id: ClassID) throws -> Int {
    if id.index >= plainEntities.count { _ = try plan(of: id) }
    return plainEntities[id.index]
  }
}
