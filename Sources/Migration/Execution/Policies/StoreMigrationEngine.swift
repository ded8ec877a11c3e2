import DataModel
import Foundation
import GraphCore
import Mappings
import Policies

/// What policies do in the migration of a store (`NSMigrationManager`).
///
/// It makes destination objects, and knows which source objects they stand for.
final class StoreMigrationEngine: MigrationEngine {
  weak var manager: MigrationManager?
  let now: Date
  /// The path of the store that is migrated; empty if it has none.
  let path: String
  let state: MigrationState
  let graph: MigratedGraph
  let scope: MigrationScope
  let resolver: LinkResolver
  /// The functions of policies, by the index of their entity mapping.
  var functions: [Int: [String: PolicyFunction]] = [:]
  /// The object for which an expression is evaluated.
  var currentDestination: Int?
  /// The values that have been set since the callback began.
  var pending = PendingValues()
  var identities = DestinationIndex()
  var uses = PolicyUses()
  /// The first error that could not be thrown where it came up; it ends the migration after the
  /// callback.
  private(set) var failure: (any Error)?

  init(_ state: MigrationState, _ options: GraphOptions, path: String, now: Date) {
    self.state = state
    self.path = path
    self.now = now
    graph = MigratedGraph(state, options, now: now)
    scope = MigrationScope(state, state.source.makeGraph(options), options.limits, now: now)
    resolver = LinkResolver(state: state, scope: scope)
    scope.migration = self
  }

  /// Does what can fail where nothing can be thrown.
  func attempt<R>(_ nothing: R, _ body: () throws -> R) -> R {
    do {
      return try body()
    } catch {
      failure = failure ?? error
      return nothing
    }
  }

  // MARK: Associations

  func associate(
    source: SourceInstance, with destination: DestinationInstance, for mapping: MigrationMapping
  ) {
    attempt(()) {
      try check(source, mapping)
      let objectIndex = try index(of: destination.reference)
      state.associations[mapping.index].add(source: source.uid, destination: objectIndex)
    }
  }

  func destinationInstances(
    forMapping mappingName: String, sources: [SourceInstance]
  ) -> [DestinationInstance] {
    var found: [DestinationInstance] = []
    for (index, mapping) in state.program.mappings.enumerated()
    where mapping.info.name == mappingName {
      state.associations[index].sort()
      for source in sources {
        state.forEachDestination(of: source.uid, index) { found.append(instance(of: $0)) }
      }
    }
    return found
  }

  func sourceInstances(
    forMapping mappingName: String, destinations: [DestinationInstance]
  ) throws -> [SourceInstance] {
    var found: [SourceInstance] = []
    for (mappingIndex, mapping) in state.program.mappings.enumerated()
    where mapping.info.name == mappingName {
      for destination in destinations {
        found += try sources(of: index(of: destination.reference), mappingIndex)
      }
    }
    return found
  }

  func sourceInstances(in value: ImportValue) throws -> [SourceInstance] {
    switch value {
    case .row(let reference):
      if let objectIndex = DestinationHandle.index(of: reference) {
        return try state.program.mappings.indices.flatMap { try sources(of: objectIndex, $0) }
      }
      return try ObjectHandle.uids(in: value).map(source)
    case .list(let values), .set(let values): return try values.flatMap(sourceInstances(in:))
    default: return []
    }
  }

  private func sources(of objectIndex: Int, _ mapping: Int) throws(ArchiveError) -> [SourceInstance]
  {
    var uids = state.associations[mapping].sources(of: objectIndex)
    if unsafe objectIndex < state.plainCount, let place = state.place(of: objectIndex),
      place.recipe == mapping,
      let uid = place.source, !uids.contains(uid)
    {
      uids.insert(uid, at: 0)
    }
    var found: [SourceInstance] = []
    for uid in uids { found.append(try source(uid)) }
    return found
  }

  /// A source object, as policies see it.
  func source(_ uid: Int) throws(ArchiveError) -> SourceInstance {
    SourceInstance(try scope.reader.graph.object(uid), of: self)
  }

  // MARK: What the mapping model says

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping
  ) throws -> DestinationInstance {
    try check(source, mapping)
    let planned = state.program.mappings[mapping.index]
    guard let entity = planned.destinationEntity else {
      throw ImportError(.noDestination, name: mapping.name)
    }
    uses.attributes.insert(mapping.index)
    let properties = state.program.destination.entities[entity].properties
    try checkIsConcrete(entity)
    let objectIndex = try state.add(
      MigrationState.MadeObject(
        source: UInt32(truncatingIfNeeded: source.uid),
        entity: UInt16(truncatingIfNeeded: entity),
        recipe: Int16(truncatingIfNeeded: mapping.index)))
    currentDestination = objectIndex
    defer { currentDestination = nil }
    for (position, value) in planned.values.enumerated() {
      guard case .stored(let expression) = value else { continue }
      let property = properties[position]
      let computed: ImportValue
      do {
        computed = try scope.evaluate(expression, of: source.uid, mapping.index, property.name)
      } catch {
        throw MigrationError(
          .failedExpression, entityMapping: mapping.name, property: property.name,
          name: "\(error)")
      }
      try set(computed, at: position, of: objectIndex)
    }
    state.associations[mapping.index].add(source: source.uid, destination: objectIndex)
    return instance(of: objectIndex)
  }

  func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping
  ) throws {
    try check(mapping)
    uses.relationships.insert(mapping.index)
    let objectIndex = try index(of: destination.reference)
    let planned = state.program.mappings[mapping.index]
    guard planned.hasRelationships, let entity = state.entity(of: objectIndex),
      entity == planned.destinationEntity
    else { return }
    currentDestination = objectIndex
    defer { currentDestination = nil }
    for source in state.associations[mapping.index].sources(of: objectIndex) {
      for (position, property) in state.program.destination.entities[entity].properties.enumerated()
      {
        guard case .relationship(_, let pair, let side) = property.content else { continue }
        if case .none = planned.values[position] { continue }
        let members = try resolver.members(
          planned.values[position], scope.reader, of: source, mapping.index, property)
        if state.tables[pair] == nil { try keepLinks(of: pair) }
        state.tables[pair]?.set(members, of: objectIndex, side: side, keepsOthers: true)
      }
    }
  }

  /// Refuses what belongs to another run.
  private func check(
    _ source: SourceInstance, _ mapping: MigrationMapping
  ) throws(ImportError) {
    guard source.reader === self else {
      throw ImportError(.otherRun, name: "\(source.className) \(source.uid)")
    }
    try check(mapping)
  }

  private func check(_ mapping: MigrationMapping) throws(ImportError) {
    guard state.program.mappings.indices.contains(mapping.index),
      state.program.mappings[mapping.index].info.name == mapping.name
    else { throw ImportError(.otherRun, name: mapping.name) }
  }

  // MARK: Functions

  /// Calls a function of the policy of an entity mapping.
  func callPolicy(
    _ selector: String, _ arguments: [ImportValue], _ mapping: Int
  ) throws -> ImportValue {
    guard let function = functions[mapping]?[selector], let manager else {
      throw ExpressionFailure(.unknownFunction, name: selector)
    }
    return try function(arguments, manager)
  }
}
