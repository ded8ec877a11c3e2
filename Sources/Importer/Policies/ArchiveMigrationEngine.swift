import ArchiveReader
import Foundation

/// What policies do in an import of archives.
final class ArchiveMigrationEngine: MigrationEngine {
  let context: ImportContext
  weak var manager: MigrationManager?
  /// The archives of the pass, as its policies still need them.
  var sessions: [Int64: ImportSession] = [:]
  /// What policies read of archived objects, key by key.
  private(set) var readKeys: Set<ImportFindings.ClassKey> = []

  init(_ context: ImportContext) {
    self.context = context
  }

  var destinationContext: any DestinationContext { context }
  var now: Date { context.now }

  // MARK: Associations

  func associate(
    source: SourceInstance, with destination: DestinationInstance, for mapping: MigrationMapping
  ) {
    context.associations.add(source.key, destination.reference, mapping.name)
  }

  func destinationInstances(
    forMapping mappingName: String, sources: [SourceInstance]
  ) -> [DestinationInstance] {
    sources.flatMap { context.associations.destinations(of: $0.key, mappingName) }
      .map { context.instance(for: $0) }
  }

  func sourceInstances(
    forMapping mappingName: String, destinations: [DestinationInstance]
  ) throws -> [SourceInstance] {
    try destinations.flatMap { context.associations.sources(of: $0.reference, mappingName) }
      .compactMap(source)
  }

  func sourceInstances(in value: ImportValue) throws -> [SourceInstance] {
    switch value {
    case .row(let row): try context.associations.sources(of: row).compactMap(source)
    case .list(let values), .set(let values): try values.flatMap(sourceInstances(in:))
    default: []
    }
  }

  private func source(_ key: SourceKey) throws(ArchiveError) -> SourceInstance? {
    guard let session = sessions[key.archive] else { return nil }
    return SourceInstance(try session.graph.object(key.uid), of: session)
  }

  // MARK: What the mapping says

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping
  ) throws -> DestinationInstance {
    let entity = try context.entityIndex(mapping.destinationEntityName)
    let session = try session(of: source)
    let row: RowInstance
    if let found = session.foundRow(source.uid, mapping.index) {
      row = context.register(found, wasFound: true)
    } else {
      row = context.insert(into: entity)
    }
    try session.fill(row, from: source.object, mapping.index)
    let instance = DestinationInstance(row, wasFound: row.wasFound)
    associate(source: source, with: instance, for: mapping)
    return instance
  }

  func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping
  ) throws {
    let row = context.row(for: destination.reference)
    for source in try sourceInstances(forMapping: mapping.name, destinations: [destination]) {
      let session = try session(of: source)
      try session.reading(source.object, isInHook: false) {
        try session.relate(row, from: source.object, mapping.index)
      }
    }
  }

  private func session(of source: SourceInstance) throws(ImportError) -> ImportSession {
    guard let session = source.reader as? ImportSession, session.migration === self else {
      throw ImportError(.otherRun, name: "\(source.uid) (\(source.className))")
    }
    return session
  }

  // MARK: Bookkeeping

  /// Notes that a policy read a key.
  func noteRead(_ key: String, of className: String) {
    readKeys.insert(ImportFindings.ClassKey(className: className, key: key))
  }
}
