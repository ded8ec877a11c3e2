/// What a migration came to: objects in and out of each entity mapping, and what was left behind.
///
/// Lost values are counted after it has run.
public struct MigrationSummary: Sendable, Hashable, Codable {
  /// What an entity mapping came to.
  public struct EntityMapping: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// The entity of the old model; nil if there is none.
    public var sourceEntityName: String?
    /// The entity of the new model; nil if the objects were left behind.
    public var destinationEntityName: String?
    /// The class of its policy, if it has one.
    public var policyClassName: String?
    /// How many source objects it was given.
    public var sourceObjects = 0
    /// How many destination objects stand for them.
    public var destinationObjects = 0
    /// How many of the source objects its policy made nothing of.
    public var droppedObjects = 0
    /// The stored properties of the source objects that neither an expression of this entity mapping
    /// reads, nor one of another that is given the same objects, nor a policy, sorted by name.
    public var unreadProperties: [String] = []
    /// How many of its source objects have a value under each of these, or a link; those without
    /// are left out.
    public var unreadValues: [String: Int] = [:]
    /// How many links of each relationship of the source entity are left behind, though the entity
    /// mapping follows it: nothing was made of the other object that a new relationship can hold.
    ///
    /// Each link counts once, at one of its ends; relationships without any are left out.
    public var lostLinks: [String: Int] = [:]
    /// The attributes that are copied from one of another type, sorted by name: numbers may have
    /// been rounded.
    public var convertedAttributes: [String] = []
    /// How many values of each of these are not what they were: rounded, or nil.
    ///
    /// Attributes without any are left out.
    public var lostValues: [String: Int] = [:]
    /// The stored properties of the destination entity that neither the entity mapping nor a policy
    /// gives a value, sorted by name: they have their defaults.
    public var unfilledProperties: [String] = []
    /// Those of them that the model demands a value of, and that have no default.
    public var missingProperties: [String] = []
    /// How many of its source objects have no value for each property that the model demands one of,
    /// and that has its value from there.
    ///
    /// Properties without any are left out, and those that an expression computes.
    public var missingValues: [String: Int] = [:]
  }

  /// What was left out of a mapping model, since a version of the model was edited after it was
  /// made.
  public struct Omission: Sendable, Hashable, Codable {
    /// The name of the entity mapping.
    public var entityMapping: String
    /// The name of the property; nil if the whole entity mapping was left out.
    public var property: String?
    /// Why, in words.
    public var reason: String
  }

  /// The entity mappings, in the order of the mapping models.
  public var entityMappings: [EntityMapping]
  /// How many objects the old store has, by entity.
  public package(set) var sourceObjects: [String: Int] = [:]
  /// How many of them no entity mapping was given, by entity.
  public package(set) var unmigratedObjects: [String: Int] = [:]
  /// How many objects policies made that stand for no source object.
  public var otherObjects = 0
  /// How many links were replaced or left out, since two objects had one that leads to one object
  /// alone, or a relationship to one object was given several.
  public var replacedLinks = 0
  /// What was left out of the mapping models.
  public var omissions: [Omission]

  package init(_ program: MigrationProgram) {
    entityMappings = program.mappings.map(EntityMapping.init)
    omissions = program.leftOut.map {
      Omission(entityMapping: $0.entityMapping ?? "?", property: $0.property, reason: $0.words)
    }
  }
}

extension MigrationSummary.EntityMapping {
  /// Reads one of a report; counts that the program did not make at its time are empty.
  ///
  /// - Throws: `DecodingError` if it is none.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func names(_ key: CodingKeys) throws -> [String] {
      try fields.decodeIfPresent([String].self, forKey: key) ?? []
    }
    func counts(_ key: CodingKeys) throws -> [String: Int] {
      try fields.decodeIfPresent([String: Int].self, forKey: key) ?? [:]
    }
    name = try fields.decode(String.self, forKey: .name)
    sourceEntityName = try fields.decodeIfPresent(String.self, forKey: .sourceEntityName)
    destinationEntityName = try fields.decodeIfPresent(String.self, forKey: .destinationEntityName)
    policyClassName = try fields.decodeIfPresent(String.self, forKey: .policyClassName)
    sourceObjects = try fields.decode(Int.self, forKey: .sourceObjects)
    destinationObjects = try fields.decode(Int.self, forKey: .destinationObjects)
    droppedObjects = try fields.decode(Int.self, forKey: .droppedObjects)
    (unreadProperties, unreadValues) = (try names(.unreadProperties), try counts(.unreadValues))
    lostLinks = try counts(.lostLinks)
    (convertedAttributes, lostValues) = (try names(.convertedAttributes), try counts(.lostValues))
    unfilledProperties = try names(.unfilledProperties)
    (missingProperties, missingValues) = (try names(.missingProperties), try counts(.missingValues))
  }
}
