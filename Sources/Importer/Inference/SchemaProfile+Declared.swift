import ArchiveReader
import DataModel
import Support

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
    let hierarchy = EntityHierarchy(model)
    let classIndices = declare(source.modelSource)
    var counts: [Int] = []
    var next = 0
    while let (uid, id) = try graph.ownObject(from: next) {
      while counts.count <= id.index { counts.append(0) }
      counts[id.index] += 1
      next = uid + 1
      if ticker.isDue { ticker.share = Double(next) / Double(source.objectCount) }
      ticker.tick()
    }
    ticker.share = 1
    for (id, count) in counts.enumerated() where count > 0 {
      update(index(of: graph.classes[id].name)) { $0.count = count }
    }
    for index in model.entities.indices {
      addProperties(of: index, in: model, hierarchy, classIndices)
    }
  }

  /// Notes the model of a source, whose entities have their indices then, with objects or without.
  ///
  /// - Returns: The indices of the model's entities.
  @discardableResult
  mutating func declare(_ source: ModelSource) -> [Int] {
    declared = .one(source)
    let hierarchy = EntityHierarchy(source.model)
    return source.model.entities.enumerated().map { entityIndex, entity in
      let classIndex = index(of: entity.name)
      let ancestors = hierarchy.ancestors(of: entityIndex).map { source.model.entities[$0].name }
      update(classIndex) { $0.hierarchy = ancestors + [ClassProfile.managedObject] }
      return classIndex
    }
  }

  private mutating func addProperties(
    of index: Int, in model: Model, _ hierarchy: EntityHierarchy, _ classIndices: [Int]
  ) {
    let entity = hierarchy.withInherited(index, in: model)
    let classIndex = classIndices[index]
    let count = classes[classIndex].count
    for attribute in entity.storedAttributes {
      let property = update(classIndex) { $0.index(of: attribute.name) }
      add(
        attribute.type.kinds, references: 0, objects: count, class: classIndex, property: property)
    }
    for relationship in entity.storedRelationships {
      let property = update(classIndex) { $0.index(of: relationship.name) }
      let targets = relationship.destinations.compactMap(hierarchy.index)
        .flatMap(hierarchy.withDescendants).filter { !model.entities[$0].isAbstract }
        .map { classIndices[$0] }
      guard relationship.isToMany else {
        add(
          [.null, .object], references: max(1, count), objects: count, class: classIndex,
          property: property)
        for target in targets { note(target: target, class: classIndex, property: property) }
        continue
      }
      add(.collection, references: 0, objects: count, class: classIndex, property: property)
      var elements = ElementProfile()
      elements.collectionKinds = [relationship.isOrdered ? .orderedSet : .set]
      (elements.kinds, elements.targets) = (.object, Set(targets))
      elements.holdsEmpty = true
      // How many links there are is not counted. Inference takes two relationships for each other's
      // inverse if they have as many, which these have.
      let memberCount = targets.reduce(0) { $0 + classes[$1].count }
      elements.links = max(1, memberCount)
      let destination = relationship.destinations.compactMap(hierarchy.index).first
      if let inverse = destination.flatMap({
        hierarchy.inverse(of: relationship, at: $0, in: model)
      }) {
        elements.inverseKeys = inverse.isToMany ? [] : [inverse.name]
        if inverse.isToMany { elements.links = max(1, count + memberCount) }
        // Two relationships with the same links: see `ElementProfile.forwardDigest`.
        elements.forwardDigest = Self.digest(relationship.name, inverse.name)
        elements.backwardDigest = Self.digest(inverse.name, relationship.name)
      }
      update(classIndex) { $0.update(property) { $0.elements = elements } }
    }
  }

  private static func digest(_ name: String, _ inverse: String) -> UInt64 {
    Array("\(name)\0\(inverse)".utf8).withBorrowedBytes { InternTable.hash($0) }
  }
}

extension SchemaProfile.ClassProfile {
  /// The class that the objects of all entities are of.
  fileprivate static let managedObject = "NSManagedObject"

  /// True if it is an entity of a store, which may have no objects.
  package var isEntity: Bool { hierarchy.last == Self.managedObject }
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
    case .binary, .transformable, .objectID: [.null, .data]
    case .uuid: [.null, .uuid]
    case .uri: [.null, .url]
    case .json: [.null, .foundation]
    case .attributedText: [.null, .attributedText]
    // No store can be read that has values of composite attributes.
    case .composite, .undefined, .mixed, .unknown: .null
    }
  }
}

extension SchemaProfile {
  /// The model of a profile's sources, as far as it is known.
  package enum DeclaredModel: Sendable {
    /// There was no source yet, or none but archives of plain values in values of others.
    case none
    /// All sources are stores of one model.
    case one(ModelSource)
    /// All sources are stores of one model, and archives in their values have other classes.
    case extended(ModelSource)
    /// There was nothing but archives in values of others, with classes of their own.
    case nested
    /// Some sources have no model, or another.
    case various

    /// The model, if all objects are of one.
    package var source: ModelSource? {
      if case .one(let source) = self { source } else { nil }
    }

    /// The model of the stores, whatever is in their values.
    package var storeSource: ModelSource? {
      switch self {
      case .one(let source), .extended(let source): source
      case .none, .nested, .various: nil
      }
    }

    mutating func merge(_ other: DeclaredModel) {
      switch (self, other) {
      case (_, .none), (.nested, .nested): break
      case (.none, _): self = other
      case (.one(let source), .nested), (.extended(let source), .nested),
        (.nested, .one(let source)), (.nested, .extended(let source)):
        self = .extended(source)
      case (.one(let own), .one(let found)) where own.model == found.model: break
      default:
        guard let own = storeSource, let found = other.storeSource, own.model == found.model else {
          self = .various
          return
        }
        self = .extended(own)
      }
    }
  }
}

/// Chooses the objects of an archive that predict its profile.
///
/// Of each class so many objects are looked at, those that the walk comes to first; of a long
/// collection, elements here and there. Objects that are left out are no links either: so what the
/// sample holds is a whole by itself, in which members lead to their owners and back as they do in
/// the archive.
package struct ProfileSample {
  /// The size of a sample.
  package struct Size: Sendable {
    /// The most objects of a class that it takes.
    package var objects = 1 << 14
    /// The approximate number of elements of a collection that it looks at.
    package var elements = 256

    package init() {}
  }

  /// The number of elements left out in a row after which the rest of the collection is, too.
  static let maxLeftOut = 16

  private let size: Size
  /// For each class of the profile, how many objects were taken.
  private var counts: [Int] = []

  init(_ size: Size) {
    self.size = size
  }

  /// Takes another object of a class; returns whether there is room for it.
  mutating func admit(class place: Int) -> Bool {
    while counts.count <= place { counts.append(0) }
    guard counts[place] < size.objects else { return false }
    counts[place] += 1
    return true
  }

  /// The distance between the elements of a collection that are looked at.
  func step(over count: Int) -> Int { max(1, count / max(1, size.elements)) }
}
