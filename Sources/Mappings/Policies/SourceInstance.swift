import DataModel
import GraphCore

/// An object that is converted, as a policy sees it: of an archive, or of a Core Data store.
public struct SourceInstance {
  /// What reads it.
  package let reader: any SourceInstanceReader
  package let object: GraphObject

  package init(_ object: GraphObject, of reader: any SourceInstanceReader) {
    self.reader = reader
    self.object = object
  }

  /// The path of the archive or the store.
  public var archivePath: String { reader.path }

  /// The number of the object in its source: its place in the archive's `$objects`; in a store, its
  /// place among all objects.
  public var uid: Int { object.uid }

  /// The archived name of its class, or the name of its entity.
  public var className: String { reader.className(of: object) }

  /// Its keys: of an object of a store, the properties of its entity.
  public var keys: [String] { reader.keys(of: object) }

  /// What stands under a key.
  ///
  /// Archived objects that become rows are given as their row. In a store, the objects in a
  /// relationship are given as references to source objects: see
  /// `MigrationManager.sourceInstances(in:)`.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; `.null` where an archived object has no such key.
  /// - Throws: `ArchiveError` if the source is damaged there; for an object of a store
  ///   `ImportError` if its entity has no such property.
  public func value(forKey key: String) throws -> ImportValue {
    try reader.value(forKey: key, of: object)
  }

  /// What stands under a key path: "owner.name" leads from object to object.
  ///
  /// - Parameter path: The keys, with dots between.
  /// - Returns: The value; `.null` where a key is not there, or where a link leads nowhere.
  /// - Throws: What `value(forKey:)` throws.
  public func value(forKeyPath path: String) throws -> ImportValue {
    try reader.value(forKeyPath: path, of: object)
  }

  /// The objects that stand under a key: one, or those of a collection.
  ///
  /// - Parameter key: The key.
  /// - Returns: The objects, in the order of the source; values that are no objects are left out.
  /// - Throws: What `value(forKey:)` throws.
  public func objects(forKey key: String) throws -> [SourceInstance] {
    try reader.objects(forKey: key, of: object).map { SourceInstance($0, of: reader) }
  }
}

extension SourceInstance: Hashable {
  /// Whether two are the same object.
  public static func == (one: Self, other: Self) -> Bool {
    one.uid == other.uid && one.reader.sourceNumber == other.reader.sourceNumber
  }

  /// Hashes the object, not its values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reader.sourceNumber)
    hasher.combine(uid)
  }
}

/// What reads source instances: the turn of an archive, or a migration.
package protocol SourceInstanceReader: AnyObject {
  /// Tells the sources of a run apart.
  var sourceNumber: Int64 { get }
  /// The path of the source.
  var path: String { get }

  /// The name of an object's class or entity.
  func className(of object: GraphObject) -> String
  /// The number by which people know an object: in a store, its primary key.
  func number(of object: GraphObject) -> Int64
  /// The keys of an object.
  func keys(of object: GraphObject) -> [String]
  /// What an object has under a key.
  func value(forKey key: String, of object: GraphObject) throws -> ImportValue
  /// What a key path leads to, from object to object.
  func value(forKeyPath path: String, of object: GraphObject) throws -> ImportValue
  /// The objects that an object has under a key.
  func objects(forKey key: String, of object: GraphObject) throws -> [GraphObject]
}
