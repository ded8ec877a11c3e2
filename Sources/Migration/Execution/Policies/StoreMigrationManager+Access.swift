import DataModel
import GraphCore

// Objects by the names of their properties.
extension StoreMigrationManager {
  func entityName(ofSource uid: Int) throws(MigrationError) -> String {
    do throws(ArchiveError) {
      let object = try scope.reader.graph.object(uid)
      return scope.reader.graph.classRecord(of: object).name
    } catch {
      throw MigrationError(.unreadableSource, name: "\(error)")
    }
  }

  func value(forKey key: String, ofSource uid: Int) throws(MigrationError) -> ImportValue {
    let value: ImportValue?
    do throws(ArchiveError) {
      value = try scope.reader.value(forKey: key, of: uid)
    } catch {
      throw MigrationError(.unreadableSource, name: "\(error)")
    }
    guard let value else { throw MigrationError(.unknownKey, name: key) }
    return value
  }

  func entityName(of number: Int) throws(MigrationError) -> String {
    guard let entity = state.entity(of: number) else {
      throw MigrationError(.deletedObject, name: "\(number)")
    }
    return state.program.destination.entities[entity].record.name
  }

  private func property(
    _ key: String, of number: Int
  ) throws(MigrationError) -> (position: Int, property: DestinationSchema.Property) {
    guard let entity = state.entity(of: number) else {
      throw MigrationError(.deletedObject, name: "\(number)")
    }
    let found = state.program.destination.entities[entity]
    guard let position = found.positions[key] else {
      throw MigrationError(.unknownKey, name: "\(found.record.name).\(key)")
    }
    return (position, found.properties[position])
  }

  func value(forKey key: String, of number: Int) throws(MigrationError) -> ImportValue {
    let (position, property) = try property(key, of: number)
    do throws(ArchiveError) {
      guard case .relationship(let relationship, _, _) = property.content else {
        if let value = pendingValue(at: position, of: number) { return value }
        let object = try graph.object(number)
        return graph.importValue(ofPlain: try graph.value(of: object, at: position))
      }
      let members = try graph.members(of: number, at: position)
      guard relationship.isToMany else {
        return members.first.map(DestinationHandle.value) ?? .null
      }
      let values = members.map(DestinationHandle.value)
      return relationship.isOrdered ? .list(values) : .set(values)
    } catch {
      throw MigrationError(.unreadableSource, name: "\(error)")
    }
  }

  func setValue(
    _ value: ImportValue, forKey key: String, of number: Int
  ) throws(MigrationError) {
    let (position, property) = try property(key, of: number)
    guard case .relationship(let relationship, let pair, let side) = property.content else {
      return try set(value, at: position, of: number)
    }
    let members = DestinationHandle.numbers(in: value)
    let isCleared = value.isNull || value == .list([]) || value == .set([])
    guard isCleared || !members.isEmpty,
      members.allSatisfy({ resolver.holds($0, property) }),
      relationship.isToMany || members.count <= 1
    else {
      throw MigrationError(
        .unsuitableValue, property: key,
        name: "\(key) leads to \(relationship.destinations.joined(separator: ", "))")
    }
    if state.tables[pair] == nil { try keepLinks(of: pair) }
    state.tables[pair]?.set(members, of: number, side: side, keepsOthers: false)
  }
}
