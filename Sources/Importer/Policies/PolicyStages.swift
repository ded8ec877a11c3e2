import ArchiveReader

/// Calls the policies of a pass, stage by stage: see `MigrationPolicy`.
struct PolicyStages {
  private let migration: ArchiveMigrationEngine
  private let manager: MigrationManager
  private let entries: [Entry]
  private let sessions: [ImportSession]

  private struct Entry {
    var mapping: MigrationMapping
    var policy: any MigrationPolicy
    var functions: [String: PolicyFunction]

    /// What the policy threw, with all names.
    func failure(_ callback: String, _ error: any Error) -> PolicyFailure {
      error as? PolicyFailure
        ?? PolicyFailure(of: policy, mapping: mapping.name, callback: callback, error: error)
    }
  }

  /// Makes the policies of a pass, whose archives have all been read.
  init(
    _ pass: ImportPlan.Pass, _ migration: ArchiveMigrationEngine, _ manager: MigrationManager,
    _ sessions: [ImportSession]
  ) {
    self.migration = migration
    self.manager = manager
    self.sessions = sessions
    entries = pass.entities.enumerated().compactMap { index, plan in
      guard let policy = plan.policy?() else { return nil }
      return Entry(
        mapping: migration.context.plan.migration?.entities[index].info
          ?? MigrationMapping(
            name: plan.name, sourceClassNames: plan.sources,
            destination: migration.context.entities[plan.entity].name,
            passName: pass.name, index: index), policy: policy, functions: policy.functions)
    }
  }

  /// Stages 1 and 2: instances, then relationships.
  func run() throws {
    for entry in entries {
      try call(entry, "begin") { try entry.policy.begin(entry.mapping, manager: manager) }
      for session in sessions { try createInstances(entry, session) }
      try call(entry, "endInstanceCreation") {
        try entry.policy.endInstanceCreation(forMapping: entry.mapping, manager: manager)
      }
    }
    for entry in entries {
      var seen: Set<RowReference> = []
      for session in sessions { try createRelationships(entry, session, &seen) }
      try call(entry, "endRelationshipCreation") {
        try entry.policy.endRelationshipCreation(forMapping: entry.mapping, manager: manager)
      }
    }
  }

  /// Stages 1 and 2 of a migration, in the turn of the store.
  func run(_ traits: MigrationTraits, in session: ImportSession) throws {
    let context = migration.context
    context.migrated.walkedIDs = session.rows.lastIDs
    migration.storeSession = session
    defer { session.policyFunctions = [:] }
    for entry in entries {
      session.policyFunctions = entry.functions
      try calling(entry, "begin") {
        try entry.policy.begin(entry.mapping, manager: manager)
      }
      let sources = context.migrated.sources[entry.mapping.index]
      for uid in sources {
        let object = try session.graph.object(Int(uid))
        try session.reading(object, isInHook: true) {
          try calling(entry, "createDestinationInstances") {
            try entry.policy.createDestinationInstances(
              forSource: SourceInstance(object, of: session), in: entry.mapping, manager: manager)
          }
        }
        manager.advance(by: 1 / Double(sources.count))
      }
      if sources.isEmpty { manager.advance(by: 1) }
      try calling(entry, "endInstanceCreation") {
        try entry.policy.endInstanceCreation(forMapping: entry.mapping, manager: manager)
      }
    }
    for index in traits.entities.indices {
      guard let entry = entries.first(where: { $0.mapping.index == index }) else {
        try session.relateWalked(index, traits)
        continue
      }
      session.policyFunctions = entry.functions
      let rows = context.migrated.associations[index].rows
      for row in rows {
        manager.advance(by: 1 / Double(rows.count))
        guard !context.migrated.gone.contains(row) else { continue }
        try calling(entry, "createRelationships") {
          try entry.policy.createRelationships(
            forDestination: context.instance(for: row), in: entry.mapping, manager: manager)
        }
      }
      if rows.isEmpty { manager.advance(by: 1) }
      try calling(entry, "endRelationshipCreation") {
        try entry.policy.endRelationshipCreation(forMapping: entry.mapping, manager: manager)
      }
    }
  }

  /// Calls a policy in a migration: what cannot be done ends it at once.
  private func calling(
    _ entry: Entry, _ callback: String, _ body: () throws -> Void
  ) throws {
    let context = migration.context
    do {
      try manager.checkCancellation()
      try body()
      if let failure = context.storeFailure { throw failure }
      try manager.checkCancellation()
    } catch let error as MigrationError {
      throw error.placed(in: entry.mapping.name)
    } catch let error where !(error is StoreError || error is ArchiveError) {
      throw entry.failure(callback, error)
    }
    if context.session == nil { try context.endTurn() } else { try context.flush() }
  }

  /// The first half of stage 3, before the model's validation.
  func validate() throws {
    for entry in entries {
      try call(entry, "performCustomValidation") {
        try entry.policy.performCustomValidation(forMapping: entry.mapping, manager: manager)
      }
      manager.advance(by: 0.5)
    }
  }

  /// The second half, after it.
  func end() throws {
    for entry in entries {
      try call(entry, "end") { try entry.policy.end(entry.mapping, manager: manager) }
      manager.advance(by: 0.5)
    }
    for key in migration.readKeys { migration.context.report.unreadKeys[key] = nil }
  }

  /// A turn of a session with each object that an entity mapping takes, as a part of a step.
  private func forEachSource(
    of entry: Entry, in session: ImportSession, _ body: (GraphObject) throws -> Void
  ) throws {
    let sources = session.policySources.filter { $0.plan == entry.mapping.index }
    let part = 1 / Double(sessions.count) / Double(max(1, sources.count))
    try session.turn {
      session.policyFunctions = entry.functions
      defer { session.policyFunctions = [:] }
      for source in sources {
        let object = try session.graph.object(source.uid)
        try session.reading(object, isInHook: true) { try body(object) }
        manager.advance(by: part)
      }
    }
    if sources.isEmpty { manager.advance(by: part) }
  }

  /// Calls a policy; what it throws, or cancels the run for, is told with its name.
  private func call(_ entry: Entry, _ callback: String, _ body: () throws -> Void) throws {
    if migration.storeSession != nil { return try calling(entry, callback, body) }
    do {
      try manager.checkCancellation()
      try body()
    } catch let error where !(error is StoreError) {
      throw entry.failure(callback, error)
    }
    // Outside of the turns of archives, what was said is written at once.
    let context = migration.context
    if context.session == nil { try context.endTurn() } else { try context.flush() }
    do {
      try manager.checkCancellation()
    } catch {
      throw entry.failure(callback, error)
    }
  }

  /// Calls a policy for one object: what it throws is listed with the object.
  private func call(
    _ entry: Entry, _ callback: String, in session: ImportSession, _ body: () throws -> Void
  ) throws {
    try call(entry, callback) {
      do {
        try body()
      } catch let error where !(error is ArchiveError || error is StoreError) {
        migration.context.report.add(
          ValidationError(
            .policyFailed, entity: entry.mapping.destination,
            detail: "\(type(of: entry.policy)): \(ImportError.words(of: error))"),
          at: session.location)
        throw error
      }
    }
  }

  private func createInstances(_ entry: Entry, _ session: ImportSession) throws {
    let context = migration.context
    try forEachSource(of: entry, in: session) { object in
      let source = SourceInstance(object, of: session)
      let handedOut = try session.handedOut(source.uid, entry.mapping.index)
      let isFound = session.foundRow(source.uid, entry.mapping.index) != nil
      // A row that is there already is not for the policy to insert.
      context.handedOut = isFound ? nil : handedOut
      defer { context.handedOut = nil }
      try call(entry, "createDestinationInstances", in: session) {
        try entry.policy.createDestinationInstances(
          forSource: source, in: entry.mapping, manager: manager)
      }
      let made = context.associations.destinations(of: source.key, entry.mapping.name)
      if made.isEmpty, context.handedOut == nil, !isFound {
        context.report.add(
          ValidationError(.notAssociated, entity: entry.mapping.destination),
          at: session.location)
        return
      } else if made.isEmpty,
        context.earlierRows(of: source.uid, archive: session.archiveID).isEmpty
      {
        context.report.filteredObjects[source.className, default: 0] += 1
      }
      for row in made { try session.noteOrigin(of: row, object) }
      guard !isFound else { return }
      // Others mean the row of the mapping's entity when they refer to the object.
      let row = made.first { context.plan.hierarchy.isKind($0.entity, of: handedOut.entity) }
      let table = context.entities[handedOut.entity].table
      if row == nil, let other = made.first(where: { context.entities[$0.entity].table == table }) {
        context.report.add(
          ValidationError(
            .policyFailed, entity: entry.mapping.destination,
            detail: "\(type(of: entry.policy)): references to the object are to rows of this "
              + "entity, but it created one of '\(context.entities[other.entity].name)'"),
          at: session.location)
        return
      }
      session.replace(handedOut, by: row)
    }
  }

  private func createRelationships(
    _ entry: Entry, _ session: ImportSession, _ seen: inout Set<RowReference>
  ) throws {
    let context = migration.context
    try forEachSource(of: entry, in: session) { object in
      let key = SourceKey(session.archiveID, object.uid)
      for row in context.associations.destinations(of: key, entry.mapping.name)
      where seen.insert(row).inserted {
        try call(entry, "createRelationships", in: session) {
          try entry.policy.createRelationships(
            forDestination: context.instance(for: row), in: entry.mapping, manager: manager)
        }
      }
    }
  }
}

extension ImportSession {
  /// Gives the archive another turn, after others had theirs.
  func turn(_ body: () throws -> Void) throws {
    rows.resume(after: context.lastIDs)
    unownedCollections.resume(after: context.lastCollection)
    firstIDs = context.lastIDs
    context.session = self
    context.links.advance(to: context.lastIDs)
    context.store.keep(graph.source)
    try body()
    try context.endTurn()
    while let collection = unownedCollections.takeNext() { try writeFound(collection) }
    try writeRanges(after: firstIDs)
    context.lastIDs = rows.lastIDs
    context.lastCollection = unownedCollections.lastRow
    context.session = nil
  }

  /// Writes a collection inside of another that a policy was the first to come upon.
  private func writeFound(_ collection: UnownedCollections.Entry) throws {
    try writeUnownedRow(collection)
    let elements = try graph.elements(of: collection.id, collection.kind)
    for position in 0..<elements.count {
      try writeUnownedElement(try mappedElement(elements, position), position, of: collection)
    }
  }
}
