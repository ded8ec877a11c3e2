import CoreDataStores
import DataModel
import Foundation
import GraphCore
import Mappings
import Policies

/// Runs a migration in Core Data's three stages, as far as it is not done when values are asked
/// for.
final class MigrationRun {
  private let state: MigrationState
  private let migration: StoreMigrationEngine
  private let manager: MigrationManager
  private let entries: [Entry]
  private(set) var summary: MigrationSummary
  /// For each entity mapping, unread properties that it depends on the object whether they are: with
  /// each, the other entity mappings that read it.
  private(set) var partlyUnread: [[String: [Int]]] = []
  /// The source objects of entity mappings with a policy.
  private var policySources: [Int: MigrationState.SourceList] = [:]

  private struct Entry {
    var index: Int
    var info: MigrationMapping
    var policy: any MigrationPolicy
  }

  init(
    _ state: MigrationState, _ policies: [Int: any MigrationPolicy],
    _ options: GraphOptions, path: String, now: Date
  ) throws(MigrationError) {
    self.state = state
    migration = StoreMigrationEngine(state, options, path: path, now: now)
    manager = MigrationManager(migration)
    summary = MigrationSummary(state.program)
    entries = state.program.mappings.enumerated().compactMap { index, mapping in
      guard mapping.isEager else { return nil }
      return Entry(
        index: index, info: mapping.info, policy: policies[index] ?? PlainEntityPolicy())
    }
    for entry in entries { migration.functions[entry.index] = entry.policy.functions }
    manager.stepCount = 3 * entries.count
    try findMissingFunctions()
  }

  /// Sets what is called with the progress of policies, from 0 to 1.
  func onProgress(_ body: ((Double) -> Void)?) { manager.onProgress = body }

  /// Refuses expressions that call functions which the policy does not have.
  private func findMissingFunctions() throws(MigrationError) {
    let missing = entries.flatMap { entry in
      let known = Set(migration.functions[entry.index, default: [:]].keys)
      return state.program.missingFunctions(of: entry.index, known: known)
    }
    if let error = MigrationError(joining: missing) { throw error }
  }

  func run() throws(MigrationError) {
    try selectSources()
    // Once for all of them: an array that grows is there twice for a while.
    unsafe state.made.reserveCapacity(policySources.values.map(\.count).reduce(0, +))
    for entry in entries { try createInstances(entry) }
    for index in state.associations.indices { state.associations[index].sort() }
    try createRelationships()
    for entry in entries {
      try call(entry, "performCustomValidation") {
        try entry.policy.performCustomValidation(forMapping: entry.info, manager: manager)
      }
      manager.advance(by: 0.5)
    }
    for entry in entries {
      try call(entry, "end") { try entry.policy.end(entry.info, manager: manager) }
      manager.advance(by: 0.5)
    }
    try state.records?.finish()
    countResults()
  }

  // MARK: Stage 1

  /// How many source objects there are.
  private struct SourceCounts {
    /// Of each entity, and of these, how many no entity mapping is given.
    var objects: [Int]
    var unmigrated: [Int]
    /// Of each entity mapping.
    var selected: [Int]

    init(_ program: MigrationProgram) {
      objects = Array(repeating: 0, count: program.source.entities.count)
      unmigrated = objects
      selected = Array(repeating: 0, count: program.mappings.count)
    }
  }

  /// Finds the source objects of all entity mappings, each source object once.
  private func selectSources() throws(MigrationError) {
    let graph = migration.scope.reader.graph
    /// For each class of the source, its entity; nil for one that is none, or not known yet.
    var entities: [Int?] = []
    var counts = SourceCounts(state.program)
    var next = 0
    // What follows the store's own objects are parts of values.
    while let (uid, id) = try Self.nextObject(graph, next), uid < state.firstArchived {
      next = uid + 1
      while entities.count <= id.index { entities.append(nil) }
      if entities[id.index] == nil {
        entities[id.index] = state.source.storeKey(ofObject: uid).flatMap {
          state.program.sourceHierarchy.index(of: $0.entity)
        }
      }
      guard let entity = entities[id.index] else {
        throw MigrationError(.unreadableSource, name: "object \(uid) has no entity")
      }
      try select(uid, entity, &counts)
    }
    try state.numberObjects()
    summary.sourceObjects = self.counts(byName: counts.objects)
    summary.unmigratedObjects = self.counts(byName: counts.unmigrated)
    for (index, count) in counts.selected.enumerated() {
      summary.entityMappings[index].sourceObjects = count
    }
    try findForbiddenObjects(counts.objects)
  }

  /// Refuses objects of which an inferred mapping model cannot make any.
  private func findForbiddenObjects(_ counts: [Int]) throws(MigrationError) {
    let errors = state.program.forbiddenEntities.sorted { $0.key < $1.key }.compactMap {
      entity, finding -> MigrationError? in
      guard counts[entity] > 0 else { return nil }
      let name = state.program.source.entities[entity].name
      return MigrationError(.forbiddenObjects, name: "\(counts[entity]) of \(name); \(finding)")
    }
    if let error = MigrationError(joining: errors) { throw error }
  }

  /// Numbers of objects by the names of their entities, without those that are none.
  private func counts(byName counts: [Int]) -> [String: Int] {
    let named = zip(state.program.source.entities, counts).filter { $0.1 > 0 }
    return Dictionary(named.map { ($0.0.name, $0.1) }, uniquingKeysWith: +)
  }

  private static func nextObject(
    _ graph: any ObjectGraph, _ uid: Int
  ) throws(MigrationError) -> (uid: Int, class: ClassID)? {
    do throws(ArchiveError) {
      return try graph.ownObject(from: uid)
    } catch {
      throw MigrationError(.unreadableSource, name: "\(error)")
    }
  }

  private func select(
    _ uid: Int, _ entity: Int, _ counts: inout SourceCounts
  ) throws(MigrationError) {
    var isMigrated = false
    counts.objects[entity] += 1
    for index in state.program.mappingsOfEntity[entity] {
      let mapping = state.program.mappings[index]
      if let filter = mapping.filter {
        migration.scope.source = uid
        migration.scope.mapping = index
        do throws(ExpressionFailure) {
          guard try filter.evaluate(in: migration.scope) else { continue }
        } catch {
          throw MigrationError(
            .failedExpression, entityMapping: mapping.info.name,
            name: "\(filter.format): \(error)")
        }
      }
      isMigrated = true
      counts.selected[index] += 1
      if mapping.isEager {
        policySources[index, default: MigrationState.SourceList()].append(uid)
      } else if mapping.destinationEntity != nil {
        unsafe state.plain[index].append(uid)
      }
    }
    if !isMigrated { counts.unmigrated[entity] += 1 }
  }

  private func createInstances(_ entry: Entry) throws(MigrationError) {
    try call(entry, "begin") { try entry.policy.begin(entry.info, manager: manager) }
    let sources = policySources[entry.index] ?? MigrationState.SourceList()
    state.associations[entry.index].reserve(sources.count)
    for rank in 0..<sources.count {
      try call(entry, "createDestinationInstances") {
        try entry.policy.createDestinationInstances(
          forSource: try migration.source(sources[rank]), in: entry.info, manager: manager)
      }
      manager.advance(by: 1 / Double(sources.count))
    }
    if sources.count == 0 { manager.advance(by: 1) }
    try call(entry, "endInstanceCreation") {
      try entry.policy.endInstanceCreation(forMapping: entry.info, manager: manager)
    }
  }

  // MARK: Stage 2

  private func createRelationships() throws(MigrationError) {
    // Links are looked up once all are there: before, nothing is.
    for pair in state.program.isLazy.indices where !state.program.isLazy[pair] {
      if state.tables[pair] == nil { try migration.keepLinks(of: pair) }
    }
    for index in state.program.mappings.indices {
      guard let entry = entries.first(where: { $0.index == index }) else {
        for pair in state.program.isLazy.indices where !state.program.isLazy[pair] {
          try migration.addLinks(of: pair, index)
        }
        continue
      }
      let destinations = state.associations[index].destinations
      for objectIndex in destinations {
        manager.advance(by: 1 / Double(destinations.count))
        guard state.entity(of: Int(objectIndex)) != nil else { continue }
        try call(entry, "createRelationships") {
          try entry.policy.createRelationships(
            forDestination: migration.instance(of: Int(objectIndex)), in: entry.info,
            manager: manager)
        }
      }
      if destinations.isEmpty { manager.advance(by: 1) }
      try call(entry, "endRelationshipCreation") {
        try entry.policy.endRelationshipCreation(forMapping: entry.info, manager: manager)
      }
    }
  }

  // MARK: Results

  private func countResults() {
    var uses = migration.uses
    // A policy that was given no object has not departed from the mapping model.
    for entry in entries where policySources[entry.index] == nil {
      uses.attributes.insert(entry.info.index)
      uses.relationships.insert(entry.info.index)
    }
    summary.note(uses, state.program)
    partlyUnread = summary.partlyUnreadProperties(uses, state.program)
    for index in state.program.mappings.indices {
      guard state.program.mappings[index].isEager else {
        summary.entityMappings[index].destinationObjects = unsafe state.plain[index].count
        continue
      }
      state.associations[index].sort()
      let associations = state.associations[index]
      let destinations = associations.destinations.count { state.entity(of: Int($0)) != nil }
      summary.entityMappings[index].destinationObjects = destinations
      summary.entityMappings[index].droppedObjects = max(
        0, summary.entityMappings[index].sourceObjects - associations.sourceCount)
    }
    for entry in entries {
      guard let policy = entry.policy as? DeclaredPolicy else { continue }
      summary.entityMappings[entry.index].lostValues = policy.lostValues
    }
    let associated = summary.entityMappings.reduce(0) { $0 + $1.destinationObjects }
    let present = unsafe state.plainCount + state.made.count { !$0.isDeleted }
    summary.otherObjects = max(0, present - associated)
    summary.replacedLinks = state.tables.reduce(0) { $0 + ($1?.replacedCount ?? 0) }
  }

  /// The error of a value that a declared policy cannot convert.
  private func described(_ failure: DeclaredPolicy.Failure, _ entry: Entry) -> MigrationError {
    let policy = state.program.mappings[entry.index].policyClassName ?? "?"
    let key = state.source.storeKey(ofObject: failure.uid)
    let object = key.map { "\($0.entity) \($0.key)" } ?? "object \(failure.uid)"
    return MigrationError(
      .failedPolicy, entityMapping: entry.info.name, property: failure.property,
      name: "\(policy), mapping '\(entry.info.name)', \(object): "
        + "'\(failure.property)': \(failure.reason)")
  }

  /// Calls a policy: what it throws is told with its name.
  private func call(
    _ entry: Entry, _ callback: String, _ body: () throws -> Void
  ) throws(MigrationError) {
    do {
      try manager.checkCancellation()
      try body()
      if let failure = migration.failure { throw failure }
      try manager.checkCancellation()
    } catch let error as MigrationError {
      throw error.placed(in: entry.info.name)
    } catch let error as ArchiveError {
      throw MigrationError(
        .unreadableSource, entityMapping: entry.info.name, name: "\(error)")
    } catch let error as DeclaredPolicy.Failure {
      throw described(error, entry)
    } catch {
      let failure = PolicyFailure(
        of: entry.policy, mapping: entry.info.name, callback: callback, error: error)
      throw MigrationError(
        .failedPolicy, entityMapping: entry.info.name, name: failure.description)
    }
    try migration.flush()
  }
}
