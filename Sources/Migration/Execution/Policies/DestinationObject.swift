import DataModel

/// An object of the new store, as a policy sees it.
public struct DestinationObject: Hashable {
  /// The migration that it belongs to.
  public let manager: StoreMigrationManager
  /// Its number among the destination objects.
  let number: Int

  /// Whether two are the same object.
  public static func == (first: Self, second: Self) -> Bool {
    first.number == second.number && first.manager === second.manager
  }

  /// Hashes the object, not its values.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The object as a value of an expression.
  public var reference: ImportValue { DestinationHandle.value(number) }

  /// The name of its entity.
  ///
  /// - Throws: `MigrationError` if the object has been deleted.
  public var entityName: String { get throws { try manager.entityName(of: number) } }

  /// What it has for an attribute.
  ///
  /// - Parameter key: The name of the attribute.
  /// - Returns: The value; of a relationship, the objects as references.
  /// - Throws: `MigrationError` for an unknown key, or if the source is damaged there.
  public func value(forKey key: String) throws -> ImportValue {
    try manager.value(forKey: key, of: number)
  }

  /// Sets an attribute, or a relationship to objects by their references.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The name of the property.
  /// - Throws: `MigrationError` for an unknown key, or a value that the property cannot hold.
  public func setValue(_ value: ImportValue, forKey key: String) throws {
    try manager.setValue(value, forKey: key, of: number)
  }

  /// The objects that a relationship leads to.
  ///
  /// - Parameter key: The name of the relationship.
  /// - Returns: The objects, in the order in which they were set.
  /// - Throws: `MigrationError` for an unknown key, or if the source is damaged there.
  public func objects(forKey key: String) throws -> [DestinationObject] {
    manager.destinationObjects(in: try value(forKey: key))
  }

  /// Sets what a relationship leads to; its inverse follows.
  ///
  /// - Parameters:
  ///   - objects: The objects: one at most, unless the relationship leads to several.
  ///   - key: The name of the relationship.
  /// - Throws: `MigrationError` for an unknown key, or objects that the relationship cannot hold.
  public func setObjects(_ objects: [DestinationObject], forKey key: String) throws {
    try manager.setValue(.list(objects.map(\.reference)), forKey: key, of: number)
  }
}
