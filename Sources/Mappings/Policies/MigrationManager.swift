import DataModel
import Foundation

/// The run, as policies see it: the store under construction, the associations, and what they
/// share.
///
/// It is the same for the import of archives by a mapping file and for the migration of a Core Data
/// store by a mapping model.
public final class MigrationManager {
  /// Whatever policies want to share.
  ///
  /// It stays from pass to pass. Expressions of a mapping model find values in it:
  /// `$manager.userInfo.name`.
  public var userInfo: [String: Any] = [:]
  /// The progress of the policies of all passes, from 0 to 1.
  public private(set) var progress = 0.0
  /// Called when the progress changes.
  package var onProgress: ((Double) -> Void)?
  /// The number of all steps: one for each entity mapping with a policy and stage.
  package var stepCount = 0
  private var steps = 0.0
  private var cancellation: (any Error)?
  private let engine: any MigrationEngine

  package init(_ engine: any MigrationEngine) {
    self.engine = engine
    engine.manager = self
  }

  /// The store under construction.
  public var context: any DestinationContext { engine.destinationContext }

  /// The time that `now()` gives in expressions: the same throughout the run.
  public var now: Date { engine.now }

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
    engine.associate(source: source, with: destination, for: mapping)
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
    engine.destinationInstances(forMapping: mappingName, sources: sources)
  }

  /// The source instances that an entity mapping, of this pass or an earlier one, made rows of.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the entity mapping.
  ///   - destinations: The rows.
  /// - Returns: The source instances, in the order of the rows.
  /// - Throws: `ArchiveError` if the source is damaged there.
  public func sourceInstances(
    forMapping mappingName: String, destinations: [DestinationInstance]
  ) throws -> [SourceInstance] {
    try engine.sourceInstances(forMapping: mappingName, destinations: destinations)
  }

  /// The source instances that a value refers to, or that the rows in it stand for.
  ///
  /// - Parameter value: A value of a source instance, or an argument of a function.
  /// - Returns: The source instances, in the order of the value; values that are no objects are
  ///   left out.
  /// - Throws: `ArchiveError` if the source is damaged there.
  public func sourceInstances(in value: ImportValue) throws -> [SourceInstance] {
    try engine.sourceInstances(in: value)
  }

  // MARK: What the mapping says

  /// Makes the row of a source instance as the mapping says, and associates it.
  ///
  /// - Parameters:
  ///   - source: The source instance.
  ///   - mapping: The entity mapping.
  /// - Returns: The row.
  /// - Throws: `ImportError` if the entity mapping has no destination entity, or an abstract one,
  ///   and what reading and writing throw.
  @discardableResult
  public func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping
  ) throws -> DestinationInstance {
    try engine.createDestinationInstances(forSource: source, in: mapping)
  }

  /// Sets the relationships of a row as the mapping says, from the source instances that it stands
  /// for.
  ///
  /// - Parameters:
  ///   - destination: The row.
  ///   - mapping: The entity mapping.
  /// - Throws: Any error of reading and writing.
  public func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping
  ) throws {
    try engine.createRelationships(forDestination: destination, in: mapping)
  }

  // MARK: Ending early

  /// Ends the run before the next callback; nothing is written.
  ///
  /// - Parameter error: Why.
  public func cancel(_ error: any Error) {
    cancellation = cancellation ?? error
  }

  /// Throws what the run was cancelled for, if it was.
  package func checkCancellation() throws {
    if let cancellation { throw cancellation }
  }

  // MARK: Progress

  /// Notes that a part of a step is done, or all of it.
  package func advance(by part: Double) {
    steps += part
    let reached = min(1, steps / Double(max(1, stepCount)))
    // Each hundredth is enough for anyone who watches.
    guard reached - progress >= 0.01 || reached == 1 && progress < 1 else { return }
    progress = reached
    onProgress?(reached)
  }
}

/// The import, as a `MigrationManager` works with it.
package protocol MigrationEngine: AnyObject {
  /// The manager, as policies know it; not retained.
  var manager: MigrationManager? { get set }
  /// Where rows are made.
  var destinationContext: any DestinationContext { get }
  /// The time that expressions see.
  var now: Date { get }

  func associate(
    source: SourceInstance, with destination: DestinationInstance, for mapping: MigrationMapping)
  func destinationInstances(
    forMapping mappingName: String, sources: [SourceInstance]
  ) -> [DestinationInstance]
  func sourceInstances(
    forMapping mappingName: String, destinations: [DestinationInstance]
  ) throws -> [SourceInstance]
  func sourceInstances(in value: ImportValue) throws -> [SourceInstance]
  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping
  ) throws -> DestinationInstance
  func createRelationships(
    forDestination destination: DestinationInstance, in mapping: MigrationMapping
  ) throws
}
