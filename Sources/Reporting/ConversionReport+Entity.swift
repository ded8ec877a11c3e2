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
