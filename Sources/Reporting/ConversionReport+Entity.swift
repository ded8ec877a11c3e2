extension ConversionReport {
  /// An entity and its rows.
  public struct Entity: Sendable, Hashable, Codable {
    /// The name of the entity and its table.
    public var name: String
    /// The classes whose objects became its rows.
    public var archivedClasses: [String]
    /// How many objects of these classes were reached.
    public var archivedObjects: Int
    /// How many rows were written.
    public var rows: Int
    /// Its properties with plain values, collections of them included.
    public var attributes: [Attribute]
    /// Its relationships.
    public var relationships: [Relationship]
    /// How many values the rows hold, those in collections included.
    public var values: Int { attributes.map(\.values).boundedSum }
    /// How many references to other rows they hold.
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
    /// How many values there are.
    public var values: Int
    /// How many objects hold nil.
    public var nulls: Int
  }

  /// A relationship.
  public struct Relationship: Sendable, Hashable, Codable {
    /// The name of the relationship.
    public var name: String
    /// The entities that it leads to, separated by commas.
    public var destination: String
    /// Whether it leads to several rows.
    public var isToMany: Bool
    /// The relationship that leads back.
    public var inverse: String?
    /// How many references it holds.
    public var links: Int

    private enum CodingKeys: String, CodingKey {
      case name, destination, inverse, links
      case isToMany = "toMany"
    }
  }
}
