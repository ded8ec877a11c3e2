import ArchiveReader
import Support

extension ModelDeclarations {
  /// An entity as a file declares it, not yet checked against the others.
  struct EntityDeclaration {
    var entity: Entity
    /// The line of the XML.
    var line: Int?
    /// The settings for indexes in the file besides fetch indexes.
    var indexHints = FetchIndex.Hints()
    private var propertyNames: Set<String> = []
    private var propertyLines: [String: Int] = [:]

    init(_ entity: Entity, line: Int? = nil) {
      self.entity = entity
      self.line = line
    }

    /// The line of the XML at which a property is declared.
    func line(of property: String) -> Int? { propertyLines[property] }

    mutating func add(_ attribute: Attribute, line: Int? = nil) throws(ModelError) {
      try claim(attribute.name, line)
      entity.attributes.append(attribute)
    }

    mutating func add(_ relationship: Relationship, line: Int? = nil) throws(ModelError) {
      try claim(relationship.name, line)
      entity.relationships.append(relationship)
    }

    /// Takes what the user info of the entity, or of the property that came last, says of a draft.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value.
    ///   - element: The owner of the user info: `entity`, `attribute` or `relationship`.
    mutating func add(userInfo key: String, _ value: String, to element: String) {
      switch (element, key) {
      case ("entity", DraftedTable.userInfoKey): entity.draftedTable = DraftedTable(text: value)
      case ("attribute", DraftedPart.userInfoKey):
        change(&entity.attributes) { $0.draftedPart = DraftedPart(text: value) }
      case ("attribute", DraftedPart.Key.type):
        change(&entity.attributes) { $0.archivedType = AttributeType(rawValue: value) }
      case ("relationship", DraftedPart.userInfoKey):
        change(&entity.relationships) { $0.draftedPart = DraftedPart(text: value) }
      case ("relationship", DraftedPart.Key.inverse):
        change(&entity.relationships) { $0.archivedInverse = value }
      default: break
      }
    }

    private func change<Property>(
      _ properties: inout [Property], _ body: (inout Property) -> Void
    ) {
      guard let last = properties.indices.last else { return }
      body(&properties[last])
    }

    private mutating func claim(_ name: String, _ line: Int?) throws(ModelError) {
      guard propertyNames.insert(name).inserted else {
        throw ModelError(.duplicateProperty, entity: entity.name, property: name, line: line)
      }
      propertyLines[name] = line
    }
  }
}

/// All entities that a file declares: checks them against each other and makes the model.
///
/// An entity of the model has only properties of its own. A compiled model repeats the inherited
/// ones in each subentity, as proxies or as copies; they stay with the topmost entity.
struct ModelDeclarations {
  /// The limits beyond which a file is called hostile: far beyond real models.
  enum Limit {
    static let entities = ReadingLimits.standard.classes
    static let depth = 128
    /// Properties, the inherited ones counted for each entity that has them.
    static let properties = 200_000
  }

  private enum Property {
    case attribute(AttributeType)
    case relationship(Relationship)

    func agrees(with other: Property) -> Bool {
      switch (self, other) {
      case (.attribute(let type), .attribute(let otherType)): type == otherType
      case (.relationship(let one), .relationship(let other)):
        one.destinations == other.destinations && one.isToMany == other.isToMany
      default: false
      }
    }
  }

  /// The declarations that Core Data's compiler warns of, but compiles.
  var notes: [ModelError] = []
  private var declarations: [EntityDeclaration] = []
  private var places: [String: Int] = [:]
  /// For each entity that is checked, its properties and the inherited ones.
  private var properties: [String: [String: Property]] = [:]
  private var propertyCount = 0

  mutating func add(_ declaration: EntityDeclaration) throws(ModelError) {
    let name = declaration.entity.name
    guard places.updateValue(declarations.count, forKey: name) == nil else {
      throw ModelError(.duplicateEntity, entity: name, line: declaration.line)
    }
    guard declarations.count < Limit.entities else { throw ModelError(.tooMany, name: "entities") }
    declarations.append(declaration)
  }

  /// The model, its entities and their properties sorted by name in byte order.
  mutating func model(versionIdentifiers: [String]) throws(ModelError) -> Model {
    for place in try parentsFirst() { try keepOwnProperties(place) }
    for declaration in declarations {
      for relationship in declaration.entity.relationships {
        if let note = try check(relationship, declaration) { notes.append(note) }
      }
      try checkConstraints(declaration)
    }
    let entities = declarations.map { declaration in
      var entity = declaration.entity
      entity.fetchIndexes = declaration.indexHints.compiled(entity.fetchIndexes, of: entity)
      entity.attributes.sort { $0.name.precedesInBytes($1.name) }
      entity.relationships.sort { $0.name.precedesInBytes($1.name) }
      entity.uniquenessConstraints.sort {
        $0.joined(separator: ".").precedesInBytes($1.joined(separator: "."))
      }
      return entity
    }
    var model = Model(
      entities: entities.sorted { $0.name.precedesInBytes($1.name) },
      versionIdentifiers: versionIdentifiers.sorted { $0.precedesInBytes($1) })
    model.notes = notes
    return model
  }

  /// The places of all entities, parents before their subentities.
  private func parentsFirst() throws(ModelError) -> [Int] {
    var depths: [(depth: Int, place: Int)] = []
    for (place, declaration) in declarations.enumerated() {
      let entity = declaration.entity
      func failure(_ code: ModelError.Code, _ name: String) -> ModelError {
        ModelError(code, entity: entity.name, line: declaration.line, name: name)
      }
      var passed: Set<Int> = [place]
      var next = entity
      while let parent = next.parent {
        guard let parentPlace = places[parent] else { throw failure(.unknownParent, parent) }
        guard passed.insert(parentPlace).inserted else { throw failure(.parentCycle, parent) }
        guard passed.count <= Limit.depth else { throw failure(.tooDeep, "\(Limit.depth)") }
        next = declarations[parentPlace].entity
      }
      depths.append((passed.count, place))
    }
    return depths.sorted { ($0.depth, $0.place) < ($1.depth, $1.place) }.map(\.place)
  }

  /// Drops the properties that an entity repeats of its parent.
  private mutating func keepOwnProperties(_ place: Int) throws(ModelError) {
    let declaration = declarations[place]
    var entity = declaration.entity
    var known = entity.parent.flatMap { properties[$0] } ?? [:]
    let inherited = known
    func isOwn(_ name: String, _ property: Property) throws(ModelError) -> Bool {
      guard let other = inherited[name] else { return true }
      guard property.agrees(with: other) else {
        throw ModelError(
          .conflictingProperty, entity: entity.name, property: name,
          line: declaration.line(of: name), name: entity.parent)
      }
      return false
    }
    var attributes: [Attribute] = []
    for attribute in entity.attributes
    where try isOwn(attribute.name, .attribute(attribute.type)) {
      attributes.append(attribute)
      known[attribute.name] = .attribute(attribute.type)
    }
    var relationships: [Relationship] = []
    for relationship in entity.relationships
    where try isOwn(relationship.name, .relationship(relationship)) {
      relationships.append(relationship)
      known[relationship.name] = .relationship(relationship)
    }
    propertyCount += known.count
    guard propertyCount <= Limit.properties else { throw ModelError(.tooMany, name: "properties") }
    (entity.attributes, entity.relationships) = (attributes, relationships)
    properties[entity.name] = known
    declarations[place].entity = entity
  }

  /// Checks where a relationship leads; returns what the compiler warns of.
  private func check(
    _ relationship: Relationship, _ declaration: EntityDeclaration
  ) throws(ModelError) -> ModelError? {
    func failure(_ code: ModelError.Code, _ name: String? = nil) -> ModelError {
      ModelError(
        code, entity: declaration.entity.name, property: relationship.name,
        line: declaration.line(of: relationship.name), name: name)
    }
    guard let destination = relationship.destinations.first else {
      throw failure(.missingDestination)
    }
    guard let properties = properties[destination] else {
      throw failure(.unknownDestination, destination)
    }
    guard let name = relationship.inverse else { return nil }
    guard case .relationship(let inverse) = properties[name] else {
      return failure(.unknownInverse, name)
    }
    guard inverse.inverse == relationship.name, let back = inverse.destinations.first,
      isOrInherits(back, declaration.entity.name)
    else { return failure(.oneSidedInverse, name) }
    return nil
  }

  /// True if an entity is another one, or inherits from it.
  private func isOrInherits(_ entity: String, _ other: String) -> Bool {
    var next: String? = entity
    for _ in 0...Limit.depth {
      guard let name = next else { return false }
      if name == other { return true }
      next = places[name].flatMap { declarations[$0].entity.parent }
    }
    return false
  }

  private func checkConstraints(_ declaration: EntityDeclaration) throws(ModelError) {
    let known = properties[declaration.entity.name] ?? [:]
    for name in declaration.entity.uniquenessConstraints.joined() {
      // A part of a composite attribute is named after it: "name.first".
      let attribute = name.prefix { $0 != "." }
      guard known[name] != nil || known[String(attribute)] != nil else {
        throw ModelError(
          .unknownConstrainedProperty, entity: declaration.entity.name, line: declaration.line,
          name: name)
      }
    }
  }
}
