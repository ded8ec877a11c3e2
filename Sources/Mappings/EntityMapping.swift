import DataModel

/// The mapping of objects of archived classes to the rows of an entity.
///
/// An entity can have several, from different classes; a class can feed several entities.
public struct EntityMapping: Sendable, Equatable {
  /// The name of the entity mapping, for associations; nil for "ClassToEntity".
  public var name: Marked<String>?
  /// The entity.
  public var entity: Marked<String>
  /// The archived classes; empty for those that have the name of the entity, or are mapped to it.
  public var sources: [Marked<String>]
  /// The entity that it inherits from, where no model says so.
  public var parent: Marked<String>?
  /// True if only its subentities have rows, where no model says so.
  public var isAbstract: Bool
  /// The condition for objects that become rows: a predicate in NSPredicate's format.
  public var filter: Marked<FilterPredicate>?
  /// The attributes whose values together tell one row from another, across archives and runs.
  public var identity: [Marked<String>]
  /// The name of a policy that was registered in Swift.
  public var policy: Marked<String>?
  /// The mappings of the attributes.
  public var attributes: [AttributeMapping]
  /// The mappings of the relationships.
  public var relationships: [RelationshipMapping]
  /// Collections of plain values or pairs that become tables of their own.
  public var collections: [CollectionMapping]
  /// Archived keys that are left behind on purpose.
  public var unread: [Marked<String>]
  /// True if properties that are not named here follow from names.
  public var isComplete: Bool
  /// True if values of Foundation's classes stay values, and only the other objects become rows.
  public var keepsValues: Bool

  /// Creates an entity mapping that names nothing but the entity.
  public init(entity: Marked<String>) {
    self.entity = entity
    name = nil
    sources = []
    parent = nil
    isAbstract = false
    filter = nil
    identity = []
    policy = nil
    attributes = []
    relationships = []
    collections = []
    unread = []
    isComplete = false
    keepsValues = false
  }
}

/// The source of the value of an attribute.
public enum ValueSource: Sendable, Equatable {
  /// The archived key, or several keys one inside the other, from object to object.
  case keyPath([String])
  /// The same value for every row.
  case constant(ImportValue)
  /// An expression over the archived object, in NSExpression's format.
  case expression(ValueExpression)
}

/// The mapping of an attribute.
public struct AttributeMapping: Sendable, Equatable {
  /// The name of the attribute.
  public var name: Marked<String>
  /// The source of its value.
  public var source: Marked<ValueSource>
  /// The steps of the conversion of the value.
  public var conversions: [Marked<ValueConversion.Rule>]
  /// The type of the attribute, where no model says so and the values do not tell.
  public var type: AttributeType?
  /// True or nil if the attribute may hold nothing, where no model says so.
  public var isOptional: Bool?
  /// The default value, where no model says so.
  public var defaultValue: ImportValue?
  /// The least number, or the least length of a text.
  public var minimum: Double?
  /// The greatest number, or the greatest length of a text.
  public var maximum: Double?
  /// A regular expression that a text has to match.
  public var pattern: Marked<String>?
  /// True if the column keeps the sign of -0.0.
  public var keepsNegativeZero: Bool

  /// Creates an attribute mapping.
  public init(name: Marked<String>, source: Marked<ValueSource>) {
    self.name = name
    self.source = source
    conversions = []
    type = nil
    isOptional = nil
    defaultValue = nil
    minimum = nil
    maximum = nil
    pattern = nil
    keepsNegativeZero = false
  }
}

/// The mapping of a relationship.
public struct RelationshipMapping: Sendable, Equatable {
  /// A text that is cut into parts, each of which finds or makes a row.
  public struct Split: Sendable, Equatable {
    /// The separator of the parts; nil if the value is a collection of parts already.
    public var separator: String?
    /// The attribute of the destination that holds the part.
    public var attribute: Marked<String>
    /// True if white space around parts is dropped, and parts that are empty then are left out.
    public var trims: Bool
    /// The way to compare parts.
    public var folding: Folding

    /// Creates a split.
    public init(
      separator: String?, attribute: Marked<String>, trims: Bool = true, folding: Folding = .none
    ) {
      self.separator = separator
      self.attribute = attribute
      self.trims = trims
      self.folding = folding
    }
  }

  /// The ways to compare texts when a row is looked for.
  public enum Folding: String, Sendable, CaseIterable {
    /// As they are, scalar by scalar.
    case none
    /// In Unicode's canonical composition.
    case unicode
    /// The same, without regard to case.
    case `case`
  }

  /// The name of the relationship.
  public var name: Marked<String>
  /// The source of its rows.
  public var source: Marked<ValueSource>
  /// The entities that it leads to, where no model says so and the archives do not tell.
  public var destinations: [Marked<String>]
  /// True if it holds several rows; nil to follow the model or the archives.
  public var isToMany: Bool?
  /// True if the order means something; nil to follow the model or the archives.
  public var isOrdered: Bool?
  /// The relationship that leads back, where no model says so; nil to follow the archives.
  public var inverse: Marked<String>?
  /// The split of a value into parts that become rows.
  public var split: Split?
  /// The entity mapping whose rows for the archived objects are meant.
  public var entityMapping: Marked<String>?
  /// True or nil if the relationship may hold nothing, where no model says so.
  public var isOptional: Bool?
  /// The least number of rows.
  public var minimumCount: Int?
  /// The greatest number of rows.
  public var maximumCount: Int?
  /// The rule for its rows when the row that holds them is deleted.
  public var deleteRule: Relationship.DeleteRule?
  /// True if a column of counts tells an empty collection from none at all.
  public var keepsCount: Bool

  /// Creates a relationship mapping.
  public init(name: Marked<String>, source: Marked<ValueSource>) {
    self.name = name
    self.source = source
    destinations = []
    isToMany = nil
    isOrdered = nil
    inverse = nil
    split = nil
    entityMapping = nil
    isOptional = nil
    minimumCount = nil
    maximumCount = nil
    deleteRule = nil
    keepsCount = false
  }
}

/// A collection of plain values, of pairs, or of objects of any class, kept in a table of its own.
public struct CollectionMapping: Sendable, Equatable {
  /// The name of the collection.
  public var name: Marked<String>
  /// The archived key.
  public var key: Marked<String>
  /// The form of its table, where the archives do not tell.
  public var form: ValueCollection?
  /// True if the order of its elements matters; nil if it is not said.
  public var isOrdered: Bool?

  /// Creates a collection mapping.
  public init(
    name: Marked<String>, key: Marked<String>, form: ValueCollection? = nil,
    isOrdered: Bool? = nil
  ) {
    self.name = name
    self.key = key
    self.form = form
    self.isOrdered = isOrdered
  }
}

/// The replacement of a policy that a Core Data mapping model names: rules for some of the
/// properties of the destination objects.
///
/// Everything that it does not name is made as the mapping model says.
public struct PolicyMapping: Sendable, Equatable {
  /// The class that the mapping model names; the module may be left out.
  public var className: Marked<String>
  /// The only entity mapping that is meant; nil for all that name the class.
  public var entityMapping: Marked<String>?
  /// The mappings of the attributes.
  public var attributes: [AttributeMapping]
  /// The mappings of the relationships: rows that are found or made from parts of a value.
  public var relationships: [RelationshipMapping]

  /// Creates a block that names no properties.
  public init(className: Marked<String>) {
    self.className = className
    entityMapping = nil
    attributes = []
    relationships = []
  }
}
