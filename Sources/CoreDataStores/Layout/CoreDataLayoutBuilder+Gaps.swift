import DataModel
import Stores

extension CoreDataLayout.Builder {
  /// Notes what cannot be kept, or has no known form in a store.
  mutating func refuseWhatHasNoPlace() {
    for storage in layout.entities {
      let entity = storage.entity
      let names = [entity.name] + (entity.attributes.map(\.name) + entity.relationships.map(\.name))
      if names.contains(where: { $0.utf8.contains(0) || $0.isEmpty }) {
        refuse("its name is not allowed in a database", storage)
      }
      for attribute in entity.storedAttributes {
        switch attribute.type {
        case .composite:
          refuse("the stored form of composite attributes is unknown", storage, attribute.name)
        case .objectID, .undefined:
          refuse("an attribute of this type cannot be stored", storage, attribute.name)
        case .json, .attributedText, .mixed, .unknown:
          refuse(
            "Core Data has no attributes of the type \(attribute.type)", storage, attribute.name)
        default: break
        }
      }
      for collection in entity.collections {
        refuse("Core Data has no collections of values", storage, collection.name)
      }
      for relationship in entity.storedRelationships { refuse(relationship, of: storage) }
    }
  }

  /// Notes the entities whose tables have more columns than SQLite allows.
  mutating func refuseWideTables() {
    for (number, table) in layout.tables.enumerated() where table.columns.count > SQL.maxColumns {
      guard let root = layout.members[number].first else { continue }
      refuse(
        "its table would have \(table.columns.count) columns, and SQLite allows \(SQL.maxColumns)",
        layout.entities[root - 1])
    }
  }

  /// Notes the properties whose columns would have the name of another column, one of Core Data's
  /// own or that of the order of a relationship.
  mutating func refuseSharedColumns() {
    for (number, table) in layout.tables.enumerated() {
      var taken: Set<String> = []
      for (column, declared) in table.columns.enumerated()
      where !taken.insert(declared.name.folded).inserted {
        guard let (storage, name) = property(ofColumn: column, number) else { continue }
        refuse("its column \(declared.name) is used by another", storage, name)
      }
    }
  }

  /// The property that a column of a table is for, and the entity that declares it.
  private func property(
    ofColumn column: Int, _ table: Int
  ) -> (storage: CoreDataLayout.EntityStorage, name: String)? {
    for storage in layout.members[table].map({ layout.entities[$0 - 1] }) {
      if let (name, _) = storage.attributes.first(where: { $0.value == column }) {
        return (storage, name)
      }
      for (name, place) in storage.relationships {
        guard case .column(let reference) = place,
          [reference.column, reference.entityColumn, reference.orderColumn].contains(column)
        else { continue }
        return (storage, name)
      }
    }
    return nil
  }

  private mutating func refuse(
    _ relationship: Relationship, of storage: CoreDataLayout.EntityStorage
  ) {
    guard let destination = destination(of: relationship) else {
      refuse("the relationship does not have exactly one destination", storage, relationship.name)
      return
    }
    guard relationship.inverse != nil else {
      if relationship.isToMany, relationship.isOrdered {
        refuse(
          "the stored form of an ordered relationship without an inverse is unknown", storage,
          relationship.name)
      }
      return
    }
    guard let inverse = inverse(of: relationship) else {
      // A to-one relationship has a column of its own, whatever leads back.
      if relationship.isToMany {
        refuse("the inverse does not exist", storage, relationship.name)
      }
      return
    }
    if relationship.isToMany, inverse.relationship.isToMany,
      !isInverse(relationship, of: inverse.relationship, storage)
    {
      refuse(
        "the stored form of a many-to-many relationship with a one-sided inverse is unknown",
        storage, relationship.name)
    }
    let isOwnInverse =
      inverse.entity == storage.number && inverse.relationship.name == relationship.name
    let hasTable = isTemporary && relationship.isSymmetric(in: storage.entity.name)
    if relationship.isToMany, isOwnInverse, destination == storage.number, !hasTable {
      refuse(
        "the stored form of a many-to-many relationship that is its own inverse is unknown",
        storage,
        relationship.name)
    }
  }
  /// True if an inverse of a relationship of an entity leads back to it.
  private func isInverse(
    _ relationship: Relationship, of other: Relationship, _ storage: CoreDataLayout.EntityStorage
  ) -> Bool {
    guard let back = inverse(of: other) else { return false }
    return back.entity == storage.number && back.relationship.name == relationship.name
  }
}
