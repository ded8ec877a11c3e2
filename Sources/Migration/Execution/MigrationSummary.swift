import DataModel
import Mappings
import Support

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

extension MigrationSummary: CustomStringConvertible {
  /// The summary in words: a line for each entity mapping, what was lost by it below, then what
  /// concerns the whole.
  public var description: String {
    var lines = entityMappings.flatMap(\.lines)
    for (entity, count) in unmigratedObjects.sorted(by: { $0.key < $1.key }) {
      lines.append("not migrated: \(count) \(entity)")
    }
    if otherObjects > 0 {
      lines.append("made by policies without a source object: \(otherObjects)")
    }
    if replacedLinks > 0 {
      lines.append("links replaced by others of a to-one relationship: \(replacedLinks)")
    }
    if !omissions.isEmpty {
      lines.append("left out, since the model was edited after the mapping model was made:")
      lines += omissions.map { "  \($0)" }
    }
    return PrintableText.lines(lines)
  }
}

extension MigrationSummary.Omission: CustomStringConvertible {
  /// The place, and the reason: `CarToCar.color: unknown property color`.
  public var description: String {
    "\([entityMapping, property].compactMap { $0 }.joined(separator: ".")): \(reason)"
  }
}

extension MigrationSummary.EntityMapping {
  /// A line with the objects in and out, and one for each thing that was lost or left.
  fileprivate var lines: [String] {
    var lines = ["\(name): \(objects)"]
    if droppedObjects > 0 { lines.append("  dropped by the policy: \(droppedObjects)") }
    if !unreadProperties.isEmpty {
      lines.append(
        "  not read: \(Self.list(unreadProperties, unreadValues) { $0 == 1 ? "value" : "values" })")
    }
    if !lostLinks.isEmpty {
      lines.append("  links left behind: \(Self.list(lostLinks.keys.sorted(), lostLinks))")
    }
    if !convertedAttributes.isEmpty {
      lines.append("  converted: \(Self.list(convertedAttributes, lostValues) { _ in "lost" })")
    }
    let defaults = unfilledProperties.filter { !missingProperties.contains($0) }
    if !defaults.isEmpty { lines.append("  left at the default: \(Self.list(defaults))") }
    let missing = Set(missingProperties).union(missingValues.keys).sorted()
    if !missing.isEmpty {
      let list = Self.list(missing, missingValues) { $0 == 1 ? "object" : "objects" }
      lines.append("  mandatory, but without a value: \(list)")
    }
    return lines
  }

  private var objects: String {
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?):
      "\(sourceObjects) \(source) to \(destinationObjects) \(destination)"
    case (let source?, nil): "\(sourceObjects) \(source) removed"
    case (nil, let destination?): "\(destinationObjects) new \(destination)"
    case (nil, nil): "nothing"
    }
  }

  private static func list(
    _ names: [String], _ counts: [String: Int] = [:], _ unit: ((Int) -> String)? = nil
  ) -> String {
    names.map { name in
      guard let count = counts[name] else { return name }
      return unit.map { "\(name) (\(count) \($0(count)))" } ?? "\(name) (\(count))"
    }.joined(separator: ", ")
  }
}

extension MigrationSummary {
  /// Takes note of what is read, converted and set by entity mappings and their policies.
  package mutating func note(_ uses: PolicyUses, _ program: MigrationProgram) {
    for index in entityMappings.indices { entityMappings[index].note(uses, program, index) }
  }

  /// For each entity mapping, the unread properties that only some of its objects have, or that
  /// others read of some of them.
  package func partlyUnreadProperties(
    _ uses: PolicyUses, _ program: MigrationProgram
  ) -> [[String: [Int]]] {
    entityMappings.enumerated().map { index, entry in
      program.partlyUnreadProperties(among: entry.unreadProperties, of: index, uses)
    }
  }
}

extension MigrationSummary.EntityMapping {
  init(_ mapping: PlannedMapping) {
    name = mapping.info.name
    sourceEntityName = mapping.info.sourceClassNames.first
    destinationEntityName = mapping.info.destination
    policyClassName = mapping.policyClassName
  }

  fileprivate mutating func note(
    _ uses: PolicyUses, _ program: MigrationProgram, _ index: Int
  ) {
    let mapping = program.mappings[index]
    guard let entityIndex = mapping.destinationEntity else { return }
    unreadProperties = program.unreadProperties(of: index, uses)
    let entity = program.destination.entities[entityIndex]
    if uses.followsAttributes(of: mapping) {
      convertedAttributes = zip(entity.keys, mapping.values).compactMap { key, value in
        if case .copy(_, false, _) = value { key } else { nil }
      }
    }
    let declared = mapping.declared?.attributes.filter(\.isConverted) ?? []
    convertedAttributes = (convertedAttributes + declared.map(\.attribute.name)).sorted()
    // Nothing is made of an entity without source objects, but by policies.
    guard mapping.sourceEntity != nil else { return }
    let filled = program.filledProperties(of: mapping, entityIndex, uses)
    for property in entity.properties where !filled.contains(property.name) {
      switch property.content {
      case .attribute(let attribute):
        // Core Data computes a derived attribute when it saves the object.
        if attribute.isDerived { continue }
        unfilledProperties.append(property.name)
        if !attribute.isOptional, attribute.initialValue.isNull {
          missingProperties.append(property.name)
        }
      case .relationship(let relationship, let pair, let side):
        if program.isFilled(pair: pair, side: side, uses) { continue }
        unfilledProperties.append(property.name)
        if !relationship.isOptional, relationship.requiredCount > 0 {
          missingProperties.append(property.name)
        }
      }
    }
    unfilledProperties.sort()
    missingProperties.sort()
  }
}

extension PolicyUses {
  /// Whether objects of an entity mapping have the attributes that the mapping model says.
  func followsAttributes(of mapping: PlannedMapping) -> Bool {
    !mapping.isEager || attributes.contains(mapping.info.index)
  }

  /// Whether they have the relationships that it says.
  func followsRelationships(of mapping: PlannedMapping) -> Bool {
    !mapping.isEager || relationships.contains(mapping.info.index)
  }
}

extension MigrationProgram {
  /// The properties that an entity mapping gives a value, or a policy objects of its entity.
  fileprivate func filledProperties(
    of mapping: PlannedMapping, _ entity: Int, _ uses: PolicyUses
  ) -> Set<String> {
    var filled = uses.filledProperties[entity] ?? []
    for property in destination.entities[entity].properties
    where mapping.filledProperties.contains(property.name) {
      let isFollowed =
        switch property.content {
        case .attribute: uses.followsAttributes(of: mapping)
        case .relationship: uses.followsRelationships(of: mapping)
        }
      if isFollowed { filled.insert(property.name) }
    }
    return filled
  }

  /// Whether something says where the other side of a relationship leads to.
  fileprivate func isFilled(pair: Int, side: Int, _ uses: PolicyUses) -> Bool {
    func isOtherSide(_ property: DestinationSchema.Property) -> Bool {
      guard case .relationship(_, pair, let other) = property.content else { return false }
      return other != side
    }
    func isFilled(_ entity: Int, _ filled: Set<String>) -> Bool {
      destination.entities[entity].properties.contains {
        isOtherSide($0) && filled.contains($0.name)
      }
    }
    return uses.filledProperties.contains { isFilled($0.key, $0.value) }
      || mappings.contains { mapping in
        mapping.destinationEntity.map {
          isFilled($0, filledProperties(of: mapping, $0, uses))
        } ?? false
      }
  }
}
