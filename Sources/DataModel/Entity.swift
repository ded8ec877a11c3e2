import GraphCore
import Support

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

extension Entity {
  /// The attributes that a store keeps, in Core Data's order.
  package var storedAttributes: [Attribute] {
    attributes.filter(\.isStored).sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The relationships that a store keeps, in Core Data's order.
  package var storedRelationships: [Relationship] {
    relationships.filter { !$0.isTransient }.sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The to-one relationships that a store keeps, in Core Data's order.
  package var references: [Relationship] { storedRelationships.filter { !$0.isToMany } }
}

/// The role of a property that a drafted model has for Core Data alone: there are no relationships
/// to several entities there, no collections of values, and each relationship has an inverse.
///
/// The user info of the property says so, under the key `archivedPart`.
package enum DraftedPart: Sendable, Hashable {
  /// The attributes of a text, as JSON.
  case runs(of: String)
  /// 0 where a collection is empty, nothing where there is none.
  case count(of: String)
  /// The way back of a relationship that the archives show no inverse of.
  case inverse
  /// A to-one relationship, where it leads to one of several entities.
  case reference(of: String)
  /// The rows of an entity of elements: what the collections under a key hold.
  case elements(of: String)
  // In an entity of elements.
  case owner
  case position
  case key
  case value

  /// The key of the user info.
  static let userInfoKey = "archivedPart"

  /// Reads what the user info says; nil if it is nothing that is known.
  init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.count) {
    case ("inverse", 1): self = .inverse
    case ("owner", 1): self = .owner
    case ("position", 1): self = .position
    case ("key", 1): self = .key
    case ("value", 1): self = .value
    case ("runs", 3): self = .runs(of: words[2])
    case ("count", 3): self = .count(of: words[2])
    case ("reference", 3): self = .reference(of: words[2])
    case ("elements", 3): self = .elements(of: words[2])
    default: return nil
    }
  }

  /// The value in the user info.
  package var text: String {
    switch self {
    case .runs(let name): "runs of \(name)"
    case .count(let name): "count of \(name)"
    case .inverse: "inverse"
    case .reference(let name): "reference of \(name)"
    case .elements(let name): "elements of \(name)"
    case .owner: "owner"
    case .position: "position"
    case .key: "key"
    case .value: "value"
    }
  }
}

extension DraftedPart {
  /// The other keys of the user info that are read back.
  enum Key {
    /// The type that the values of an attribute have in the relational layout.
    static let type = "archivedType"
    /// The inverse that a relationship has in the relational layout.
    static let inverse = "archivedInverse"
  }
}

/// The table of the relational layout whose rows an entity of a drafted model has.
///
/// The user info of the entity says so, under the key `archivedTable`.
package enum DraftedTable: Sendable, Hashable {
  /// The elements of what an entity holds under a key.
  case elements(entity: String, property: String)
  /// The values that find no room in the table of an entity.
  case overflow(entity: String)
  /// The collections that no object holds under a key, and their elements.
  case collections
  case collectionElements
  /// The values of the top-level keys.
  case topLevel

  /// The key of the user info.
  static let userInfoKey = "archivedTable"

  /// Reads what the user info says.
  init(text: String) {
    let words = text.split(separator: ".", maxSplits: 1).map(String.init)
    switch text {
    case "_collection": self = .collections
    case "_collection_element": self = .collectionElements
    case "_top": self = .topLevel
    default:
      self =
        words.count == 2
        ? .elements(entity: words[0], property: words[1]) : .overflow(entity: text)
    }
  }

  /// The value in the user info: the name that such a table has in the relational layout.
  var text: String {
    switch self {
    case .elements(let entity, let property): "\(entity).\(property)"
    case .overflow(let entity): entity
    case .collections: "_collection"
    case .collectionElements: "_collection_element"
    case .topLevel: "_top"
    }
  }
}

/// A property that holds several values, rows or pairs.
public struct ValueCollection: Sendable, Equatable {
  /// The name of the property.
  public var name: String
  /// The archived key.
  public var key: String
  /// True if the order of the elements means something.
  public var isOrdered: Bool
  /// The type of plain keys, where the elements are pairs with such keys.
  public var keyType: AttributeType?
  /// True if keys of pairs are rows or collections.
  public var hasReferencesAsKeys: Bool
  /// The type of the plain elements, where there are any.
  public var valueType: AttributeType?
  /// True if elements are rows or collections.
  public var hasReferencesAsValues: Bool
  /// True if -0.0 is among the plain elements or keys.
  public var holdsNegativeZero: Bool
  /// True if both none at all (nil) and an empty collection were found.
  public var distinguishesEmpty: Bool

  package init(
    name: String, key: String, isOrdered: Bool, keyType: AttributeType? = nil,
    hasReferencesAsKeys: Bool, valueType: AttributeType? = nil, hasReferencesAsValues: Bool,
    holdsNegativeZero: Bool, distinguishesEmpty: Bool
  ) {
    self.name = name
    self.key = key
    self.isOrdered = isOrdered
    self.keyType = keyType
    self.hasReferencesAsKeys = hasReferencesAsKeys
    self.valueType = valueType
    self.hasReferencesAsValues = hasReferencesAsValues
    self.holdsNegativeZero = holdsNegativeZero
    self.distinguishesEmpty = distinguishesEmpty
  }
}

extension ValueCollection {
  /// True if nothing is known of the elements: all collections found were empty.
  package var isAlwaysEmpty: Bool {
    valueType == .unknown && (keyType == nil || keyType == .unknown) && !hasReferencesAsKeys
      && !hasReferencesAsValues
  }

  /// The members of a to-many relationship as elements.
  package init(_ relationship: Relationship) {
    self.init(
      name: relationship.name, key: relationship.key, isOrdered: relationship.isOrdered,
      hasReferencesAsKeys: false, hasReferencesAsValues: true, holdsNegativeZero: false,
      distinguishesEmpty: relationship.distinguishesEmpty)
  }

  /// Makes the form one that also holds what another does.
  package mutating func merge(_ other: ValueCollection) {
    makeRoom(for: other)
    isOrdered = isOrdered || other.isOrdered
    distinguishesEmpty = distinguishesEmpty || other.distinguishesEmpty
  }

  /// Gives the form room for the keys and values of another, whatever the order of the elements.
  package mutating func makeRoom(for other: ValueCollection) {
    keyType =
      keyType.map { type in other.keyType.map { type.common(with: $0) } ?? type }
      ?? other.keyType
    valueType =
      valueType.map { type in other.valueType.map { type.common(with: $0) } ?? type }
      ?? other.valueType
    hasReferencesAsKeys = hasReferencesAsKeys || other.hasReferencesAsKeys
    hasReferencesAsValues = hasReferencesAsValues || other.hasReferencesAsValues
    holdsNegativeZero = holdsNegativeZero || other.holdsNegativeZero
  }
}
