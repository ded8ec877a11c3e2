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

/// An entity mapping, of a mapping file or of a mapping model, as a policy sees it.
public struct MigrationMapping: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// The classes whose objects are its source instances, as they are archived; of a mapping model
  /// the source entity, if it has one.
  public let sourceClassNames: [String]
  /// The name of the pass; nil for the first one, and in a mapping model.
  public let passName: String?
  /// The values that the author of a mapping model left for the policy, by key; collections are
  /// left out.
  public let userInfo: [String: ImportValue]
  /// The entity whose rows they become, if there is one.
  package let destination: String?
  /// Its place in its pass, or in the mapping model.
  package let index: Int

  package init(
    name: String, sourceClassNames: [String], destination: String?,
    passName: String? = nil, userInfo: [String: ImportValue] = [:], index: Int
  ) {
    self.name = name
    self.sourceClassNames = sourceClassNames
    self.destination = destination
    self.passName = passName
    self.userInfo = userInfo
    self.index = index
  }

  /// The entity whose rows the source instances become.
  ///
  /// - Throws: `ImportError` if there is none: a mapping model can leave objects behind.
  public var destinationEntityName: String {
    get throws(ImportError) {
      guard let destination else { throw ImportError(.noDestination, name: name) }
      return destination
    }
  }
}
