import Mappings
import Stores

/// The liberties of policies in a migration, where they are not those of an import of archives.
extension ImportContext {
  /// Keeps an error for the end of the callback: it ends the run.
  func fail(_ error: any Error) { storeFailure = storeFailure ?? error }

  /// True for a row of the walk over the store: policies do not change it.
  func isWalked(_ row: RowReference) -> Bool {
    migrated.walkedIDs.map { row.id <= $0[entities[row.entity].table] } ?? false
  }

  /// Sets what the attributes of an inserted row hold.
  func setInitialValues(of row: RowInstance, _ migration: MigrationTraits) {
    let entity = entities[row.reference.entity]
    for (name, value) in migration.initialValues[entity.name] ?? [:] {
      if let index = entity.attributeIndices[name] { row.slots[index] = .value(value) }
    }
  }

  /// True for a row that is there; one that was deleted is an error.
  func isThere(_ row: RowReference) -> Bool {
    guard migrated.gone.contains(row) else { return true }
    fail(MigrationError(.deletedObject, name: "\(entities[row.entity].name) \(row.id)"))
    return false
  }

  /// True for a property of an entity; another name is an error.
  func has(_ name: String, _ entity: EntityShape) -> Bool {
    if entity.attributeIndices[name] != nil || entity.relationshipIndices[name] != nil {
      return true
    }
    fail(
      ImportError(
        .unknownProperty, name: "\(entity.name).\(name)",
        nearest: NearestName.find(name, in: entity.propertyNames)))
    return false
  }

  /// True for a value that a policy may give a property; any other is an error.
  func takes(
    _ value: ImportValue, for name: String, in row: RowInstance, _ entity: EntityShape
  ) -> Bool {
    guard isThere(row.reference), has(name, entity) else { return false }
    migrated.uses.noteFilled(name, of: row.reference.entity)
    func refuse(_ words: String) -> Bool {
      fail(MigrationError(.unsuitableValue, property: name, name: words))
      return false
    }
    if let index = entity.attributeIndices[name] {
      let type = entity.attributes[index].attribute.type
      guard let fitted = value.fitted(to: type), fitted.isStorable else {
        return refuse("\(name) cannot hold a \(value.kind)")
      }
      return isWalked(row.reference)
        ? refuse("an object of an entity mapping without a policy cannot be changed") : true
    }
    guard let index = entity.relationshipIndices[name] else { return false }
    let stored = relationships[index]
    let members = value.rows
    let isEmpty = value.isNull || value == .list([]) || value == .set([])
    guard !members.isEmpty || isEmpty, stored.isToMany || members.count <= 1,
      members.allSatisfy({ isThere($0) && holds($0, index) })
    else {
      let destinations = stored.destinations.map { entities[$0].name }.joined(separator: ", ")
      return refuse("\(name) leads to \(destinations)")
    }
    return true
  }

  /// Whether a relationship can lead to a row.
  func holds(_ row: RowReference, _ relationship: Int) -> Bool {
    row.entity >= 0
      && relationships[relationship].destinations.contains {
        plan.hierarchy.isKind(row.entity, of: $0)
      }
  }

  // MARK: Identities

  /// The row that has not been written yet whose attributes have some values.
  func pendingRow(
    of entity: Int, _ attributes: [Int], _ values: [ImportValue]
  ) -> RowInstance? {
    guard values.contains(where: { !$0.isNull }) else { return nil }
    return pending.rows.first { row in
      !row.isWritten && !migrated.gone.contains(row.reference)
        && plan.hierarchy.isKind(row.reference.entity, of: entity)
        && zip(attributes, values).allSatisfy { index, value in
          let type = entities[entity].attributes[index].attribute.type
          return ValueCoercion.coerced(importValue(of: row.slots[index]), to: type) == value
        }
    }
  }

  /// Notes that a row of a policy's was written.
  func noteMade(_ row: RowInstance) throws {
    migrated.madeCount += 1
    let shape = entities[row.reference.entity]
    identities.add(row.reference, storedRows) { index in
      ValueCoercion.coerced(
        importValue(of: row.slots[index]), to: shape.attributes[index].attribute.type)
    }
  }

  // MARK: Deletion

  func deleteAtOnce(_ row: RowReference) {
    guard isThere(row) else { return }
    guard !isWalked(row) else {
      return fail(
        MigrationError(
          .unsuitableValue,
          name: "an object of an entity mapping without a policy cannot be deleted"))
    }
    migrated.gone.insert(row)
    identities.removeAll()
  }

  /// Removes the rows that policies have deleted: no links lead to them any more.
  func deleteGone() throws(StoreError) {
    for row in migrated.gone.sorted(by: { ($0.entity, $0.id) < ($1.entity, $1.id) }) {
      let table = plan.layout.table(of: row.entity)
      try store.change(
        "DELETE FROM \(SQL.quoted(table.name)) WHERE \(table.quotedKey) = ?", [.integer(row.id)])
    }
  }
}

extension ImportValue {
  /// The rows that it is, or has as elements.
  package var rows: [RowReference] {
    switch self {
    case .row(let row): row.entity >= 0 ? [row] : []
    case .list(let values), .set(let values): values.flatMap(\.rows)
    default: []
    }
  }
}
