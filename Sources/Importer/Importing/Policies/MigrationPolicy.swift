import ArchiveReader

/// Steers how the objects of an entity mapping become rows, as `NSEntityMigrationPolicy` does: seven
/// callbacks, in three stages.
///
/// 1. For each entity mapping: `begin`, then `createDestinationInstances` for each source instance,
///    then `endInstanceCreation`.
/// 2. For each entity mapping: `createRelationships` for each destination instance, then
///    `endRelationshipCreation`.
/// 3. For each entity mapping: `performCustomValidation`; then the model's validation; then `end`
///    for each.
///
/// What a callback does unless it is implemented is what the mapping says. An error that one throws
/// ends the run; nothing is written.
public protocol MigrationPolicy: SendableMetatype, AnyObject {
  /// Creates a policy; there is one for each entity mapping and pass.
  init()

  /// Makes ready.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The run.
  /// - Throws: Any error; it ends the run.
  func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws

  /// Makes the rows of a source instance and associates them with it.
  ///
  /// - Parameters:
  ///   - source: An archived object.
  ///   - mapping: The entity mapping.
  ///   - manager: The run.
  /// - Throws: Any error; it ends the run.
  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager)
    throws

  /// Called when all source instances had their turn.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The run.
  /// - Throws: Any error; it ends the run.
  func endInstanceCreation(forMapping mapping: MigrationMapping, manager: MigrationManager) throws

  /// Sets the relationships of a destination instance: called once for each, whatever the number of
  /// source instances that it stands for.
  ///
  /// - Parameters:
  ///   - destination: A row that was associated with a source instance.
  ///   - mapping: The entity mapping.
  ///   - manager: The run.
  /// - Throws: Any error; it ends the run.
  func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping,
    manager: MigrationManager) throws

  /// Called when all destination instances had their turn.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The run.
  /// - Throws: Any error; it ends the run.
  func endRelationshipCreation(forMapping mapping: MigrationMapping, manager: MigrationManager)
    throws

  /// Checks what the model cannot say.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The run.
  /// - Throws: Any error; it ends the run.
  func performCustomValidation(forMapping mapping: MigrationMapping, manager: MigrationManager)
    throws

  /// Cleans up, after the model's validation.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The run.
  /// - Throws: Any error; it ends the run.
  func end(_ mapping: MigrationMapping, manager: MigrationManager) throws

  /// Answers `FUNCTION($entityPolicy, "name:", …)` in a mapping's expressions.
  ///
  /// - Parameters:
  ///   - function: The selector, as the expression gives it.
  ///   - arguments: The values of the arguments.
  ///   - manager: The run.
  /// - Returns: The value; nil if there is no such function.
  /// - Throws: Any error; it ends the run.
  func value(
    of function: String, arguments: [ImportValue], manager: MigrationManager
  ) throws
    -> ImportValue?
}

extension MigrationPolicy {
  /// Does nothing.
  public func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {}

  /// Does what the mapping says.
  public func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    try manager.createDestinationInstances(forSource: source, in: mapping)
  }

  /// Does nothing.
  public func endInstanceCreation(
    forMapping mapping: MigrationMapping, manager: MigrationManager
  ) throws {}

  /// Does what the mapping says.
  public func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping,
    manager: MigrationManager
  ) throws {
    try manager.createRelationships(forDestination: destination, in: mapping)
  }

  /// Does nothing.
  public func endRelationshipCreation(
    forMapping mapping: MigrationMapping, manager: MigrationManager
  ) throws {}

  /// Does nothing.
  public func performCustomValidation(
    forMapping mapping: MigrationMapping, manager: MigrationManager
  ) throws {}

  /// Does nothing.
  public func end(_ mapping: MigrationMapping, manager: MigrationManager) throws {}

  /// Knows no function.
  public func value(
    of function: String, arguments: [ImportValue], manager: MigrationManager
  ) throws -> ImportValue? { nil }
}

/// An entity mapping, as a policy sees it.
public struct MigrationMapping: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// The archived classes whose objects are its source instances.
  public let sourceClassNames: [String]
  /// The entity whose rows they become.
  public let destinationEntityName: String
  /// The name of the pass; nil for the first.
  public let passName: String?
  let number: Int
}
