import ArchiveReader
import CoreDataStores
import DataModel

/// What a profile knows of the models of its sources.
enum DeclaredModel: Sendable {
  /// There was no source yet.
  case none
  /// All sources are stores of one model.
  case one(ModelSource)
  /// Some sources have no model, or another.
  case various

  /// The model, if all sources are of one.
  var source: ModelSource? {
    if case .one(let source) = self { source } else { nil }
  }

  mutating func merge(_ other: DeclaredModel) {
    switch (self, other) {
    case (_, .none): break
    case (.none, _): self = other
    case (.one(let own), .one(let found)) where own.model == found.model: break
    default: self = .various
    }
  }
}

extension SchemaProfile {
  /// The profile of a store whose model is known.
  ///
  /// It is what the model says, and how many objects there are of each entity. No value is read.
  ///
  /// - Complexity: Linear in the number of objects, of each of which only the entity is asked for.
  init(
    declaredBy source: any ModelledSource, _ graph: any ObjectGraph, _ ticker: inout ObjectTicker
  ) throws(ArchiveError) {
    self.init()
    let model = source.modelSource.model
    declared = .one(source.modelSource)
    let hierarchy = EntityHierarchy(model)
    let places = model.entities.map { index(of: $0.name) }
    for (number, place) in places.enumerated() {
      let ancestors = hierarchy.ancestors(of: number).map { model.entities[$0].name }
      update(place) { $0.hierarchy = ancestors + ["NSManagedObject"] }
    }
    var counts: [Int] = []
    var next = 0
    while let (uid, id) = try graph.ownObject(from: next) {
      while counts.count <= id.index { counts.append(0) }
      counts[id.index] += 1
      ticker.tick()
      next = uid + 1
    }
    for (number, count) in counts.enumerated() where count > 0 {
      update(index(of: graph.classes[number].name)) { $0.count = count }
    }
    for number in model.entities.indices {
      addProperties(of: number, in: model, hierarchy, places)
    }
  }

  private mutating func addProperties(
    of number: Int, in model: Model, _ hierarchy: EntityHierarchy, _ places: [Int]
  ) {
    let entity = hierarchy.withInherited(number, in: model)
    let place = places[number]
    let count = classes[place].count
    for attribute in entity.storedAttributes {
      let property = update(place) { $0.index(of: attribute.name) }
      add(attribute.type.kinds, references: 0, objects: count, class: place, property: property)
    }
    for relationship in entity.storedRelationships {
      let property = update(place) { $0.index(of: relationship.name) }
      let targets = relationship.destinations.compactMap(hierarchy.number)
        .flatMap(hierarchy.withDescendants).filter { !model.entities[$0].isAbstract }
        .map { places[$0] }
      guard relationship.isToMany else {
        add([.null, .object], references: count, objects: count, class: place, property: property)
        for target in targets { note(target: target, class: place, property: property) }
        continue
      }
      add(.collection, references: 0, objects: count, class: place, property: property)
      var elements = ElementProfile()
      elements.collectionKinds = [relationship.isOrdered ? .orderedSet : .set]
      (elements.kinds, elements.targets) = (.object, Set(targets))
      (elements.links, elements.holdsEmpty) = (count, true)
      let destination = relationship.destinations.compactMap(hierarchy.number).first
      if let inverse = destination.flatMap({
        hierarchy.inverse(of: relationship, at: $0, in: model)
      }) {
        elements.inverseKeys = inverse.isToMany ? [] : [inverse.name]
        // Two relationships with the same links: see `ElementProfile.forwardDigest`.
        elements.forwardDigest = Self.digest(relationship.name, inverse.name)
        elements.backwardDigest = Self.digest(inverse.name, relationship.name)
      }
      update(place) { $0.update(property) { $0.elements = elements } }
    }
  }

  private static func digest(_ name: String, _ inverse: String) -> UInt64 {
    Array("\(name)\0\(inverse)".utf8).withUnsafeBytes { InternTable.hash($0) }
  }
}

extension AttributeType {
  /// The kinds of values that an attribute of this type holds.
  fileprivate var kinds: ValueKinds {
    switch self {
    case .boolean: [.null, .bool]
    case .integer16, .integer32, .integer: [.null, .integer]
    case .float, .double: [.null, .real]
    case .decimal: [.null, .decimal]
    case .string: [.null, .text]
    case .date: [.null, .date]
    case .binary, .transformable, .objectID, .composite: [.null, .data]
    case .uuid: [.null, .uuid]
    case .uri: [.null, .url]
    case .json: [.null, .foundation]
    case .attributedText: [.null, .attributedText]
    case .undefined, .mixed, .unknown: .null
    }
  }
}

extension Model {
  /// The model as it steers the conversion of a store of its own: what is in the store is kept
  /// whether or not it fits the rules, and nothing takes the place of what is missing.
  var withoutRules: Model {
    var model = self
    for entity in model.entities.indices {
      model.entities[entity].archivedClasses = [model.entities[entity].name]
      for place in model.entities[entity].attributes.indices {
        var attribute = model.entities[entity].attributes[place]
        attribute.key = attribute.name
        attribute.isOptional = true
        attribute.defaultValue = nil
        (attribute.minimum, attribute.maximum, attribute.pattern) = (nil, nil, nil)
        model.entities[entity].attributes[place] = attribute
      }
      for place in model.entities[entity].relationships.indices {
        var relationship = model.entities[entity].relationships[place]
        relationship.key = relationship.name
        relationship.isOptional = true
        relationship.minimumCount = 0
        relationship.maximumCount = relationship.isToMany ? 0 : 1
        model.entities[entity].relationships[place] = relationship
      }
      model.entities[entity].uniquenessConstraints = []
    }
    return model
  }
}
