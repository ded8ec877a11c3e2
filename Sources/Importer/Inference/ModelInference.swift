import ArchiveReader

/// Draws a model from a census: an entity for each class, a property for each key, and the
/// inverses that the archives show.
struct ModelInference {
  private let census: Census
  private let stripPrefix: String?
  /// For each class of the census, the name of its entity; nil if none of its objects is a row.
  private var entityNames: [String?] = []

  /// Infers the model of everything that a census counted.
  static func infer(from census: Census, stripPrefix: String?) -> Model {
    var inference = ModelInference(census: census, stripPrefix: stripPrefix)
    inference.nameEntities()
    return inference.model()
  }

  private init(census: Census, stripPrefix: String?) {
    self.census = census
    self.stripPrefix = stripPrefix
  }

  private mutating func nameEntities() {
    var names = NameAllocator(reserved: RelationalLayout.reservedTableNames)
    entityNames = census.classes.map { found in
      guard found.count > 0 else { return nil }
      return names.allocate(EntityName.plain(found.name, stripPrefix: stripPrefix))
    }
  }

  private func model() -> Model {
    let inverses = findInverses()
    var model = Model()
    for (index, found) in census.classes.enumerated() {
      guard let name = entityNames[index] else { continue }
      var entity = Entity(name: name, archivedClasses: [found.name])
      var names = NameAllocator(reserved: [])
      for (place, property) in found.properties.enumerated() {
        let name = names.allocate(ArchivedKey.plain(property.key))
        let at = PropertyPlace(class: index, property: place)
        add(property, named: name, inverse: inverses[at], count: found.count, to: &entity)
      }
      model.entities.append(entity)
    }
    return nameInverses(in: model, inverses)
  }

  // MARK: Properties

  private func add(
    _ property: PropertyCensus, named name: String, inverse: PropertyPlace?, count: Int,
    to entity: inout Entity
  ) {
    let kinds = property.kinds
    if let type = kinds.attributeType {
      entity.attributes.append(Attribute(name: name, key: property.key, type: type))
    } else if kinds.isDisjoint(with: .references) {
      entity.attributes.append(Attribute(name: name, key: property.key, type: .unknown))
    }
    if kinds.contains(.object) {
      entity.relationships.append(
        Relationship(
          name: name, key: property.key, destinations: destinations(property.targets),
          isToMany: false, isOrdered: false, inverse: nil, distinguishesEmpty: false))
    }
    guard kinds.contains(.collection) else { return }
    let elements = property.elements
    let isSparse = property.count < count || kinds.contains(.null)
    let isOrdered = elements.collectionKinds.contains { $0.isOrdered }
    if isRelationship(property) {
      entity.relationships.append(
        Relationship(
          name: name, key: property.key, destinations: destinations(elements.targets),
          isToMany: true, isOrdered: isOrdered, inverse: nil,
          distinguishesEmpty: elements.holdsEmpty && isSparse))
    } else {
      let isKeyed = elements.collectionKinds.contains { $0.isKeyed }
      // A collection that is always empty still gets its table: the key was there.
      let valueType = elements.kinds.attributeType
      let hasReferences = !elements.kinds.isDisjoint(with: .references)
      let keyHasReferences = !elements.keyKinds.isDisjoint(with: .references)
      entity.collections.append(
        ValueCollection(
          name: name, key: property.key, isOrdered: isOrdered,
          keyType: isKeyed && !(keyHasReferences && elements.keyKinds.attributeType == nil)
            ? elements.keyKinds.attributeType ?? .unknown : nil,
          hasReferencesAsKeys: keyHasReferences,
          valueType: valueType ?? (hasReferences ? nil : .unknown),
          hasReferencesAsValues: hasReferences,
          distinguishesEmpty: elements.holdsEmpty && isSparse))
    }
  }

  /// Whether the collections under a key hold rows and nothing else.
  private func isRelationship(_ property: PropertyCensus) -> Bool {
    property.elements.kinds == .object && property.elements.links > 0
      && !property.elements.collectionKinds.contains { $0.isKeyed }
  }

  private func destinations(_ targets: Set<Int>) -> [String] {
    targets.sorted().compactMap { entityNames[$0] }
  }

  // MARK: Inverses

  /// A key of a class, by their places in the census.
  private struct PropertyPlace: Hashable {
    var `class`: Int
    var property: Int
  }

  /// Pairs each to-many relationship with the key under which its members hold its owner, where
  /// there is one: both ways.
  ///
  /// The members must be of one class and hold nothing but owners of one class there. Members that
  /// hold an owner whose collection does not hold them are allowed where the order is kept: a
  /// member's position tells whether it is in the collection.
  private func findInverses() -> [PropertyPlace: PropertyPlace] {
    var pairs: [PropertyPlace: PropertyPlace] = [:]
    for isComplete in [true, false] {
      for (owner, found) in census.classes.enumerated() where found.count > 0 {
        for (place, property) in found.properties.enumerated() {
          let toMany = PropertyPlace(class: owner, property: place)
          guard pairs[toMany] == nil, isRelationship(property),
            let keys = property.elements.inverseKeys, property.elements.targets.count == 1,
            let member = property.elements.targets.first
          else { continue }
          for (memberPlace, memberProperty) in census.classes[member].properties.enumerated() {
            let toOne = PropertyPlace(class: member, property: memberPlace)
            let links = property.elements.links
            let isOrdered = property.elements.collectionKinds.contains(where: \.isOrdered)
            guard keys.contains(memberProperty.key), pairs[toOne] == nil,
              memberProperty.targets == [owner],
              memberProperty.kinds.subtracting([.object, .null]).isEmpty,
              isComplete ? links == memberProperty.references : isOrdered
            else { continue }
            pairs[toMany] = toOne
            pairs[toOne] = toMany
            break
          }
        }
      }
    }
    return pairs
  }

  private func nameInverses(
    in model: Model, _ inverses: [PropertyPlace: PropertyPlace]
  ) -> Model {
    var model = model
    for (from, to) in inverses {
      let key = census.classes[from.class].properties[from.property].key
      let otherKey = census.classes[to.class].properties[to.property].key
      guard let entity = model.entities.firstIndex(where: { $0.name == entityNames[from.class] }),
        let relationship = model.entities[entity].relationships.firstIndex(where: { $0.key == key }),
        let other = model.entities.first(where: { $0.name == entityNames[to.class] })?
          .relationships.first(where: { $0.key == otherKey })
      else { continue }
      model.entities[entity].relationships[relationship].inverse = other.name
    }
    return model
  }
}
