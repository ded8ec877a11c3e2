import ArchiveReader

extension ImportContext {
  func set(_ value: ImportValue, for name: String, in instance: RowInstance) {
    // Rows of an entity are mostly filled in the same order.
    let guess = instance.order.index(of: name, after: instance.lastSet)
    if guess >= 0 {
      instance.lastSet = guess
      return setAttribute(value, guess, in: instance)
    }
    let entity = entities[instance.reference.entity]
    if let index = entity.attributeIndices[name] {
      if instance.lastSet != RowInstance.unordered {
        instance.order.note(name, index, after: instance.lastSet)
        instance.lastSet = index
      }
      setAttribute(value, index, in: instance)
    } else if let index = entity.relationshipIndices[name] {
      relate(value, index, of: present(instance.reference))
    } else if entity.collections[name] != nil {
      instance.collections[name] = .value(value)
      pending.add(instance)
    } else {
      noteUnknown(name, in: entity)
    }
  }

  /// Lists a name that an entity does not have.
  func noteUnknown(_ name: String, in entity: EntityShape) {
    let nearest = NearestName.find(name, in: entity.propertyNames)
    report.add(
      ValidationError(
        .unknownName, entity: entity.name, property: name,
        detail: nearest.map { "did you mean '\($0)'?" }), at: location)
  }

  func setAttribute(_ value: ImportValue, _ index: Int, in instance: RowInstance) {
    instance.slots.set(index, value)
    noteSet(index, in: instance)
  }

  /// Notes that an attribute was set.
  func noteSet(_ index: Int, in instance: RowInstance) {
    if instance.isWritten { instance.changed.insert(index) }
    pending.add(instance)
  }
}
