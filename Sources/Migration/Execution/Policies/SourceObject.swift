import DataModel
import Mappings

/// An object of the old store, as a policy sees it.
public struct SourceObject: Hashable {
  /// The migration that it belongs to.
  public let manager: StoreMigrationManager
  /// Its number in the source.
  let uid: Int

  /// Whether two are the same object.
  public static func == (first: Self, second: Self) -> Bool {
    first.uid == second.uid && first.manager === second.manager
  }

  /// Hashes the object, not its values.
  public func hash(into hasher: inout Hasher) { hasher.combine(uid) }

  /// The object as a value of an expression.
  public var reference: ImportValue { ObjectHandle.value(uid) }

  /// The name of its entity.
  ///
  /// - Throws: `MigrationError` if the store is damaged there.
  public var entityName: String { get throws { try manager.entityName(ofSource: uid) } }

  /// What it has for an attribute.
  ///
  /// - Parameter key: The name of the attribute.
  /// - Returns: The value; of a relationship, the objects as references.
  /// - Throws: `MigrationError` for an unknown key, or if the store is damaged there.
  public func value(forKey key: String) throws -> ImportValue {
    try manager.value(forKey: key, ofSource: uid)
  }

  /// The objects that a relationship leads to.
  ///
  /// - Parameter key: The name of the relationship.
  /// - Returns: The objects, in their order if it is ordered.
  /// - Throws: `MigrationError` for an unknown key, or if the store is damaged there.
  public func objects(forKey key: String) throws -> [SourceObject] {
    manager.sourceObjects(in: try value(forKey: key))
  }
}
