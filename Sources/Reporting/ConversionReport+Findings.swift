extension ConversionReport {
  /// A value of which something was lost.
  public typealias Loss = ImportLoss

  /// The values of one key of which the same was lost, and how many they are.
  public typealias LossKind = ImportLossKind

  /// A value or a row that breaks a rule of the model.
  public typealias BrokenRule = ImportBrokenRule

  /// A pass that failed.
  public struct FailedPass: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// Why it failed.
    public var reason: String
    /// The names of the passes whose rows were kept.
    public var kept: [String]

    package init(name: String, reason: String, kept: [String]) {
      (self.name, self.reason, self.kept) = (name, reason, kept)
    }
  }

  /// A key of a class, and how many objects have it.
  public struct KeyCount: Sendable, Hashable, Comparable, Codable {
    /// The class.
    public var className: String
    /// The key.
    public var key: String
    /// The number of objects that have the key.
    public var count: Int

    init(_ place: ImportFindings.ClassKey, _ count: Int) {
      className = place.className
      key = place.key
      self.count = count
    }

    private enum CodingKeys: String, CodingKey {
      case key, count
      case className = "class"
    }

    /// By class, then by key.
    public static func < (first: Self, second: Self) -> Bool {
      (first.className, first.key) < (second.className, second.key)
    }
  }

  /// A view of the store, and how many rows it shows.
  public struct ViewCount: Sendable, Hashable, Codable {
    /// The name of the view.
    public var name: String
    /// The rows in words, as the mapping has them.
    public var words: String
    /// The number of rows.
    public var rows: Int

    package init(_ name: String, _ words: String, rows: Int) {
      (self.name, self.words, self.rows) = (name, words, rows)
    }
  }

  /// A class, and how many of its objects are concerned.
  public struct ClassCount: Sendable, Hashable, Comparable, Codable {
    /// The class.
    public var className: String
    /// The number of objects.
    public var count: Int

    init(_ className: String, _ count: Int) {
      self.className = className
      self.count = count
    }

    private enum CodingKeys: String, CodingKey {
      case count
      case className = "class"
    }

    /// By class.
    public static func < (first: Self, second: Self) -> Bool { first.className < second.className }
  }
}

extension ConversionReport {
  /// An entity and its rows.
  public struct Entity: Sendable, Hashable, Codable {
    /// The name of the entity and its table.
    public var name: String
    /// The classes whose objects became its rows.
    public var archivedClasses: [String]
    /// The number of objects of these classes that were reached.
    public var archivedObjects: Int
    /// The number of rows that were written.
    public var rows: Int
    /// Its properties with plain values, collections of them included.
    public var attributes: [Attribute]
    /// Its relationships.
    public var relationships: [Relationship]
    /// The number of values in the rows, those in collections included.
    public var values: Int { attributes.map(\.values).boundedSum }
    /// The number of references from the rows to other rows.
    public var links: Int { relationships.map(\.links).boundedSum }
  }

  /// A property with plain values.
  public struct Attribute: Sendable, Hashable, Codable {
    /// The name of the attribute.
    public var name: String
    /// The archived key.
    public var key: String
    /// The type of its values; "collection of" it for several.
    public var type: String
    /// The number of values.
    public var values: Int
    /// The number of objects that hold nil.
    public var nulls: Int
  }

  /// A relationship.
  public struct Relationship: Sendable, Hashable, Codable {
    /// The name of the relationship.
    public var name: String
    /// The entities that it leads to, separated by commas.
    public var destination: String
    /// True if the relationship leads to several rows.
    public var isToMany: Bool
    /// The relationship that leads back.
    public var inverse: String?
    /// The number of references.
    public var links: Int

    private enum CodingKeys: String, CodingKey {
      case name, destination, inverse, links
      case isToMany = "toMany"
    }
  }
}
