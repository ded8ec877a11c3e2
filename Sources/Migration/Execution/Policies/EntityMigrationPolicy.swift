import DataModel

/// A function of a policy that expressions call by its selector.
///
/// It is given the values of the arguments, in which objects are references: see
/// `StoreMigrationManager.sourceObjects(in:)`. Objects are returned as references, too.
public typealias EntityPolicyFunction = (
  _ arguments: [ImportValue], _ manager: StoreMigrationManager
) throws -> ImportValue

/// Steers how the objects of an entity mapping are migrated, as `NSEntityMigrationPolicy` does: seven
/// callbacks, in three stages.
///
/// 1. For each entity mapping, in the order of the mapping model: `begin`, then
///    `createDestinationInstances` for each source object, then `endInstanceCreation`.
/// 2. For each entity mapping: `createRelationships` for each destination object, then
///    `endRelationshipCreation`.
/// 3. For each entity mapping: `performCustomValidation`, then `end`.
///
/// What a callback does unless it is implemented is what Core Data does. An error that one throws ends
/// the migration.
///
/// Entity mappings without a policy are not run one after the other: what they make is known before
/// the first policy begins.
public protocol EntityMigrationPolicy: SendableMetatype, AnyObject {
  /// Creates a policy; there is one for each entity mapping.
  init()

  /// The functions that expressions of the entity mapping may call, by their selectors:
  /// `FUNCTION($entityPolicy, "ratingForRating:", $source.rating)`.
  ///
  /// Each is called once for each object and property.
  var functions: [String: EntityPolicyFunction] { get }

  /// Makes ready.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration.
  /// - Throws: Any error; it ends the migration.
  func begin(_ mapping: StoreEntityMapping, manager: StoreMigrationManager) throws

  /// Makes what becomes of a source object, and associates it with it.
  ///
  /// - Parameters:
  ///   - source: The source object.
  ///   - mapping: The entity mapping.
  ///   - manager: The migration.
  /// - Throws: Any error; it ends the migration.
  func createDestinationInstances(
    forSource source: SourceObject, in mapping: StoreEntityMapping, manager: StoreMigrationManager
  ) throws

  /// Called when all source objects have been migrated.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration.
  /// - Throws: Any error; it ends the migration.
  func endInstanceCreation(forMapping mapping: StoreEntityMapping, manager: StoreMigrationManager)
    throws

  /// Sets the relationships of a destination object that was associated by the entity mapping: called
  /// once for each, however many source objects it stands for.
  ///
  /// - Parameters:
  ///   - destination: The destination object.
  ///   - mapping: The entity mapping.
  ///   - manager: The migration.
  /// - Throws: Any error; it ends the migration.
  func createRelationships(
    forDestination destination: DestinationObject, in mapping: StoreEntityMapping,
    manager: StoreMigrationManager) throws

  /// Called when the relationships of all destination objects have been set.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration.
  /// - Throws: Any error; it ends the migration.
  func endRelationshipCreation(
    forMapping mapping: StoreEntityMapping, manager: StoreMigrationManager) throws

  /// Checks what the model cannot say.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration.
  /// - Throws: Any error; it ends the migration.
  func performCustomValidation(
    forMapping mapping: StoreEntityMapping, manager: StoreMigrationManager) throws

  /// Cleans up.
  ///
  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - manager: The migration.
  /// - Throws: Any error; it ends the migration.
  func end(_ mapping: StoreEntityMapping, manager: StoreMigrationManager) throws
}

extension EntityMigrationPolicy {
  /// None.
  public var functions: [String: EntityPolicyFunction] { [:] }

  /// Does nothing.
  public func begin(_ mapping: StoreEntityMapping, manager: StoreMigrationManager) throws {}

  /// Makes one object by what the mapping model says of its attributes, and associates it.
  public func createDestinationInstances(
    forSource source: SourceObject, in mapping: StoreEntityMapping, manager: StoreMigrationManager
  ) throws {
    try manager.createDestinationInstances(forSource: source, in: mapping)
  }

  /// Does nothing.
  public func endInstanceCreation(
    forMapping mapping: StoreEntityMapping, manager: StoreMigrationManager
  ) throws {}

  /// Sets the relationships by what the mapping model says of them.
  public func createRelationships(
    forDestination destination: DestinationObject, in mapping: StoreEntityMapping,
    manager: StoreMigrationManager
  ) throws {
    try manager.createRelationships(forDestination: destination, in: mapping)
  }

  /// Does nothing.
  public func endRelationshipCreation(
    forMapping mapping: StoreEntityMapping, manager: StoreMigrationManager
  ) throws {}

  /// Does nothing.
  public func performCustomValidation(
    forMapping mapping: StoreEntityMapping, manager: StoreMigrationManager
  ) throws {}

  /// Does nothing.
  public func end(_ mapping: StoreEntityMapping, manager: StoreMigrationManager) throws {}
}

/// The policy of entity mappings that name none, but have values that are computed once.
final class PlainEntityPolicy: EntityMigrationPolicy {
  init() {}
}
