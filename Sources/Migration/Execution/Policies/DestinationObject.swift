import DataModel
import Policies

extension StoreMigrationEngine {
  /// An object of the new store: what a `DestinationInstance` of a migration stands for.
  final class DestinationObject: DestinationRow {
    private let migration: StoreMigrationEngine
    /// Its index among the destination objects.
    let index: Int

    init(_ index: Int, in migration: StoreMigrationEngine) {
      self.migration = migration
      self.index = index
    }

    var reference: RowReference { DestinationHandle.reference(index) }
    var entityName: String { migration.attempt("") { try migration.entityName(of: index) } }
    var destinationContext: any DestinationContext { migration }

    func value(of name: String) -> ImportValue {
      migration.attempt(.null) { try migration.value(forKey: name, of: index) }
    }

    func set(_ value: ImportValue, for name: String) {
      migration.noteFilled(name, of: index)
      migration.attempt(()) { try migration.setValue(value, forKey: name, of: index) }
    }

    func add(_ rows: [RowReference], to relationship: String) {
      migration.noteFilled(relationship, of: index)
      migration.attempt(()) {
        try migration.setRelationship(
          .list(rows.map { .row($0) }), forKey: relationship, of: index)
      }
    }

    func clear(_ relationship: String) {
      migration.attempt(()) { try migration.clear(relationship, of: index) }
    }
  }
}
