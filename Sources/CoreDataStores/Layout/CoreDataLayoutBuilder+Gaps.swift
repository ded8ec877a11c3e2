import DataModel

extension CoreDataLayoutBuilder {
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
    if relationship.isToMany, isOwnInverse, destination == storage.number {
      refuse(
        "the stored form of a many-to-many relationship that is its own inverse is unknown",
        storage,
        relationship.name)
    }
  }
  /// Whether an inverse of a relationship of an entity leads back to it.
  private func isInverse(
    _ relationship: Relationship, of other: Relationship, _ storage: CoreDataLayout.EntityStorage
  ) -> Bool {
    guard let back = inverse(of: other) else { return false }
    return back.entity == storage.number && back.relationship.name == relationship.name
  }
}
