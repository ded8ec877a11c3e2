import DataModel
import GraphCore
import Mappings
import Policies

// Destination objects, as policies make and find them.
extension StoreMigrationEngine: DestinationContext {
  var destinationContext: any DestinationContext { self }

  func insert(into entityName: String) throws -> DestinationInstance {
    instance(of: try insert(into: try concreteEntity(entityName)), wasFound: false)
  }

  private func insert(into entity: Int) throws(MigrationError) -> Int {
    try state.add(
      MigrationState.MadeObject(
        source: MigrationState.MadeObject.none, entity: UInt16(truncatingIfNeeded: entity),
        recipe: -1))
  }

  func findOrInsert(
    into entityName: String, identity: [String: ImportValue]
  ) throws -> DestinationInstance {
    let entity = try concreteEntity(entityName)
    let kind = DestinationIndex.Kind(entity: entity, attributes: identity.keys.sorted())
    let values = try kind.attributes.map { try fitted(identity[$0] ?? .null, $0, entity) }
    // As in SQL, nothing is not equal to nothing.
    if values.contains(where: { !$0.isNull }) {
      try complete(kind)
      if let index = identities.indices(values, kind).first(where: { state.entity(of: $0) != nil })
      {
        return instance(of: index)
      }
    }
    let index = try insert(into: entity)
    for (name, value) in zip(kind.attributes, values) {
      noteFilled(name, of: index)
      try setValue(value, forKey: name, of: index)
    }
    return instance(of: index, wasFound: false)
  }

  func fetch(
    _ entityName: String, where values: [String: ImportValue]
  ) throws -> [DestinationInstance] {
    let entity = try entity(entityName)
    let names = values.keys.sorted()
    let wanted = try names.map { try fitted(values[$0] ?? .null, $0, entity) }
    return try (0..<state.count).compactMap { index in
      guard try isObject(index, of: entity, names, wanted) else { return nil }
      return instance(of: index)
    }
  }

  func instance(for reference: RowReference) -> DestinationInstance {
    // One that is none gives an error when anything is asked of it.
    instance(of: DestinationHandle.index(of: reference) ?? -1)
  }

  func delete(_ instance: DestinationInstance) {
    attempt(()) {
      let index = try index(of: instance.reference)
      guard unsafe index >= state.plainCount else {
        throw MigrationError(
          .unsuitableValue,
          name: "an object of an entity mapping without a policy cannot be deleted")
      }
      for pair in state.tables.indices { state.tables[pair]?.remove(index) }
      unsafe state.made[index - state.plainCount].delete()
      pending.remove(index)
    }
  }

  /// A destination object, as policies see it.
  func instance(of index: Int, wasFound: Bool = true) -> DestinationInstance {
    DestinationInstance(DestinationObject(index, in: self), wasFound: wasFound)
  }

  /// The index of an object that is there.
  func index(of reference: RowReference) throws(MigrationError) -> Int {
    let index = DestinationHandle.index(of: reference) ?? -1
    guard state.entity(of: index) != nil else {
      throw MigrationError(.deletedObject, name: "\(index)")
    }
    return index
  }

  // MARK: Entities

  private func entity(_ name: String) throws(ImportError) -> Int {
    let destination = state.program.destination
    guard let entity = destination.hierarchy.index(of: name) else {
      throw ImportError(
        .unknownEntity, name: name,
        nearest: NearestName.find(name, in: destination.model.entities.map(\.name)))
    }
    return entity
  }

  private func concreteEntity(_ name: String) throws(ImportError) -> Int {
    let entity = try entity(name)
    try checkIsConcrete(entity)
    return entity
  }

  func checkIsConcrete(_ entity: Int) throws(ImportError) {
    guard !state.program.destination.entities[entity].isAbstract else {
      throw ImportError(
        .abstractEntity, name: state.program.destination.entities[entity].record.name)
    }
  }

  // MARK: Identities

  /// Looks at the objects that have been made since an identity was asked for.
  private func complete(_ kind: DestinationIndex.Kind) throws {
    let hierarchy = state.program.destination.hierarchy
    for index in identities.end(of: kind)..<state.count {
      guard let entity = state.entity(of: index), hierarchy.isKind(entity, of: kind.entity)
      else { continue }
      identities.add(index, try identity(of: index, kind), kind)
    }
    identities.setEnd(state.count, of: kind)
  }

  /// What an object is told apart by.
  private func identity(
    of index: Int, _ kind: DestinationIndex.Kind
  ) throws -> [ImportValue] {
    try kind.attributes.map { name in
      try fitted(try value(forKey: name, of: index), name, kind.entity)
    }
  }

  /// Changes an attribute of an object, and where the object is found by it.
  func reindexing(
    _ attribute: String, of index: Int, _ change: () -> Void
  ) throws(MigrationError) {
    let kinds = identities.kinds(of: attribute, index)
    guard !kinds.isEmpty else { return change() }
    do {
      for kind in kinds { identities.remove(index, try identity(of: index, kind), kind) }
      change()
      for kind in kinds { identities.add(index, try identity(of: index, kind), kind) }
    } catch {
      throw error as? MigrationError ?? MigrationError(.unreadableSource, name: "\(error)")
    }
  }

  private func isObject(
    _ index: Int, of entity: Int, _ names: [String], _ wanted: [ImportValue]
  ) throws -> Bool {
    guard let found = state.entity(of: index),
      state.program.destination.hierarchy.isKind(found, of: entity)
    else { return false }
    for (name, value) in zip(names, wanted)
    where try fitted(try self.value(forKey: name, of: index), name, entity) != value {
      return false
    }
    return true
  }

  /// A value as an attribute of an entity holds it.
  private func fitted(
    _ value: ImportValue, _ name: String, _ entity: Int
  ) throws -> ImportValue {
    let found = state.program.destination.entities[entity]
    guard let position = found.positions[name],
      case .attribute(let attribute) = found.properties[position].content
    else { throw unknownProperty(name, in: found) }
    guard let fitted = value.fitted(to: attribute.type) else {
      throw MigrationError(
        .unsuitableValue, property: name, name: "\(name) cannot hold a \(value.kind)")
    }
    return fitted
  }

  func unknownProperty(
    _ name: String, in entity: DestinationSchema.DestinationEntity
  ) -> ImportError {
    ImportError(
      .unknownProperty, name: "\(entity.record.name).\(name)",
      nearest: NearestName.find(name, in: entity.keys))
  }
}
