import Importer

/// Each event becomes an event with its date as a text.
final class StepOneEntityMigrationPolicy: MigrationPolicy {
  private var printing: ValueConversion?

  func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
    // Locale and time zone of the machine would give another text on the next one.
    printing = try ValueConversion([
      .dateText(
        form: .styles(date: .medium, time: .medium), locale: "en_US", timeZone: "UTC")
    ])
  }

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let event = try manager.context.insert(into: mapping.destinationEntityName)
    event["printedDate"] = try printing?.convert(source.value(forKey: "timeStamp")).value ?? .null
    manager.associate(source: source, with: event, for: mapping)
  }
}
