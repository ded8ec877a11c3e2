import CoreDataStores
import DataModel
import Foundation
import GraphCore
import MappingModels
import Policies
import Support

/// A Core Data store read through a mapping model: its objects are those of the new model.
///
/// It is a source like any other: it is converted into a store of either layout, inspected and
/// verified. Nothing is copied to make it. Which source object becomes which destination object
/// takes four bytes for each at most, and none where the keys of an entity have no gaps; values are
/// read and computed when they are asked for. What policies make takes 16 bytes for each object and
/// 8 for each association, and a file without a name for values.
package final class MigratedSource: CoreDataSource {
  package let modelSource: ModelSource
  package let metadata: CoreDataMetadata
  /// What the migration came to.
  package let summary: MigrationSummary
  /// The store that is migrated.
  package let oldSource: any CoreDataSource
  let state: MigrationState
  /// For each entity mapping, unread properties that it depends on the object whether they are: with
  /// each, the other entity mappings that read it.
  let partlyUnread: [[String: [Int]]]
  private let now: Date
  private let entityMappings: Int

  /// Migrates a store by a mapping model.
  ///
  /// Policies run here: they create objects, set relationships and validate. What can be found
  /// wrong with the mapping model is found before that.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - mappingModel: How objects become those of the new model.
  ///   - destination: The new model.
  ///   - policies: The policies, by the names that the mapping model gives their classes; the name
  ///     of a module may be left out.
  ///   - declarations: What stands in for policies, of a mapping file.
  ///   - path: The path of the store, as policies see it.
  ///   - options: How the store is read.
  ///   - now: The time that `now()` gives.
  ///   - onPolicyProgress: Called with the progress of policies, from 0 to 1.
  /// - Throws: `MigrationError`.
  /// - Complexity: Linear in the number of source objects, of which only the entities are read
  ///   where there is neither a filter nor a policy, and no relationship has to be kept in memory.
  package convenience init(
    _ source: any CoreDataSource, by mappingModel: MappingModel, to destination: ModelSource,
    policies: [String: any MigrationPolicy.Type] = [:],
    declarations: PolicyDeclarations = PolicyDeclarations(), path: String = "",
    options: GraphOptions = GraphOptions(), now: Date = Date(),
    onPolicyProgress: ((Double) -> Void)? = nil
  ) throws(MigrationError) {
    let program = try MigrationProgram(
      [mappingModel], from: source.modelSource.model, to: destination.model,
      declarations: declarations)
    try self.init(
      source, program, to: destination, policies: policies, path: path, options: options, now: now,
      onPolicyProgress: onPolicyProgress)
  }

  /// Migrates a store by a step of a plan.
  ///
  /// If a version of the model was edited after the mapping model of the step was made, what
  /// concerns entities and properties that are no longer there is left out: see
  /// `MigrationSummary.omissions`.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - step: The step, which leads from the version that the store is of.
  ///   - policies: The policies, as above.
  ///   - declarations: What stands in for policies.
  ///   - path: The path of the store, as policies see it.
  ///   - options: How the store is read.
  ///   - now: The time that `now()` gives.
  ///   - onPolicyProgress: Called with the progress of policies, from 0 to 1.
  /// - Throws: `MigrationError`, also if the objects are not as an inferred step needs them.
  /// - Complexity: As above.
  package convenience init(
    _ source: any CoreDataSource, running step: MigrationStep,
    policies: [String: any MigrationPolicy.Type] = [:],
    declarations: PolicyDeclarations = PolicyDeclarations(), path: String = "",
    options: GraphOptions = GraphOptions(), now: Date = Date(),
    onPolicyProgress: ((Double) -> Void)? = nil
  ) throws(MigrationError) {
    try self.init(
      source,
      MigrationProgram(step, from: source.modelSource.model, declarations: declarations),
      to: step.destination.source, policies: policies, path: path, options: options, now: now,
      onPolicyProgress: onPolicyProgress)
  }

  /// Finds whatever is missing for a step to run, without a store.
  ///
  /// Policies are created, to see which functions they have, and not called.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - policies: The policies, as above.
  ///   - declarations: What stands in for policies.
  /// - Throws: `MigrationError` with all that is missing.
  package static func check(
    _ step: MigrationStep, policies: [String: any MigrationPolicy.Type] = [:],
    declarations: PolicyDeclarations = PolicyDeclarations()
  ) throws(MigrationError) {
    let program = try MigrationProgram(
      step, from: step.source.source.model, declarations: declarations)
    let found = try Self.policies(policies, of: program)
    let missing = program.mappings.indices.filter { program.mappings[$0].isEager }.flatMap {
      index in
      let policy: any MigrationPolicy = found[index] ?? PlainEntityPolicy()
      return program.missingFunctions(of: index, known: Set(policy.functions.keys))
    }
    if let error = MigrationError(joining: missing) { throw error }
  }

  /// Finds out what keeps a mapping model from running, whatever policies there are.
  ///
  /// - Parameters:
  ///   - model: The mapping model.
  ///   - source: The model that it leads from.
  ///   - destination: The model that it leads to.
  ///   - acceptsDrift: Whether what the models do not have is left out.
  /// - Returns: What is wrong, by entity mapping and property.
  package static func problems(
    of model: MappingModel, from source: Model, to destination: Model, acceptsDrift: Bool
  ) -> [MigrationError] {
    do throws(MigrationError) {
      _ = try MigrationProgram(
        [model], from: source, to: destination, acceptsDrift: acceptsDrift)
      return []
    } catch {
      var first = error
      first.others = []
      return [first] + error.others
    }
  }

  private init(
    _ source: any CoreDataSource, _ program: MigrationProgram, to destination: ModelSource,
    policies: [String: any MigrationPolicy.Type], path: String, options: GraphOptions, now: Date,
    onPolicyProgress: ((Double) -> Void)?
  ) throws(MigrationError) {
    let found = try Self.policies(policies, of: program)
    let state = MigrationState(program, source)
    let run = try MigrationRun(state, found, options, path: path, now: now)
    run.onProgress(onPolicyProgress)
    try run.run()
    self.state = state
    self.now = now
    oldSource = source
    summary = run.summary
    partlyUnread = run.partlyUnread
    modelSource = destination
    entityMappings = program.mappings.count
    var metadata = CoreDataMetadata(of: destination)
    metadata.adoptIdentity(of: source.metadata)
    // What is none stays none, for whoever makes a store of this one.
    metadata.uuid = source.metadata.uuid
    self.metadata = metadata
  }

  /// A policy for each entity mapping that names one, by the index of the entity mapping.
  private static func policies(
    _ policies: [String: any MigrationPolicy.Type], of program: MigrationProgram
  ) throws(MigrationError) -> [Int: any MigrationPolicy] {
    func policy(_ className: String) -> (any MigrationPolicy.Type)? {
      policies[className] ?? policies[className.withoutModule]
    }
    // Nothing runs until all are known to be there.
    let missing = program.policyRequirements.filter { policy($0.className) == nil }
    let errors = missing.map { requirement in
      let others = requirement.uses.count - 1
      return MigrationError(
        .missingPolicy, entityMapping: requirement.uses.first?.entityMapping,
        name: requirement.className
          + (others > 0 ? ", and for \(Words.count(others, "other entity mapping"))" : ""))
    }
    if var error = MigrationError(joining: errors) {
      error.suggestion = PolicyBlocks(missing, of: program).text
      throw error
    }
    var found: [Int: any MigrationPolicy] = [:]
    for (index, mapping) in program.mappings.enumerated() {
      found[index] =
        mapping.declared.map { DeclaredPolicy($0) }
        ?? mapping.policyClassName.flatMap(policy)?.init()
    }
    return found
  }
}

extension MigratedSource {
  package var format: SourceFormat { oldSource.format }
  package var archiver: String { oldSource.archiver }
  package var version: Int64 { oldSource.version }
  package var byteCount: Int { oldSource.byteCount }
  package var residentBytes: Int { oldSource.residentBytes + state.byteCount }
  package var holdsObjectsInValues: Bool { oldSource.holdsObjectsInValues }
  package var ownObjectCount: Int { state.count }
  /// The destination objects, then the objects that are parts of values in the old store.
  package var objectCount: Int { ownObjectCount + oldSource.objectCount - oldSource.ownObjectCount }
  package var valueCount: Int {
    var count = 0
    for index in state.program.mappings.indices {
      unsafe count += state.plain[index].count * state.program.mappings[index].values.count
    }
    for object in unsafe state.made {
      count += state.program.destination.entities[Int(object.entity)].keys.count
    }
    // Each entity mapping may read all links of the old store.
    let links = oldSource.valueCount.multipliedReportingOverflow(by: max(1, entityMappings))
    let sum = count.addingReportingOverflow(links.overflow ? .max : links.partialValue)
    return sum.overflow ? .max : sum.partialValue
  }
  package var roots: [GraphRoot] { [] }
  package var holdsEveryObject: Bool { true }
  /// Computed values are kept as long as `GraphValue.objectsAtHand` asks for.
  package var keepsBytes: Bool { false }
  package var forbiddenCharacters: Int { oldSource.forbiddenCharacters }
  package var losses: [ArchiveError] { oldSource.losses }
  package var lossCount: Int { oldSource.lossCount }
  package var unreadKeys: [UnreadKey: Int] { oldSource.unreadKeys }
  package var leftOut: [StoreRemainder] { oldSource.leftOut }
  package var notes: [StoreNote] { oldSource.notes }

  package func check() throws(ArchiveError) { try oldSource.check() }
  package func explained(_ error: ArchiveError) -> ArchiveError { oldSource.explained(error) }

  package func makeGraph(_ options: GraphOptions) -> any ObjectGraph {
    MigratedGraph(state, options, now: now, source: self)
  }

  /// The entity of a destination object and its number, counted from 1: the store that is made of
  /// it gives keys of its own.
  package func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)? {
    state.entity(of: uid).map {
      (state.program.destination.entities[$0].record.name, Int64(uid) + 1)
    }
  }

  package func makeKeyLookup() -> (_ entity: String, _ key: Int64) -> Int? {
    { [state] entity, key in
      guard key > 0, let uid = Int(exactly: key - 1), let found = state.entity(of: uid),
        state.program.destination.entities[found].record.name == entity
      else { return nil }
      return uid
    }
  }

  /// The object of the old store that a destination object stands for; nil if it stands for none.
  package func oldObject(ofObject uid: Int) -> Int? { state.place(of: uid)?.source }
}
