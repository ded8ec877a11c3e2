import Importer

/// Amounts that were texts become decimals.
final class StringAmountToDecimalAmountPolicy: MigrationPolicy {
  private var conversion: ValueConversion?

  func begin(_ mapping: MigrationMapping, manager: MigrationManager) throws {
    // "5元" and "1,234.5" are errors: what only begins with a number is none.
    conversion = try ValueConversion([
      .number(kind: .decimal, decimalSeparator: ".", groupingSeparator: nil)
    ])
  }

  func createDestinationInstances(
    forSource source: SourceInstance, in mapping: MigrationMapping, manager: MigrationManager
  ) throws {
    let record = try manager.context.insert(into: mapping.destinationEntityName)
    record["id"] = try source.value(forKey: "id")
    record["amount"] = try conversion?.convert(source.value(forKey: "amount")).value ?? .null
    record["audioUUID"] = try source.value(forKey: "audioUUID")
    record["createdAt"] = try source.value(forKey: "created_at")
    record["tags"] = try source.value(forKey: "tags")
    record["isProcessed"] = false
    record["transaction"] = .null
    manager.associate(source: source, with: record, for: mapping)
  }
}
