import DataModel

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
