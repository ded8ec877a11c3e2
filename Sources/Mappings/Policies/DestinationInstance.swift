import DataModel
import Foundation

/// A row under construction: what a hook or a policy fills in.
///
/// In a migration of a Core Data store it is an object of the new model. Setting a relationship
/// from one side is enough: the inverse follows. Values are checked against the model; what breaks
/// a rule is noted, and the run fails with it.
///
/// Copies stand for the same row. Not for use by several threads, nor after the run.
public struct DestinationInstance {
  /// The row that it stands for.
  package let row: any DestinationRow

  /// True if the row was there before: an earlier object, archive or run has the same identity.
  public let wasFound: Bool

  package init(_ row: any DestinationRow, wasFound: Bool) {
    self.row = row
    self.wasFound = wasFound
  }

  /// The reference to the row.
  public var reference: RowReference { row.reference }

  /// The name of the entity.
  public var entityName: String { row.entityName }

  /// The value of an attribute, or the rows of a relationship.
  ///
  /// Setting a to-many relationship adds rows to those that it holds, so that nothing is lost where
  /// two objects become one row; `clear` empties it. Getting an attribute of a row that is in the
  /// store already, or a relationship, reads the store. An unknown name is an error of the run, and
  /// gives nothing.
  public subscript(name: String) -> ImportValue {
    get { row.value(of: name) }
    nonmutating set { row.set(newValue, for: name) }
  }

  /// The value of an attribute, or the rows of a relationship, as a Swift type.
  ///
  /// Getting gives nil for nothing and for a value that the type does not hold; setting nil sets
  /// nothing.
  public subscript<Value: ImportValueConvertible>(name: String) -> Value? {
    get { Value.value(of: row.value(of: name), in: row.destinationContext) }
    @inlinable
    nonmutating set { Value.set(newValue, for: name, in: self) }
  }

  /// Adds rows to a to-many relationship, after those that it holds.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - relationship: The name of the relationship.
  public func add(_ rows: [DestinationInstance], to relationship: String) {
    row.add(rows.map(\.reference), to: relationship)
  }

  /// Empties a relationship, whichever side has filled it.
  ///
  /// - Parameter relationship: The name of the relationship.
  public func clear(_ relationship: String) { row.clear(relationship) }

  /// The value that stands for the row, to set a relationship with.
  public var value: ImportValue { .row(reference) }
}

extension DestinationInstance: Equatable {
  /// True if two stand for the same row.
  public static func == (one: Self, other: Self) -> Bool { one.reference == other.reference }
}

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

/// The store under construction, in which hooks and policies make rows, as far as they see it.
///
/// There is one for each run; it travels in the coder and in the migration manager, so that
/// conversions that run side by side do not mix. Not for use by several threads.
public protocol DestinationContext: AnyObject {
  /// Inserts a row.
  ///
  /// The first row that a hook, or a policy for an archived object, inserts is the one that
  /// references to the object lead to.
  ///
  /// - Parameter entityName: The name of an entity of the model that is not abstract.
  /// - Returns: The row, with the model's defaults for its attributes.
  /// - Throws: `ImportError` if there is no such entity, or if it is abstract.
  @discardableResult
  func insert(into entityName: String) throws -> DestinationInstance

  /// Finds the row whose attributes have some values, or inserts one.
  ///
  /// Values are compared after they were converted to the attributes' types. Nothing is not equal
  /// to nothing: without a value, a row is inserted. Of an import, rows are found that were made
  /// with the same attributes as identity, in this run or, when a run adds to a store, before it.
  /// Of a migration, all objects of the entity that are there so far are found.
  ///
  /// - Parameters:
  ///   - entityName: The name of an entity that is not abstract.
  ///   - identity: The values of the attributes that tell one row from another.
  /// - Returns: The row; `wasFound` tells whether it was there.
  /// - Throws: `ImportError` if there is no such entity or attribute, and what reading the store
  ///   throws.
  @discardableResult
  func findOrInsert(
    into entityName: String, identity: [String: ImportValue]
  ) throws -> DestinationInstance

  /// The rows of an entity whose attributes have some values, in the order of their ids.
  ///
  /// - Parameters:
  ///   - entityName: The name of an entity; rows of its subentities are found too.
  ///   - values: The values of attributes; none for all rows.
  /// - Returns: The rows that are in the store: not those of the hook that is running.
  /// - Throws: `ImportError` for unknown names, and what reading the store throws.
  /// - Complexity: Linear in the rows of the entity.
  func fetch(
    _ entityName: String, where values: [String: ImportValue]
  ) throws -> [DestinationInstance]

  /// The row that a reference stands for.
  ///
  /// - Parameter reference: A reference that a coder, an expression or a context gave.
  /// - Returns: The row. Its values are read from the store when they are asked for.
  func instance(for reference: RowReference) -> DestinationInstance

  /// Deletes a row.
  ///
  /// In an import that is at the end of the run, as the delete rules of its relationships have it.
  /// In a migration it is at once, with the links to it, and only for objects that policies made.
  ///
  /// - Parameter instance: The row.
  func delete(_ instance: DestinationInstance)
}

extension DestinationContext {
  /// All rows of an entity, in the order of their ids.
  ///
  /// - Parameter entityName: The name of an entity; rows of its subentities are found too.
  /// - Returns: The rows that are in the store: not those of the hook that is running.
  /// - Throws: `ImportError` for an unknown name, and what reading the store throws.
  public func fetch(_ entityName: String) throws -> [DestinationInstance] {
    try fetch(entityName, where: [:])
  }
}
