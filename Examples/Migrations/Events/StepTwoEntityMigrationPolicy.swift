import Importer

/// Each event becomes an event with the seconds since 1970.
final class StepTwoEntityMigrationPolicy: MigrationPolicy {
  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let event = try manager.context.insert(into: mapping.destinationEntityName)
    if case .date(let date) = try source.value(forKey: "timeStamp") {
      event["timeStamp"] = .real(date.timeIntervalSince1970)
    }
    manager.associate(source: source, with: event, for: mapping)
  }
}
