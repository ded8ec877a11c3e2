import Importer

/// Each event becomes an event with its date as a text.
final class StepOneEntityMigrationPolicy: MigrationPolicy {
  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let event = try manager.context.insert(into: mapping.destinationEntityName)
    // Those of the machine would give another text on the next one.
    let printing = try ValueConversion([
      .dateText(
        form: .styles(date: .medium, time: .medium), locale: "en_US", timeZone: "UTC")
    ])
    event["printedDate"] = try printing.convert(source.value(forKey: "timeStamp")).value
    manager.associate(source: source, with: event, for: mapping)
  }
}
