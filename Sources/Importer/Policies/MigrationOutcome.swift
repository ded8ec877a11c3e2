import ArchiveReader
import Mappings

/// The result of a migration: the fate of source objects.
package struct MigrationOutcome {
  private let session: ImportSession
  /// The number of source objects that each entity mapping was given.
  package private(set) var selected: [Int]
  /// The number of rows that each entity mapping has made and that are there.
  package private(set) var made: [Int]
  /// Of how many source objects each entity mapping has made rows, or its policy others.
  package private(set) var takenCount: [Int]
  /// The numbers of objects, by source entity.
  package let sourceObjects: [String: Int]
  /// The numbers of those that no entity mapping was given.
  package let unmigratedObjects: [String: Int]
  /// The number of rows.
  package let rowCount: Int

  init(_ session: ImportSession, _ migration: MigrationTraits) throws {
    self.session = session
    let migrated = session.context.migrated
    let report = session.context.report
    let visited = report.visitedObjects.compactMapValues { $0.values.max() }
    selected = migrated.selected
    var unmigrated = report.filteredObjects
    for (index, found) in session.graph.classes.enumerated() {
      guard let count = visited[found.name] else { continue }
      let id = ClassID(index: index)
      let mapping = try session.soleMapping(of: id)
      if mapping >= 0 { selected[mapping] += count }
      if case .ignored = try session.plan(of: id) { unmigrated[found.name] = count }
    }
    sourceObjects = visited
    unmigratedObjects = unmigrated
    made = selected
    takenCount = selected
    for (index, entity) in migration.entities.enumerated() where entity.isStaged {
      made[index] = migrated.associations[index].rows.count { !migrated.gone.contains($0) }
      var associations = migrated.associations[index]
      takenCount[index] = associations.sources.count
    }
    let walked = migration.entities.indices.filter { !migration.entities[$0].isStaged }
    let counts = selected
    rowCount = walked.reduce(0) { $0 + counts[$1] } + migrated.madeCount - migrated.gone.count
  }

  /// The acts of policies.
  package var uses: PolicyUses { session.context.migrated.uses }
  /// The number of links replaced by others or left out.
  package var replacedLinks: Int { session.context.migrated.replacedLinks }

  /// True if an entity mapping has made something of an object.
  package func takes(_ uid: Int, _ mapping: Int) throws -> Bool {
    var isTaken = false
    try session.forEachRow(of: uid, madeBy: mapping) { _ in isTaken = true }
    return isTaken
  }

  /// Calls a function with each row that an entity mapping has made of an object.
  package func forEachRow(
    of uid: Int, madeBy mapping: Int, _ body: (RowReference) throws -> Void
  ) throws {
    try session.forEachRow(of: uid, madeBy: mapping, body)
  }

  /// Calls a function with each object of which an entity mapping has made something.
  package func forEachSource(of mapping: Int, _ body: (Int) throws -> Void) throws {
    try session.forEachSource(of: mapping, body)
  }
}

extension ImportRun {
  /// The result of a migration; nil for an import of archives.
  package func migrationOutcome() throws -> MigrationOutcome? {
    try plan.migration.flatMap { migration in
      try storeSession.map { try MigrationOutcome($0, migration) }
    }
  }
}
