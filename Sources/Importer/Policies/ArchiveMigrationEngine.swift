import ArchiveReader
import Foundation

/// The side of a run that policies see: of an import of archives, or of the migration of a store.
final class ArchiveMigrationEngine: MigrationEngine {
  let context: ImportContext
  weak var manager: MigrationManager?
  /// The archives of the pass, as its policies still need them.
  var sessions: [Int64: ImportSession] = [:]
  /// The store that is migrated.
  var storeSession: ImportSession?
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
    guard context.plan.migration != nil else {
      return context.associations.add(source.key, destination.reference, mapping.name)
    }
    do {
      _ = try session(of: source)
      try check(mapping)
      guard context.isThere(destination.reference) else { return }
      context.migrated.associations[mapping.index].add(
        source: source.uid, row: destination.reference)
    } catch {
      context.fail(error)
    }
  }

  func destinationInstances(
    forMapping mappingName: String, sources: [SourceInstance]
  ) -> [DestinationInstance] {
    guard let migration = context.plan.migration, let session = storeSession else {
      return sources.flatMap { context.associations.destinations(of: $0.key, mappingName) }
        .map { context.instance(for: $0) }
    }
    var rows: [RowReference] = []
    for index in migration.mappings(named: mappingName) {
      for source in sources {
        context.answer(orElse: ()) {
          try session.forEachRow(of: source.uid, madeBy: index) { rows.append($0) }
        }
      }
    }
    return rows.map { context.instance(for: $0) }
  }

  func sourceInstances(
    forMapping mappingName: String, destinations: [DestinationInstance]
  ) throws -> [SourceInstance] {
    guard let migration = context.plan.migration, let session = storeSession else {
      return try destinations.flatMap {
        context.associations.sources(of: $0.reference, mappingName)
      }
      .compactMap(source)
    }
    return try migration.mappings(named: mappingName).flatMap { index in
      try destinations.flatMap { try session.sources(of: $0.reference, by: index) }
    }.map { SourceInstance(try session.graph.object($0), of: session) }
  }

  func sourceInstances(in value: ImportValue) throws -> [SourceInstance] {
    if context.plan.migration != nil, let session = storeSession {
      let uids = ObjectHandle.uids(in: value)
      return try (uids.isEmpty ? value.rows.flatMap { try session.sources(of: $0) } : uids)
        .map { SourceInstance(try session.graph.object($0), of: session) }
    }
    return switch value {
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
    if context.plan.migration != nil {
      return try createInstance(of: entity, from: source, mapping, session)
    }
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
    if let migration = context.plan.migration {
      return try relate(destination, mapping, migration)
    }
    let row = context.row(for: destination.reference)
    for source in try sourceInstances(forMapping: mapping.name, destinations: [destination]) {
      let session = try session(of: source)
      try session.reading(source.object, isInHook: false) {
        try session.relate(row, from: source.object, mapping.index)
      }
    }
  }

  // MARK: What a mapping model says

  private func createInstance(
    of entity: Int, from source: SourceInstance, _ mapping: MigrationMapping,
    _ session: ImportSession
  ) throws -> DestinationInstance {
    try check(mapping)
    context.migrated.uses.attributes.insert(mapping.index)
    let row = context.register(
      RowReference(entity: entity, id: context.newRow(entity)), wasFound: false)
    context.migrated.destination = row.reference
    defer { context.migrated.destination = nil }
    try session.fill(row, from: source.object, mapping.index)
    context.migrated.associations[mapping.index].add(source: source.uid, row: row.reference)
    return DestinationInstance(row, wasFound: false)
  }

  private func relate(
    _ destination: DestinationInstance, _ mapping: MigrationMapping, _ migration: MigrationTraits
  ) throws {
    try check(mapping)
    context.migrated.uses.relationships.insert(mapping.index)
    let row = destination.reference
    guard !migration.entities[mapping.index].links.isEmpty, let session = storeSession,
      context.isThere(row), row.entity == context.plan.passes[0].entities[mapping.index].entity
    else { return }
    context.migrated.destination = row
    defer { context.migrated.destination = nil }
    for uid in context.migrated.associations[mapping.index].sources(of: row) {
      try session.relateStaged(row, uid, mapping.index, migration)
    }
  }

  /// Refuses an entity mapping of another run.
  private func check(_ mapping: MigrationMapping) throws(ImportError) {
    guard let migration = context.plan.migration,
      migration.entities.indices.contains(mapping.index),
      migration.entities[mapping.index].info.name == mapping.name
    else { throw ImportError(.otherRun, name: mapping.name) }
  }

  private func session(of source: SourceInstance) throws(ImportError) -> ImportSession {
    guard let session = source.reader as? ImportSession, session.migration === self else {
      if context.plan.migration != nil {
        throw ImportError(.otherRun, name: "\(source.className) \(source.uid)")
      }
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

// The objects of the archive, as policies see them.
extension ImportSession: SourceInstanceReader {
  var sourceNumber: Int64 { archiveID }

  func className(of object: GraphObject) -> String {
    ArchivedName.plain(archivedClass(of: object))
  }

  func number(of object: GraphObject) -> Int64 { graph.source.number(ofObject: object.uid) }

  private func archivedClass(of object: GraphObject) -> String {
    graph.classes[object.class.index].name
  }

  func keys(of object: GraphObject) -> [String] {
    graph.keys(ofShape: object.shape).filter { $0 != "$class" }.map(ArchivedName.plain)
  }

  func value(forKey key: String, of object: GraphObject) throws -> ImportValue {
    if context.plan.migration != nil { return try migratedValue(forKey: key, of: object) }
    let key = ArchivedName.text(key)
    noteRead(key, of: object)
    return try value(forKeyPath: [key], of: object, notes: true)
  }

  func value(forKeyPath path: String, of object: GraphObject) throws -> ImportValue {
    if context.plan.migration != nil {
      let keys = path.split(separator: ".").map(String.init)
      guard let first = keys.first else { return .null }
      return try migrationScope.value(
        forKeys: keys.dropFirst(), of: try migratedValue(forKey: first, of: object))
    }
    let keys = path.unicodeScalars.split(separator: ".").map { ArchivedName.text(String($0)) }
    if let first = keys.first { noteRead(first, of: object) }
    return try value(forKeyPath: keys, of: object, notes: true)
  }

  func objects(forKey key: String, of object: GraphObject) throws -> [GraphObject] {
    if context.plan.migration != nil {
      return try ObjectHandle.uids(in: try migratedValue(forKey: key, of: object))
        .map { try graph.object($0) }
    }
    let key = ArchivedName.text(key)
    noteRead(key, of: object)
    return try graph.objects(under: key, of: object.uid).map { try graph.object($0) }
  }

  /// The value under a key of an object of a store that is migrated.
  private func migratedValue(forKey key: String, of object: GraphObject) throws -> ImportValue {
    guard let value = try storedValue(forKey: key, of: object.uid) else {
      throw ImportError(
        .unknownProperty, name: "\(className(of: object)).\(key)",
        nearest: NearestName.find(key, in: keys(of: object)))
    }
    context.migrated.uses.noteRead(key, ofClass: object.class.index, className(of: object))
    return value
  }

  /// Notes that a policy reads a key.
  func noteRead(_ key: String, of object: GraphObject) {
    migration?.noteRead(key, of: archivedClass(of: object))
  }
}

extension SourceInstance {
  /// Which object of which archive it is.
  var key: SourceKey { SourceKey(reader.sourceNumber, uid) }
}
