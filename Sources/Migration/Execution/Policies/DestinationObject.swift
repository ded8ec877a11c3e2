import DataModel
import Policies

/// An object of the new store: what a `DestinationInstance` of a migration stands for.
final class DestinationObject: DestinationRow {
  private let migration: StoreMigrationEngine
  /// Its number among the destination objects.
  let number: Int

  init(_ number: Int, in migration: StoreMigrationEngine) {
    self.migration = migration
    self.number = number
  }

  var reference: RowReference { DestinationHandle.reference(number) }
  var entityName: String { migration.attempt("") { try migration.entityName(of: number) } }
  var destinationContext: any DestinationContext { migration }

  func value(of name: String) -> ImportValue {
    migration.attempt(.null) { try migration.value(forKey: name, of: number) }
  }

  func set(_ value: ImportValue, for name: String) {
    migration.noteFilled(name, of: number)
    migration.attempt(()) { try migration.setValue(value, forKey: name, of: number) }
  }

  func add(_ rows: [RowReference], to relationship: String) {
    migration.noteFilled(relationship, of: number)
    migration.attempt(()) {
      try migration.setRelationship(
        .list(rows.map { .row($0) }), forKey: relationship, of: number)
    }
  }

  func clear(_ relationship: String) {
    migration.attempt(()) { try migration.clear(relationship, of: number) }
  }
}
