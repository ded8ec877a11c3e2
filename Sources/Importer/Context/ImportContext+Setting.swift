import ArchiveReader

extension ImportContext {
  func set(_ value: ImportValue, for name: String, in instance: RowInstance) {
    let entity = entities[instance.reference.entity]
    var value = value
    if let migration = plan.migration {
      guard takes(value, for: name, in: instance, entity) else { return }
      if let index = entity.attributeIndices[name] {
        value = migration.stored(value, entity.attributes[index].attribute)
      }
    }
    if !entity.sharedNames.isEmpty, entity.sharedNames.contains(name) {
      return setShared(value, name, entity, in: instance)
    }
    // Rows of an entity are mostly filled in the same order.
    let guess = instance.order.index(of: name, after: instance.lastSet)
    if guess >= 0 {
      instance.lastSet = guess
      return setAttribute(value, guess, in: instance)
    }
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

  /// Sets that of several properties of a name which holds values of a kind.
  private func setShared(
    _ value: ImportValue, _ name: String, _ entity: EntityShape, in instance: RowInstance
  ) {
    func relate(isToMany: Bool) -> Bool {
      guard
        let index = entity.relationship(name, isToMany: isToMany, among: relationships),
        relationships[index].isToMany == isToMany
      else { return false }
      self.relate(value, index, of: present(instance.reference))
      return true
    }
    switch value {
    case .row where relate(isToMany: false): return
    case .list, .set, .dictionary:
      if relate(isToMany: true) { return }
      guard entity.collections[name] != nil else { break }
      instance.collections[name] = .value(value)
      return pending.add(instance)
    default: break
    }
    if let index = entity.attributeIndices[name] {
      setAttribute(value, index, in: instance)
    } else if let index = entity.relationshipIndices[name] {
      self.relate(value, index, of: present(instance.reference))
    }
  }

  /// Sets a collection of values to one of the archive; returns false if the property is none.
  func setArchived(
    _ collection: GraphValue, for name: String, in instance: RowInstance
  ) -> Bool {
    let entity = entities[instance.reference.entity]
    guard entity.collections[name] != nil,
      entity.relationship(name, isToMany: true, among: relationships)
        .map({ !relationships[$0].isToMany }) ?? true
    else { return false }
    instance.collections[name] = .archived(collection)
    pending.add(instance)
    return true
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
