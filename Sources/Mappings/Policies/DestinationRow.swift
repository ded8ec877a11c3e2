import DataModel
import Foundation

/// The row that a `DestinationInstance` stands for: one that is imported from an archive, or an
/// object of a migrated store.
///
/// What cannot be done is noted, and ends the run after the hook or the callback.
package protocol DestinationRow: AnyObject {
  /// The reference to the row.
  var reference: RowReference { get }
  /// The name of its entity.
  var entityName: String { get }
  /// The context that it was made in.
  var destinationContext: any DestinationContext { get }

  /// The value of an attribute, or the rows of a relationship.
  func value(of name: String) -> ImportValue
  /// Sets an attribute, or adds rows to a relationship.
  func set(_ value: ImportValue, for name: String)
  /// Adds rows to a to-many relationship.
  func add(_ rows: [RowReference], to relationship: String)
  /// Empties a relationship.
  func clear(_ relationship: String)

  // The types that attributes have: a row may keep their values without a detour by `ImportValue`.
  func set(_ value: Bool?, for name: String)
  func set(_ value: Int64?, for name: String)
  func set(_ value: Double?, for name: String)
  func set(_ value: Decimal?, for name: String)
  func set(_ value: String?, for name: String)
  func set(_ value: Date?, for name: String)
  func set(_ value: Data?, for name: String)
  func set(_ value: UUID?, for name: String)
  func set(_ value: URL?, for name: String)
}

extension DestinationRow {
  package func set(_ value: Bool?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: Int64?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: Double?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: Decimal?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: String?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: Date?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: Data?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: UUID?, for name: String) { set(ImportValue(value), for: name) }
  package func set(_ value: URL?, for name: String) { set(ImportValue(value), for: name) }
}
