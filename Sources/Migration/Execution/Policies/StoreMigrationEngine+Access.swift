import DataModel
import GraphCore
import Policies

// Destination objects by the names of their properties.
extension StoreMigrationEngine {
  func entityName(of number: Int) throws(MigrationError) -> String {
    try entity(of: number).record.name
  }

  private func entity(
    of number: Int
  ) throws(MigrationError) -> DestinationSchema.DestinationEntity {
    guard let entity = state.entity(of: number) else {
      throw MigrationError(.deletedObject, name: "\(number)")
    }
    return state.program.destination.entities[entity]
  }

  /// Takes note of a property that a policy sets.
  func noteFilled(_ key: String, of number: Int) {
    if let entity = state.entity(of: number) { uses.noteFilled(key, of: entity) }
  }

  private func property(
    _ key: String, of number: Int
  ) throws -> (position: Int, property: DestinationSchema.Property) {
    let found = try entity(of: number)
    guard let position = found.positions[key] else { throw unknownProperty(key, in: found) }
    return (position, found.properties[position])
  }

  func value(forKey key: String, of number: Int) throws -> ImportValue {
    let (position, property) = try property(key, of: number)
    guard case .relationship(let relationship, _, _) = property.content else {
      if let value = pending.value(at: position, of: number) { return value }
      let object = try graph.object(number)
      return graph.importValue(ofPlain: try graph.value(of: object, at: position))
    }
    let members = try graph.members(of: number, at: position)
    guard relationship.isToMany else {
      return members.first.map(DestinationHandle.value) ?? .null
    }
    let values = members.map(DestinationHandle.value)
    return relationship.isOrdered ? .list(values) : .set(values)
  }

  /// Sets an attribute, or adds objects to a relationship.
  func setValue(_ value: ImportValue, forKey key: String, of number: Int) throws {
    if let entity = state.entity(of: number),
      let position = state.program.destination.entities[entity].positions[key],
      position < state.program.destination.entities[entity].attributeCount
    {
      try set(value, at: position, of: number)
    } else {
      try setRelationship(value, forKey: key, of: number)
    }
  }

  /// Adds objects to what a relationship leads to, behind the others; nothing to add is no
  /// contradiction to what the other side says.
  func setRelationship(_ value: ImportValue, forKey key: String, of number: Int) throws {
    let property = try property(key, of: number).property
    guard case .relationship(let relationship, let pair, let side) = property.content else {
      throw MigrationError(
        .unsuitableValue, property: key, name: "\(key) is not a relationship")
    }
    let members = DestinationHandle.numbers(in: value)
    guard !members.isEmpty || value.isNull || value == .list([]) || value == .set([]),
      members.allSatisfy({ resolver.holds($0, property) }),
      relationship.isToMany || members.count <= 1
    else {
      throw MigrationError(
        .unsuitableValue, property: key,
        name: "\(key) leads to \(relationship.destinations.joined(separator: ", "))")
    }
    if state.tables[pair] == nil { try keepLinks(of: pair) }
    state.tables[pair]?.append(members, to: number, side: side)
  }

  /// Empties a relationship, or sets an attribute to nothing.
  func clear(_ key: String, of number: Int) throws {
    let (position, property) = try property(key, of: number)
    guard case .relationship(_, let pair, let side) = property.content else {
      return try set(.null, at: position, of: number)
    }
    if state.tables[pair] == nil { try keepLinks(of: pair) }
    state.tables[pair]?.set([], of: number, side: side, keepsOthers: false)
  }
}
