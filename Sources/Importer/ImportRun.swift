import ArchiveReader
import Stores
import Support

/// Writes the rows of archives into a store, pass by pass.
package struct ImportRun {
  package let plan: ImportPlan
  private let extensions: ImportExtensions
  private let library: GraphLibrary
  private let store: StoreWriter
  package let context: ImportContext
  private let migration: ArchiveMigrationEngine
  /// The store that is migrated.
  var storeSession: ImportSession? { migration.storeSession }
  private let manager: MigrationManager
  private var pass = ImportPlan.Pass(classes: [:])
  private var writesTopLevel = true
  /// Writes archives that become nothing but plain rows, one after the other.
  private var plainImporter: ArchiveImporter?
  /// What an importer before that one has written since counts were taken, and the profile of what
  /// it or a session has.
  private var earlierCounts: ImportCounts?
  private var earlierProfile: SchemaProfile?
  /// The archives of the pass, where its policies still need them.
  private var sessions: [ImportSession] = []
  private var stages: [PolicyStages] = []
  /// Counts the objects that have their turn, again in each archive.
  package var ticker = ObjectTicker(nil)
  /// Whether the profile of archives is taken while their rows are written: see `takeProfile`.
  package var takesProfile = false

  /// Makes ready for a store and what it holds already.
  ///
  /// The plan was made with the same hooks.
  package init(
    _ plan: ImportPlan, _ extensions: ImportExtensions, _ store: StoreWriter,
    _ known: StoreContent, isAppending: Bool, library: GraphLibrary
  ) {
    (self.plan, self.extensions) = (plan, extensions)
    self.library = library
    self.store = store
    let lookUps =
      plan.migration == nil
      && plan.passes.contains { pass in
        pass.entities.contains { $0.policy != nil || $0.asksForRows }
      }
    context = ImportContext(
      plan, store, lastIDs: known.lastIDs, isAppending: isAppending,
      keepsAssociations: lookUps || plan.passes.count > 1, keepsSources: lookUps)
    migration = ArchiveMigrationEngine(context)
    manager = MigrationManager(migration)
    context.lastCollection = known.lastCollection
    manager.stepCount = plan.passes.reduce(0) { count, pass in
      count + 3 * pass.entities.count { $0.policy != nil }
    }
  }

  /// Called with the progress of policies, from 0 to 1.
  package func onProgress(_ body: @escaping (Double) -> Void) { manager.onProgress = body }

  /// Begins a pass.
  package mutating func begin(pass index: Int, of count: Int) {
    pass = plan.passes[index]
    // Top-level keys may lead to rows of any pass.
    writesTopLevel = index == count - 1
    sessions = []
    (plainImporter, earlierCounts, earlierProfile) = (nil, nil, nil)
  }

  /// Writes what the pass makes of an archive; returns what was written of plain rows.
  package mutating func importArchive(
    _ archive: any GraphSource, id: Int64, path: String
  ) throws -> ImportCounts {
    try Self.abandoning(context) { try write(archive, id, path) }
  }

  private mutating func write(
    _ archive: any GraphSource, _ id: Int64, _ path: String
  ) throws -> ImportCounts {
    guard pass.needsSession || plan.migration != nil else {
      try writePlainRows(of: archive, id: id, path: path)
      return takeCounts()
    }
    context.associations.begin(archive: id, objectCount: archive.objectCount)
    let session = ImportSession(
      archive, id: id, path: path, pass: pass, context, extensions, library: library,
      takesProfile: takesProfile)
    session.ticker = ticker
    session.migration = migration
    defer {
      session.ticker.end()
      session.dropSpareCoders()
    }
    context.session = session
    context.links.advance(to: context.lastIDs)
    if takesProfile { session.observe() }
    try session.run(writesTopLevel: writesTopLevel)
    if let migration = plan.migration {
      let stages = PolicyStages(pass, self.migration, manager, [session])
      try stages.run(migration, in: session)
      self.stages.append(stages)
    }
    if takesProfile { session.ticker.share = 1 }
    session.profile?.endArchive(session.graph)
    earlierProfile = session.profile.take()?.finish()
    try context.endTurn()
    session.reportUnread { [plan] name in
      plan.entityPlans(of: name).reduce(into: []) { $0.formUnion($1.unread) }
    }
    try session.writeRanges(after: session.firstIDs)
    context.session = nil
    session.noteLastRows()
    let counts = session.takeCounts(&context.report)
    session.keepOrigins(resolved: session.resolvedRows)
    if pass.entities.contains(where: { $0.policy != nil }) {
      sessions.append(session)
      migration.sessions[id] = session
    }
    return counts
  }

  /// Writes the rows of an archive in a pass that makes nothing but plain rows; see `takeCounts`.
  package mutating func writePlainRows(of archive: any GraphSource, id: Int64, path: String) throws
  {
    // What the importer has learned holds for the next archive too.
    if plainImporter?.reset(to: archive, id: id, path: path) != true {
      if plainImporter != nil {
        earlierCounts = takeCounts()
        earlierProfile = takesProfile ? takeProfile() : nil
      }
      plainImporter = ArchiveImporter(
        archive, id: id, path: path, pass: pass, context, isReused: true, takesProfile: takesProfile
      )
    }
    do {
      try plainImporter?.runPlain(
        writesTopLevel: writesTopLevel, takesProfile: takesProfile, ticker)
    } catch {
      plainImporter = nil
      throw error
    }
  }

  /// Whether nothing but plain rows is written, and nothing is noticed that only the whole run
  /// shows.
  package var writesNothingButPlainRows: Bool { !plan.validates && !pass.needsSession }

  /// What was written of plain rows since the last time.
  package mutating func takeCounts() -> ImportCounts {
    let earlier = earlierCounts.take()
    var counts =
      plainImporter?.takeCounts(&context.report)
      ?? ImportCounts(entityCount: plan.layout.entities.count)
    if let earlier { counts.add(earlier) }
    return counts
  }

  /// The profile of the archives that were written since the last time.
  package mutating func takeProfile() -> SchemaProfile {
    let later = plainImporter?.profile.take()?.finish()
    guard var profile = earlierProfile.take() else { return later ?? SchemaProfile() }
    if let later { profile.merge(later) }
    return profile
  }

  /// Calls the policies of the pass, now that all archives were read.
  package mutating func endPass() throws {
    guard plan.migration == nil, pass.entities.contains(where: { $0.policy != nil }) else { return }
    let stages = PolicyStages(pass, migration, manager, sessions)
    try Self.abandoning(context) { try stages.run() }
    self.stages.append(stages)
  }

  /// The third stage, over the rows of all passes.
  package func finish() throws {
    guard plan.validates else { return }
    try Self.abandoning(context) {
      for stage in stages { try stage.validate() }
      try context.finish()
      for stage in stages { try stage.end() }
      try context.flush()
    }
  }

  /// Rows that are pending when a run fails would keep the context, and it the store.
  private static func abandoning<R>(
    _ context: ImportContext, _ body: () throws -> R
  ) rethrows -> R {
    do {
      return try body()
    } catch {
      context.abandon()
      throw error
    }
  }
}

extension ArchiveImporter {
  /// Writes all of an archive that becomes nothing but plain rows.
  fileprivate func runPlain(
    writesTopLevel: Bool, takesProfile: Bool, _ ticker: ObjectTicker
  ) throws {
    self.ticker = ticker
    defer { self.ticker.end() }
    let firstIDs = context.lastIDs
    if takesProfile { observe() }
    try run(writesTopLevel: writesTopLevel)
    if takesProfile { self.ticker.share = 1 }
    profile?.endArchive(graph)
    try writeRanges(after: firstIDs)
    if plan.validates { context.noteOneSidedLinks(archive: path) }
    noteLastRows()
    keepOrigins(resolved: nil)
  }

  /// Lets a profile go along from now on.
  fileprivate func observe() {
    if profile == nil { profile = SchemaProfiler(observing: graph.source, plan.limits) }
  }

  /// Tells the context what the ids of the next rows come after.
  fileprivate func noteLastRows() {
    context.lastIDs = rows.lastIDs
    context.lastCollection = unownedCollections.lastRow
  }

  /// Keeps what leads from the rows of the archive back to its objects.
  fileprivate func keepOrigins(resolved: ResolvedRows?) {
    guard plan.validates else { return }
    let store = graph.source.holdsEveryObject ? graph.source : nil
    context.origins.add(
      RowOriginIndex.Origins(rows: rows, resolved: resolved, store: store), ofArchive: path)
  }
}

extension ValueSource {
  /// Whether it calls functions of the manager or of a policy.
  var callsFunctions: Bool {
    if case .expression(let expression) = self { !expression.functions.isEmpty } else { false }
  }
}
