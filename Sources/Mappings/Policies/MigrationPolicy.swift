import DataModel

/// A function of a policy, which expressions call by its selector.
///
/// - Parameters:
///   - arguments: The values of the arguments. Objects of an archive are given as their rows, those
///     of a store as references: see `MigrationManager.sourceInstances(in:)`.
///   - manager: The run.
/// - Returns: The value; rows are returned as references, too.
public typealias PolicyFunction = (
  _ arguments: [ImportValue], _ manager: MigrationManager
) throws -> ImportValue

/// Steers how the objects of an entity mapping become rows, as `NSEntityMigrationPolicy` does:
/// seven callbacks, in three stages.
///
/// The entity mapping is one of a mapping file, which is run over archives, or one of a mapping
/// model, by which a Core Data store is migrated.
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

  /// The functions that expressions of the entity mapping may call, by their selectors:
  /// `FUNCTION($entityPolicy, "ratingForRating:", rating)`.
  ///
  /// A function that is not there is an error before anything runs.
  var functions: [String: PolicyFunction] { get }

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
  ///   - source: The source instance.
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
}

extension MigrationPolicy {
  /// None.
  public var functions: [String: PolicyFunction] { [:] }

  /// Does nothing.
  public func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {}

  /// Makes one row as the mapping says, if it has a destination entity.
  public func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    guard mapping.destination != nil else { return }
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
}
