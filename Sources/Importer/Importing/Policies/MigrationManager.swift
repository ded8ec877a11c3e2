import ArchiveReader

/// The run, as policies see it: the store, the associations, and what they share.
public final class MigrationManager {
  /// The store under construction.
  public let context: ImportContext
  /// Whatever policies want to share; it stays from pass to pass.
  public var userInfo: [String: Any] = [:]
  /// How far the policies of all passes are: from 0 to 1.
  public private(set) var progress = 0.0
  /// Called when the progress changes.
  var onProgress: ((Double) -> Void)?
  var sessions: [Int64: ImportSession] = [:]
  /// How many steps there are in all: one for each entity mapping with a policy and stage.
  var stepCount = 0
  private var steps = 0.0
  /// What policies read of archived objects, key by key.
  private(set) var readKeys: Set<ImportFindings.ClassKey> = []
  private var cancellation: (any Error)?

  init(_ context: ImportContext) {
    self.context = context
  }

  // MARK: Associations

  /// Says that a row stands for a source instance.
  ///
  /// - Parameters:
  ///   - source: The source instance.
  ///   - destination: The row.
  ///   - mapping: The entity mapping.
  public func associate(
    source: SourceInstance, with destination: DestinationInstance, for mapping: MigrationMapping
  ) {
    context.associations.add(source.key, destination.reference, mapping.name)
  }

  /// The rows that an entity mapping, of this pass or an earlier one, made of source instances.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the entity mapping.
  ///   - sources: The source instances.
  /// - Returns: The rows, in the order of the source instances.
  public func destinationInstances(
    forMapping mappingName: String, sources: [SourceInstance]
  ) -> [DestinationInstance] {
    sources.flatMap { context.associations.destinations(of: $0.key, mappingName) }
      .map { context.instance(for: $0) }
  }

  /// The source instances that an entity mapping, of this pass or an earlier one, made rows of.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the entity mapping.
  ///   - destinations: The rows.
  /// - Returns: The source instances, in the order of the rows.
  /// - Throws: `ArchiveError` if the archive is damaged there.
  public func sourceInstances(
    forMapping mappingName: String, destinations: [DestinationInstance]
  ) throws -> [SourceInstance] {
    try destinations.flatMap { context.associations.sources(of: $0.reference, mappingName) }
      .compactMap { key in
        guard let session = sessions[key.archive] else { return nil }
        return SourceInstance(
          session: session, object: try session.importer.graph.object(key.uid))
      }
  }

  // MARK: What the mapping says

  /// Makes the row of a source instance as the mapping says, and associates it.
  ///
  /// - Parameters:
  ///   - source: The source instance.
  ///   - mapping: The entity mapping.
  /// - Returns: The row.
  /// - Throws: `ArchiveError`, `StoreError`.
  @discardableResult
  public func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping
  ) throws -> DestinationInstance {
    let session = source.session
    let instance: DestinationInstance
    if let row = session.foundRow(source.uid, mapping.number) {
      instance = context.register(row, wasFound: true)
    } else {
      instance = try context.insert(into: mapping.destinationEntityName)
    }
    try session.fill(instance, from: source.object, mapping.number)
    associate(source: source, with: instance, for: mapping)
    return instance
  }

  /// Sets the relationships of a row as the mapping says, from the source instances that it stands
  /// for.
  ///
  /// - Parameters:
  ///   - destination: The row.
  ///   - mapping: The entity mapping.
  /// - Throws: `ArchiveError`, `StoreError`.
  public func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping
  ) throws {
    for source in try sourceInstances(forMapping: mapping.name, destinations: [destination]) {
      try source.session.reading(source.object, isInHook: false) {
        try source.session.relate(destination, from: source.object, mapping.number)
      }
    }
  }

  // MARK: Ending early

  /// Ends the run before the next callback; nothing is written.
  ///
  /// - Parameter error: Why.
  public func cancel(_ error: any Error) {
    cancellation = cancellation ?? error
  }

  func checkCancellation() throws {
    if let cancellation { throw cancellation }
  }

  // MARK: Bookkeeping

  /// Notes that a part of a step is done, or all of it.
  func advance(by part: Double) {
    steps += part
    let reached = min(1, steps / Double(max(1, stepCount)))
    // Each hundredth is enough for anyone who watches.
    guard reached - progress >= 0.01 || reached == 1 && progress < 1 else { return }
    progress = reached
    onProgress?(reached)
  }

  /// Notes that a policy read a key.
  func noteRead(_ key: String, of className: String) {
    readKeys.insert(ImportFindings.ClassKey(className: className, key: key))
  }
}
