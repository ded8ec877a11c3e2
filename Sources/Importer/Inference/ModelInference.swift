import ArchiveReader
import DataModel

/// Draws a model from a profile: an entity for each class, a property for each key, and the
/// inverses that the archives show.
package struct ModelInference {
  let profile: SchemaProfile
  let rules: NameRules
  /// The names that earlier runs have given.
  let assigned: AssignedNames
  /// For each class of the profile, the name of its entity; nil if none of its objects is a row.
  var entityNames: [String?] = []

  /// Infers the model of everything that a profile counted.
  ///
  /// - Parameters:
  ///   - profile: The profile of the archives.
  ///   - rules: The rules for naming entities and properties.
  ///   - assigned: The names that classes and keys have already; only plain ones are kept.
  ///   - reservedNames: Names that no entity can have.
  ///   - isFormer: True if a class of a name is another one by now: where names of entities
  ///     collide, it is numbered and not the other.
  /// - Returns: The model, its entities in the order of the profile.
  package static func infer(
    from profile: SchemaProfile, names rules: NameRules, assigned: AssignedNames = AssignedNames(),
    reservedNames: [String], isFormer: (_ className: String) -> Bool = { _ in false }
  ) -> Model {
    var inference = ModelInference(
      profile: profile, rules: rules, assigned: rules.isPlain ? assigned : AssignedNames())
    inference.nameEntities(reservedNames, isFormer)
    return inference.model()
  }

  private init(profile: SchemaProfile, rules: NameRules, assigned: AssignedNames) {
    (self.profile, self.rules, self.assigned) = (profile, rules, assigned)
  }

  private func model() -> Model {
    var model = Model()
    for (index, found) in profile.classes.enumerated() {
      guard let name = entityNames[index] else { continue }
      var entity = Entity(name: name, archivedClasses: [found.name])
      for (property, name) in zip(found.properties, propertyNames(ofClass: index)) {
        add(property, named: name, count: found.count, to: &entity)
      }
      model.entities.append(entity)
    }
    return nameInverses(in: model, findInverses())
  }

  // MARK: Properties

  private func add(
    _ property: SchemaProfile.PropertyProfile, named name: String, count: Int,
    to entity: inout Entity
  ) {
    let kinds = property.kinds
    if let type = kinds.attributeType {
      entity.attributes.append(
        Attribute(
          name: name, key: property.key, type: type,
          holdsNegativeZero: kinds.contains(.negativeZero)))
    } else if kinds.isDisjoint(with: .references) {
      entity.attributes.append(Attribute(name: name, key: property.key, type: .unknown))
    }
    if kinds.contains(.object) {
      entity.relationships.append(
        Relationship(
          name: name, key: property.key, destinations: destinations(property.targets),
          isToMany: false))
    }
    guard kinds.contains(.collection) else { return }
    let elements = property.elements
    let isSparse = property.count < count || kinds.contains(.null)
    let isOrdered = elements.collectionKinds.contains { $0.isOrdered }
    if isRelationship(property) {
      entity.relationships.append(
        Relationship(
          name: name, key: property.key, destinations: destinations(elements.targets),
          isToMany: true, isOrdered: isOrdered,
          distinguishesEmpty: elements.holdsEmpty && isSparse))
    } else {
      let isKeyed = elements.collectionKinds.contains { $0.isKeyed }
      // A collection that is always empty still gets its table: the key was there.
      let valueType = elements.kinds.elementType
      let hasReferences = !elements.kinds.isDisjoint(with: .references)
      let keyHasReferences = !elements.keyKinds.isDisjoint(with: .references)
      entity.collections.append(
        ValueCollection(
          name: name, key: property.key, isOrdered: isOrdered,
          keyType: isKeyed && !(keyHasReferences && elements.keyKinds.elementType == nil)
            ? elements.keyKinds.elementType ?? .unknown : nil,
          hasReferencesAsKeys: keyHasReferences,
          valueType: valueType ?? (hasReferences ? nil : .unknown),
          hasReferencesAsValues: hasReferences,
          holdsNegativeZero: elements.kinds.union(elements.keyKinds).contains(.negativeZero),
          distinguishesEmpty: elements.holdsEmpty && isSparse))
    }
  }

  /// True if the collections under a key hold rows and nothing else.
  private func isRelationship(_ property: SchemaProfile.PropertyProfile) -> Bool {
    property.elements.kinds == .object && property.elements.links > 0
      && !property.elements.collectionKinds.contains { $0.isKeyed }
  }

  private func destinations(_ targets: Set<Int>) -> [String] {
    targets.sorted().compactMap { entityNames[$0] }
  }

  // MARK: Inverses

  /// A key of a class, by their places in the profile.
  struct PropertyIndex: Hashable {
    var `class`: Int
    var property: Int
  }

  /// The relationships of a profile that are each other's inverse: both ways.
  static func inverses(in profile: SchemaProfile) -> [PropertyIndex: PropertyIndex] {
    ModelInference(profile: profile, rules: NameRules(), assigned: AssignedNames())
      .findInverses()
  }

  /// Pairs relationships that are each other's inverse: both ways.
  private func findInverses() -> [PropertyIndex: PropertyIndex] {
    var pairs: [PropertyIndex: PropertyIndex] = [:]
    let toManys = profile.classes.indices.flatMap { index in
      profile.classes[index].properties.indices.map { PropertyIndex(class: index, property: $0) }
    }.filter { isPureToMany(property(at: $0)) }
    func pair(_ toMany: PropertyIndex, _ other: PropertyIndex?) {
      guard let other else { return }
      pairs[toMany] = other
      pairs[other] = toMany
    }
    // A key whose members all lead back is a better inverse than one where only some do.
    for isComplete in [true, false] {
      for toMany in toManys where pairs[toMany] == nil {
        pair(toMany, toOneInverse(of: toMany, isComplete: isComplete) { pairs[$0] == nil })
      }
    }
    for toMany in toManys where pairs[toMany] == nil {
      pair(toMany, toManyInverse(of: toMany) { pairs[$0] == nil })
    }
    return pairs
  }

  /// True if the values under a key are collections of rows of one class, and nothing else.
  private func isPureToMany(_ property: SchemaProfile.PropertyProfile) -> Bool {
    isRelationship(property) && property.elements.targets.count == 1
      && property.kinds.subtracting([.collection, .null]).isEmpty
  }

  /// The key under which the members of a to-many relationship hold their owner.
  ///
  /// They must hold nothing but owners of one class there. Members that hold an owner whose
  /// collection does not hold them are allowed where the order is kept: a member's position tells
  /// whether it is in the collection.
  private func toOneInverse(
    of toMany: PropertyIndex, isComplete: Bool, isFree: (PropertyIndex) -> Bool
  ) -> PropertyIndex? {
    let elements = property(at: toMany).elements
    guard let member = elements.targets.first,
      isComplete || elements.collectionKinds.contains(where: \.isOrdered)
    else { return nil }
    for key in elements.inverseKeys ?? [] {
      guard let index = profile.classes[member].knownIndex(of: key) else { continue }
      let toOne = PropertyIndex(class: member, property: index)
      let found = property(at: toOne)
      guard isFree(toOne), found.targets == [toMany.class],
        found.kinds.subtracting([.object, .null]).isEmpty,
        !isComplete || elements.links == found.references
      else { continue }
      return toOne
    }
    return nil
  }

  /// The to-many relationship of the members that holds the same links the other way round.
  private func toManyInverse(
    of toMany: PropertyIndex, isFree: (PropertyIndex) -> Bool
  ) -> PropertyIndex? {
    let elements = property(at: toMany).elements
    guard let member = elements.targets.first, !elements.holdsTwice else { return nil }
    for (index, found) in profile.classes[member].properties.enumerated() {
      let other = PropertyIndex(class: member, property: index)
      guard other != toMany, isFree(other), isPureToMany(found), !found.elements.holdsTwice,
        found.elements.targets == [toMany.class], found.elements.links == elements.links,
        found.elements.backwardDigest == elements.forwardDigest
      else { continue }
      return other
    }
    return nil
  }

  private func property(at index: PropertyIndex) -> SchemaProfile.PropertyProfile {
    profile.classes[index.class].properties[index.property]
  }

  private func nameInverses(
    in model: Model, _ inverses: [PropertyIndex: PropertyIndex]
  ) -> Model {
    var model = model
    let places = Dictionary(
      uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
    func find(_ index: PropertyIndex) -> (entity: Int, relationship: Int)? {
      guard let entity = entityNames[index.class].flatMap({ places[$0] }),
        let relationship = model.entities[entity].relationships.firstIndex(where: {
          $0.key == property(at: index).key
        })
      else { return nil }
      return (entity, relationship)
    }
    for (from, to) in inverses {
      guard let from = find(from), let to = find(to) else { continue }
      model.entities[from.entity].relationships[from.relationship].inverse =
        model.entities[to.entity].relationships[to.relationship].name
    }
    return model
  }
}
