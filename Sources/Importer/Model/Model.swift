/// The entities of a store and what connects them.
public struct Model: Sendable, Equatable {
  /// The entities, in the order in which the archives lead to them.
  public var entities: [Entity]

  /// Creates a model.
  public init(entities: [Entity] = []) {
    self.entities = entities
  }

  /// For each archived class, the place of its entity.
  var entityNumbers: [String: Int] {
    var numbers: [String: Int] = [:]
    for (number, entity) in entities.enumerated() {
      for name in entity.archivedClasses { numbers[name] = number }
    }
    return numbers
  }
}

/// A kind of row: what the objects of one archived class become.
public struct Entity: Sendable, Equatable {
  /// The name of the entity, which is that of its table.
  public var name: String
  /// The names of the classes whose objects become its rows.
  public var archivedClasses: [String]
  /// The properties that hold one plain value.
  public var attributes: [Attribute]
  /// The properties that hold other rows.
  public var relationships: [Relationship]
  /// The properties that hold several values, or pairs, of any kind.
  public var collections: [ValueCollection]

  /// Creates an entity.
  public init(
    name: String, archivedClasses: [String], attributes: [Attribute] = [],
    relationships: [Relationship] = [], collections: [ValueCollection] = []
  ) {
    self.name = name
    self.archivedClasses = archivedClasses
    self.attributes = attributes
    self.relationships = relationships
    self.collections = collections
  }
}

/// A property that holds one plain value.
public struct Attribute: Sendable, Equatable {
  /// The name of the attribute.
  public var name: String
  /// The archived key.
  public var key: String
  /// The type of all its values.
  public var type: AttributeType
  /// Whether -0.0 is among them, which a column of type REAL would turn into 0.0.
  public var holdsNegativeZero = false
}

/// The types of attributes.
public enum AttributeType: String, Sendable, CaseIterable {
  /// True or false.
  case boolean
  /// A signed integer of 64 bits.
  case integer
  /// A double.
  case double
  /// Text.
  case string
  /// An instant.
  case date
  /// Bytes.
  case binary
  /// An exact decimal number.
  case decimal
  /// A UUID.
  case uuid
  /// A URL.
  case uri
  /// Values of several types, or integers beyond 64 bits, or NaN among numbers.
  case mixed
  /// Nothing but nil was found.
  case unknown
}

/// A property that holds rows of other entities.
public struct Relationship: Sendable, Equatable {
  /// The name of the relationship.
  public var name: String
  /// The archived key.
  public var key: String
  /// The names of the entities whose rows it holds: mostly one.
  public var destinations: [String]
  /// Whether it holds several rows.
  public var isToMany: Bool
  /// Whether the order of the rows means something.
  public var isOrdered: Bool
  /// The name of the relationship of the destination that leads back.
  public var inverse: String?
  /// Whether both none at all (nil) and an empty collection were found.
  public var distinguishesEmpty: Bool
}

/// A property that holds several values, rows or pairs.
public struct ValueCollection: Sendable, Equatable {
  /// The name of the property.
  public var name: String
  /// The archived key.
  public var key: String
  /// Whether the order of the elements means something.
  public var isOrdered: Bool
  /// The type of plain keys, where the elements are pairs with such keys.
  public var keyType: AttributeType?
  /// Whether keys of pairs are rows or collections.
  public var hasReferencesAsKeys: Bool
  /// The type of the plain elements, where there are any.
  public var valueType: AttributeType?
  /// Whether -0.0 is among them or among the keys.
  public var holdsNegativeZero = false
  /// Whether elements are rows or collections.
  public var hasReferencesAsValues: Bool
  /// Whether both none at all (nil) and an empty collection were found.
  public var distinguishesEmpty: Bool
}
