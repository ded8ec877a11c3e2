import ArchiveReader

/// Inserts the rows of the objects of archived classes: what `init(coder:)` was for an app, over
/// the new store.
///
/// ```swift
/// struct NoteHook: ImportHook {
///   static let archivedClassNames = ["MTNote"]
///
///   static func insert(from coder: ImportCoder) throws -> DestinationInstance? {
///     let note = try coder.insert(into: "Note")
///     note["title"] = try coder.decodeString(forKey: "title")
///     // The folder's hook sets notes; the inverse, container, follows.
///     return note
///   }
/// }
/// ```
///
/// See Documentation/hooks.md.
public protocol ImportHook: SendableMetatype {
  /// The names of the classes whose objects it inserts, as they are archived.
  static var archivedClassNames: [String] { get }

  /// The entity whose rows the objects become, as far as others refer to them; nil for the entity
  /// of the class's name.
  static var entityName: String? { get }

  /// Inserts the rows of an object: the row that others mean when they refer to it, mostly the one
  /// inserted first, or nil, and references to the object lead nowhere.
  ///
  /// Any error is listed with the object, and the archive is rejected.
  static func insert(from coder: ImportCoder) throws -> DestinationInstance?
}

extension ImportHook {
  /// The entity of the class's name.
  public static var entityName: String? { nil }
}

extension ImportHook {
  /// The names of the archived classes, as `ArchivedName` has them.
  static var archivedNames: [String] { archivedClassNames.map(ArchivedName.text) }
}

extension ImportValueHook {
  /// The names of the archived classes, as `ArchivedName` has them.
  static var archivedNames: [String] { archivedClassNames.map(ArchivedName.text) }
}

/// Gives the value of objects that are no rows: an enumeration posing as an object, a colour.
public protocol ImportValueHook: SendableMetatype {
  /// The names of the classes whose objects are values, as they are archived.
  static var archivedClassNames: [String] { get }

  /// The value that takes the place of an object.
  ///
  /// Any error is listed with the object, and the archive is rejected.
  static func value(from coder: ImportCoder) throws -> ImportValue
}

/// The class form of a hook, for code that was written for `NSCoding`.
///
/// A subclass is a hook for the archived class of its own name. Its initializer chains to that of
/// its superclass, as it always did; the topmost inserts the row.
///
/// ```swift
/// class MTModelObject: ImportedObject {
///   required init(coder: ImportCoder) throws {
///     try super.init(coder: coder)
///     self["uniqueId"] = try coder.decodeObject(forKey: "uniqueId")
///   }
/// }
/// ```
open class ImportedObject: ImportHook {
  /// The row.
  public let instance: DestinationInstance

  /// The names of the archived classes: the name of the Swift class, unless overridden.
  open class var archivedClassNames: [String] { ["\(Self.self)"] }

  /// The entity of the rows: nil for that of the archived class's name.
  open class var entityName: String? { nil }

  /// Inserts a row into the entity of the object's class, and wakes it; none is an error.
  public required init(coder: ImportCoder) throws {
    if let name = Self.entityName {
      instance = try coder.insert(into: name)
    } else {
      instance = try coder.insert()
    }
    awakeFromInsert()
  }

  /// Sets what every new row gets, before the archive's values override it.
  open func awakeFromInsert() {}

  /// Decodes an object by the initializer: its row.
  public class func insert(from coder: ImportCoder) throws -> DestinationInstance? {
    try self.init(coder: coder).instance
  }

  /// The value of an attribute, or the rows of a relationship.
  public subscript(name: String) -> ImportValue {
    get { instance[name] }
    set { instance[name] = newValue }
  }

  /// The value of an attribute, or the rows of a relationship, as a Swift type.
  public subscript<Value: ImportValueConvertible>(name: String) -> Value? {
    get { instance[name] }
    @inlinable
    set { Value.set(newValue, for: name, in: instance) }
  }
}

/// The hooks and policies that a converter of one's own brings along.
public struct ImportExtensions: Sendable {
  /// The hooks, in either form: a later one for a class takes the place of an earlier one.
  public var hooks: [any ImportHook.Type]
  /// The hooks of value classes.
  public var values: [any ImportValueHook.Type]
  /// The policies, by the names that mappings give them.
  public var policies: [String: any MigrationPolicy.Type]
  /// Whether the coders of hooks are strict or lenient, and what an error of theirs does.
  public var decoding: DecodingOptions
  /// The rules of Core Data, where a store is migrated.
  package var migration: MigrationTraits?

  /// Creates extensions.
  public init(
    hooks: [any ImportHook.Type] = [],
    values: [any ImportValueHook.Type] = [],
    policies: [String: any MigrationPolicy.Type] = [:],
    decoding: DecodingOptions = DecodingOptions()
  ) {
    self.hooks = hooks
    self.values = values
    self.policies = policies
    self.decoding = decoding
  }
}

extension ImportExtensions {
  /// The names of hooks and of those of value classes.
  package var hookNames: [String] { hooks.map { "\($0)" } + values.map { "\($0)" } }

  /// Those of the hooks that have some names.
  package func limited(to names: Set<String>) -> ImportExtensions {
    var extensions = self
    extensions.hooks.removeAll { !names.contains("\($0)") }
    extensions.values.removeAll { !names.contains("\($0)") }
    return extensions
  }
}
