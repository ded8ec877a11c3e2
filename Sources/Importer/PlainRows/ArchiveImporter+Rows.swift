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
