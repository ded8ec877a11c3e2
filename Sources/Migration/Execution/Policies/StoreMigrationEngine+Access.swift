import DataModel
import GraphCore
import Policies

// Destination objects by the names of their properties.
extension StoreMigrationEngine {
  func entityName(of index: Int) throws(MigrationError) -> String {
    try entity(of: index).record.name
  }

  private func entity(
    of index: Int
  ) throws(MigrationError) -> DestinationSchema.DestinationEntity {
    guard let entity = state.entity(of: index) else {
      throw MigrationError(.deletedObject, name: "\(index)")
    }
    return state.program.destination.entities[entity]
  }

  /// Takes note of a property that a policy sets.
  func noteFilled(_ key: String, of index: Int) {
    if let entity = state.entity(of: index) { uses.noteFilled(key, of: entity) }
  }

  private func property(
    _ key: String, of index: Int
  ) throws -> (position: Int, property: DestinationSchema.Property) {
    let found = try entity(of: index)
    guard let position = found.positions[key] else { throw unknownProperty(key, in: found) }
    return (position, found.properties[position])
  }

  func value(forKey key: String, of index: Int) throws -> ImportValue {
    let (position, property) = try property(key, of: index)
    guard case .relationship(let relationship, _, _) = property.content else {
      if let value = pending.value(at: position, of: index) { return value }
      let object = try graph.object(index)
      return graph.importValue(ofPlain: try graph.value(of: object, at: position))
    }
    let members = try graph.members(of: index, at: position)
    guard relationship.isToMany else {
      return members.first.map(DestinationHandle.value) ?? .null
    }
    let values = members.map(DestinationHandle.value)
    return relationship.isOrdered ? .list(values) : .set(values)
  }

  /// Sets an attribute, or adds objects to a relationship.
  func setValue(_ value: ImportValue, forKey key: String, of index: Int) throws {
    if let entity = state.entity(of: index),
      let position = state.program.destination.entities[entity].positions[key],
      position < state.program.destination.entities[entity].attributeCount
    {
      try set(value, at: position, of: index)
    } else {
      try setRelationship(value, forKey: key, of: index)
    }
  }

  /// Adds objects to what a relationship leads to, after the others; nothing to add is no
  /// contradiction to what the other side says.
  func setRelationship(_ value: ImportValue, forKey key: String, of index: Int) throws {
    let property = try property(key, of: index).property
    guard case .relationship(let relationship, let pair, let side) = property.content else {
      throw MigrationError(
        .unsuitableValue, property: key, name: "\(key) is not a relationship")
    }
    let members = DestinationHandle.indices(in: value)
    guard !members.isEmpty || value.isNull || value == .list([]) || value == .set([]),
      members.allSatisfy({ resolver.holds($0, property) }),
      relationship.isToMany || members.count <= 1
    else {
      throw MigrationError(
        .unsuitableValue, property: key,
        name: "\(key) leads to \(relationship.destinations.joined(separator: ", "))")
    }
    if state.tables[pair] == nil { try keepLinks(of: pair) }
    state.tables[pair]?.append(members, to: index, side: side)
  }

  /// Empties a relationship, or sets an attribute to nothing.
  func clear(_ key: String, of index: Int) throws {
    let (position, property) = try property(key, of: index)
    guard case .relationship(_, let pair, let side) = property.content else {
      return try set(.null, at: position, of: index)
    }
    if state.tables[pair] == nil { try keepLinks(of: pair) }
    state.tables[pair]?.set([], of: index, side: side, keepsOthers: false)
  }
}
