import DataModel
import Foundation

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
