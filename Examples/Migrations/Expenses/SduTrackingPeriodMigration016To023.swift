import Importer

/// Totals that were doubles become decimals of two digits.
class SduTrackingPeriodMigration016To023: MigrationPolicy {
  private var conversion: ValueConversion?

  required init() {}

  func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
    conversion = try ValueConversion([.decimal(scale: 2, rounding: .halfUp, notFinite: .error)])
  }

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let period = try manager.context.insert(into: mapping.destinationEntityName)
    for key in source.keys where key != "expenseTotal" {
      period[key] = try source.value(forKey: key)
    }
    period["expenseTotal"] = try decimal(from: source.value(forKey: "expenseTotal"))
    manager.associate(source: source, with: period, for: mapping)
  }

  /// A total in two digits.
  ///
  /// A double is rounded in its shortest form, as somebody typed it, and a half away from zero.
  /// What is not finite is an error: there is no text in between, of which a part could get lost.
  func decimal(from value: ImportValue) throws -> ImportValue {
    try conversion?.convert(value).value ?? .null
  }
}
