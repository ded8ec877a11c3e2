import DataModel
import Foundation
import GraphCore
import Mappings

/// A migration, as policies see it (`NSMigrationManager`).
///
/// It makes destination objects, and knows which source objects they stand for.
public final class StoreMigrationManager {
  /// Whatever policies want to share.
  public var userInfo: [String: Any] = [:]
  /// The time that `now()` gives.
  public let now: Date
  let state: MigrationState
  let graph: MigratedGraph
  let scope: MigrationScope
  let resolver: LinkResolver
  /// The functions of policies, by the index of their entity mapping.
  var functions: [Int: [String: EntityPolicyFunction]] = [:]
  /// The object for which an expression is evaluated.
  var currentDestination: Int?
  /// The values that have been set since the callback began, by object and position.
  var pending: [Int: [Int: ImportValue]] = [:]

  init(_ state: MigrationState, _ options: GraphOptions, now: Date) {
    self.state = state
    self.now = now
    graph = MigratedGraph(state, options, now: now)
    scope = MigrationScope(state, state.source.makeGraph(options), now: now)
    resolver = LinkResolver(state: state, scope: scope)
    scope.manager = self
  }

  // MARK: Making objects

  /// Makes an object with the default values of its entity.
  ///
  /// - Parameter entityName: The name of an entity of the destination model.
  /// - Returns: The object.
  /// - Throws: `MigrationError` if there is no such entity, or if it is abstract.
  public func insert(into entityName: String) throws -> DestinationObject {
    guard let entity = state.program.destination.hierarchy.number(of: entityName) else {
      throw MigrationError(.unknownDestinationEntity, name: entityName)
    }
    guard !state.program.destination.entities[entity].isAbstract else {
      throw MigrationError(.abstractDestination, name: entityName)
    }
    let object = MigrationState.MadeObject(
      source: MigrationState.MadeObject.none, entity: UInt16(truncatingIfNeeded: entity),
      recipe: -1)
    return DestinationObject(manager: self, number: try state.add(object))
  }

  /// Removes an object of a policy's, and all links to it.
  ///
  /// - Parameter object: An object that a policy made.
  /// - Throws: `MigrationError` for an object that an entity mapping without a policy made.
  public func delete(_ object: DestinationObject) throws {
    let place = object.number - state.plainCount
    guard state.made.indices.contains(place) else {
      throw MigrationError(
        .unsuitableValue, name: "an object of an entity mapping without a policy cannot be deleted")
    }
    for pair in state.tables.indices { state.tables[pair]?.remove(object.number) }
    state.made[place].delete()
    pending[object.number] = nil
  }

  /// Says that a destination object stands for a source object.
  ///
  /// - Parameters:
  ///   - source: The source object.
  ///   - destination: The destination object.
  ///   - mapping: The entity mapping.
  public func associate(
    source: SourceObject, with destination: DestinationObject, for mapping: StoreEntityMapping
  ) {
    state.associations[mapping.index].add(source: source.uid, destination: destination.number)
  }

  /// Makes one object by what the mapping model says of its attributes, and associates it.
  ///
  /// - Parameters:
  ///   - source: The source object.
  ///   - mapping: The entity mapping.
  /// - Returns: The object; nil if the entity mapping has no destination entity.
  /// - Throws: `MigrationError`.
  @discardableResult
  public func createDestinationInstances(
    forSource source: SourceObject, in mapping: StoreEntityMapping
  ) throws -> DestinationObject? {
    let planned = state.program.mappings[mapping.index]
    guard let entity = planned.destinationEntity else { return nil }
    guard !state.program.destination.entities[entity].isAbstract else {
      throw MigrationError(
        .abstractDestination, entityMapping: mapping.name,
        name: state.program.destination.entities[entity].record.name)
    }
    let number = try state.add(
      MigrationState.MadeObject(
        source: UInt32(truncatingIfNeeded: source.uid),
        entity: UInt16(truncatingIfNeeded: entity),
        recipe: Int16(truncatingIfNeeded: mapping.index)))
    for (position, value) in planned.values.enumerated() {
      guard case .stored(let expression) = value else { continue }
      let property = state.program.destination.entities[entity].properties[position]
      currentDestination = number
      defer { currentDestination = nil }
      let computed: ImportValue
      do {
        computed = try scope.evaluate(expression, of: source.uid, mapping.index, property.name)
      } catch {
        throw MigrationError(
          .failedExpression, entityMapping: mapping.name, property: property.name,
          name: "\(error)")
      }
      try set(computed, at: position, of: number)
    }
    state.associations[mapping.index].add(source: source.uid, destination: number)
    return DestinationObject(manager: self, number: number)
  }

  /// Sets the relationships of an object by what the mapping model says of them, from the source
  /// objects that it stands for.
  ///
  /// - Parameters:
  ///   - destination: The object.
  ///   - mapping: The entity mapping.
  /// - Throws: `MigrationError`.
  public func createRelationships(
    forDestination destination: DestinationObject, in mapping: StoreEntityMapping
  ) throws {
    let planned = state.program.mappings[mapping.index]
    guard planned.hasRelationships, let entity = state.entity(of: destination.number),
      entity == planned.destinationEntity
    else { return }
    currentDestination = destination.number
    defer { currentDestination = nil }
    for source in state.associations[mapping.index].sources(of: destination.number) {
      for (position, property) in state.program.destination.entities[entity].properties.enumerated()
      {
        guard case .relationship(_, let pair, let side) = property.content else { continue }
        if case .none = planned.values[position] { continue }
        let members = try resolver.members(
          planned.values[position], scope.reader, of: source, mapping.index, property)
        if state.tables[pair] == nil { try keepLinks(of: pair) }
        state.tables[pair]?.set(
          members, of: destination.number, side: side, keepsOthers: true)
      }
    }
  }

  // MARK: Associations

  /// What an entity mapping made of source objects.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the entity mapping.
  ///   - sources: The source objects.
  /// - Returns: The destination objects, in the order of the source objects.
  public func destinationInstances(
    forMapping mappingName: String, sources: [SourceObject]
  ) -> [DestinationObject] {
    var found: [DestinationObject] = []
    for (index, mapping) in state.program.mappings.enumerated()
    where mapping.info.name == mappingName {
      state.associations[index].sort()
      for source in sources {
        state.forEachDestination(of: source.uid, index) {
          found.append(DestinationObject(manager: self, number: $0))
        }
      }
    }
    return found
  }

  /// The source objects that an entity mapping made destination objects of.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the entity mapping.
  ///   - destinations: The destination objects.
  /// - Returns: The source objects, in the order of the destination objects.
  public func sourceInstances(
    forMapping mappingName: String, destinations: [DestinationObject]
  ) -> [SourceObject] {
    var found: [SourceObject] = []
    for (index, mapping) in state.program.mappings.enumerated()
    where mapping.info.name == mappingName {
      for destination in destinations {
        let sources =
          destination.number < state.plainCount
          ? state.place(of: destination.number).flatMap { $0.recipe == index ? $0.source : nil }
            .map { [$0] } ?? []
          : state.associations[index].sources(of: destination.number)
        found += sources.map { SourceObject(manager: self, uid: $0) }
      }
    }
    return found
  }

  /// The source objects that a value of an expression refers to.
  public func sourceObjects(in value: ImportValue) -> [SourceObject] {
    ObjectHandle.uids(in: value).map { SourceObject(manager: self, uid: $0) }
  }

  /// The destination objects that a value of an expression refers to.
  public func destinationObjects(in value: ImportValue) -> [DestinationObject] {
    DestinationHandle.numbers(in: value).map { DestinationObject(manager: self, number: $0) }
  }

  /// Calls a function of the policy of an entity mapping.
  func callPolicy(
    _ selector: String, _ arguments: [ImportValue], _ mapping: Int
  ) throws -> ImportValue {
    guard let function = functions[mapping]?[selector] else {
      throw ExpressionFailure(.unknownFunction, name: selector)
    }
    return try function(arguments, self)
  }
}
