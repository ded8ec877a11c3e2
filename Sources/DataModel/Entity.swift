import GraphCore

/// A kind of row: what the objects of one archived class become.
public struct Entity: Sendable, Equatable {
  /// The name of the entity, which is that of its table.
  public var name: String
  /// The names of the classes whose objects become its rows.
  public var archivedClasses: [String]
  /// The name of the app's class for its rows, without the Swift module.
  public var className: String?
  /// The Swift module of that class, where the model names it.
  package var classModule: String?
  /// The name of the entity that it inherits from.
  public var parent: String?
  /// True if only its subentities have rows.
  public var isAbstract: Bool
  /// The properties that hold one plain value.
  public var attributes: [Attribute]
  /// The properties that hold other rows.
  public var relationships: [Relationship]
  /// The properties that hold several values, or pairs, of any kind.
  public var collections: [ValueCollection]
  /// Sets of properties whose values together are unique.
  public var uniquenessConstraints: [[String]]
  /// The indexes that the model asks for.
  public var fetchIndexes: [FetchIndex]
  /// The name by which an earlier version of the model knew the entity.
  public var renamingIdentifier: String?
  /// A text that the model's author set to tell this version from others.
  public var versionHashModifier: String?
  /// The table whose rows it has, in a drafted model.
  package var draftedTable: DraftedTable?

  /// Creates an entity.
  public init(
    name: String, archivedClasses: [String] = [], className: String? = nil,
    parent: String? = nil, isAbstract: Bool = false,
    attributes: [Attribute] = [], relationships: [Relationship] = [],
    collections: [ValueCollection] = [], uniquenessConstraints: [[String]] = [],
    fetchIndexes: [FetchIndex] = [], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil
  ) {
    self.name = name
    self.archivedClasses = archivedClasses
    self.className = className
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.collections = collections
    self.uniquenessConstraints = uniquenessConstraints
    self.fetchIndexes = fetchIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
  }
}

extension Entity {
  /// Names the class as a model does.
  ///
  /// - Parameter name: The name, with its module if it has one.
  mutating func setClass(_ name: String) {
    className = EntityName.plain(name, stripPrefix: nil)
    classModule = EntityName.module(name)
  }

  /// The name of the class with its module; nil where there is none, or only the compiler knows the
  /// module (".Note").
  package var compiledClassName: String? {
    guard let className, !className.hasPrefix(".") else { return nil }
    return classModule.map { "\($0).\(className)" } ?? className
  }
}
