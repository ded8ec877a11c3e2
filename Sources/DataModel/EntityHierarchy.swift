import ArchiveReader
import Support

/// Who inherits from whom in a model, by the indices of the entities.
package struct EntityHierarchy: Sendable {
  /// For each entity, the one that it inherits from.
  package let parents: [Int?]
  /// The entities that inherit from none, in the order of the model.
  package let roots: [Int]
  /// All entities, each after the one that it inherits from, else in the order of the model.
  package let parentsFirst: [Int]
  private let indices: [String: Int]
  private let children: [Int: [Int]]

  /// Finds out who inherits from whom; an entity that would inherit from itself has no parent.
  package init(_ model: Model) {
    let indices = Dictionary(
      model.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let declared = model.entities.map { $0.parent.flatMap { indices[$0] } }
    parents = declared.indices.map { index in
      var next = declared[index]
      for _ in declared.indices {
        guard let ancestor = next, ancestor != index else { break }
        next = declared[ancestor]
      }
      // Where the way up does not end, it leads through a circle.
      return next == nil ? declared[index] : nil
    }
    var children: [Int: [Int]] = [:]
    for (index, parent) in parents.enumerated() {
      if let parent { children[parent, default: []].append(index) }
    }
    roots = parents.indices.filter { [parents] in parents[$0] == nil }
    var order: [Int] = []
    var waiting = Array(roots.reversed())
    while let index = waiting.popLast() {
      order.append(index)
      waiting += (children[index] ?? []).reversed()
    }
    parentsFirst = order
    self.indices = indices
    self.children = children
  }

  /// The index of the entity with a name.
  package func index(of name: String) -> Int? { indices[name] }

  /// True if other entities inherit from one.
  package func hasChildren(_ index: Int) -> Bool { children[index] != nil }

  /// An entity and those that it inherits from, the nearest first.
  package func ancestors(of index: Int) -> [Int] {
    Array(sequence(first: index) { parents[$0] })
  }

  /// An entity and all that inherit from it.
  package func withDescendants(of index: Int) -> [Int] {
    var found: [Int] = []
    var waiting = [index]
    while let next = waiting.popLast() {
      found.append(next)
      waiting += (children[next] ?? []).reversed()
    }
    return found
  }

  /// True if an entity is another or inherits from it.
  package func isKind(_ index: Int, of other: Int) -> Bool {
    var next: Int? = index
    while let entity = next {
      if entity == other { return true }
      next = parents[entity]
    }
    return false
  }

  /// An entity with what it inherits, which stands before its own.
  package func withInherited(_ index: Int, in model: Model) -> Entity {
    var whole = model.entities[index]
    for ancestor in ancestors(of: index).dropFirst() {
      let entity = model.entities[ancestor]
      whole.attributes = entity.attributes + whole.attributes
      whole.relationships = entity.relationships + whole.relationships
      whole.collections = entity.collections + whole.collections
    }
    return whole
  }

  /// The relationship that an entity has or inherits; of two of one name, that which is to-many or
  /// not.
  package func relationship(
    _ name: String, of index: Int, in model: Model, isToMany: Bool? = nil
  ) -> Relationship? {
    for entity in ancestors(of: index) {
      let found = model.entities[entity].relationships.first {
        $0.name == name && (isToMany == nil || $0.isToMany == isToMany)
      }
      if let found { return found }
    }
    return nil
  }

  /// The inverse of a relationship for the rows of an entity; of two of one name, the one that
  /// names this relationship.
  package func inverse(
    of relationship: Relationship, at destination: Int, in model: Model
  ) -> Relationship? {
    guard let name = relationship.inverse else { return nil }
    return ancestors(of: destination).flatMap { model.entities[$0].relationships }
      .filter { $0.name == name }.preferred { $0.inverse == relationship.name }
  }

  /// The attribute that an entity has or inherits.
  package func attribute(_ name: String, of index: Int, in model: Model) -> Attribute? {
    for entity in ancestors(of: index) {
      if let found = model.entities[entity].attributes.first(where: { $0.name == name }) {
        return found
      }
    }
    return nil
  }
}

/// The superclasses that archived classes share whose objects are rows of different entities.
package struct SharedSuperclasses {
  /// An archived class whose objects are rows.
  package struct ArchivedClass: Sendable {
    package var name: String
    /// The closest first.
    package var superclasses: [String]
    package var entity: String

    package init(name: String, superclasses: [String], entity: String) {
      self.name = name
      self.superclasses = superclasses
      self.entity = entity
    }

    /// The prefix that the name of the entity lacks, if nothing else tells it from that of the
    /// class.
    fileprivate var prefix: String? {
      let plain = EntityName.plain(name, stripPrefix: nil)
      return plain.hasSuffix(entity) ? String(plain.dropLast(entity.count)) : nil
    }
  }

  /// A superclass, with all entities whose objects inherit from it.
  package struct Group: Sendable, Equatable {
    /// The archived name of the superclass.
    package var superclass: String
    /// The name of an entity for it: without the module and prefix that the others do without.
    package var name: String
    /// The names of the entities, in the order of their classes.
    package var entities: [String]
  }

  /// In the order of the classes, the closest superclass of each first.
  package let groups: [Group]

  /// Classes from which all others inherit say nothing about them.
  private static let roots: Set = [
    "NSObject", "NSProxy", "SwiftObject", "_SwiftObject", "Swift._SwiftObject",
    "_TtCs12_SwiftObject",
  ]

  /// The naming rules of the entities of some classes.
  private static func rules(of group: [ArchivedClass]) -> NameRules {
    let plain = NameRules(isPlain: true)
    if group.allSatisfy({ plain.entity($0.name) == $0.entity }),
      group.contains(where: { NameRules().entity($0.name) != $0.entity })
    {
      return plain
    }
    let prefixes = Set(group.map(\.prefix))
    return NameRules(stripPrefix: prefixes.count == 1 ? prefixes.first ?? nil : nil)
  }

  /// Finds the superclasses that lead to several entities, and to all classes of each.
  ///
  /// Where several superclasses have the same classes, only the closest one counts, and none of
  /// Foundation's.
  package init(_ classes: [ArchivedClass]) {
    var indices: [String: [Int]] = [:]
    var names: [String] = []
    for (index, found) in classes.enumerated() {
      for name in found.superclasses
      where !Self.roots.contains(name) && KnownClass(archivedName: name) == nil {
        if indices[name] == nil { names.append(name) }
        indices[name, default: []].append(index)
      }
    }
    func counts(_ classes: [ArchivedClass]) -> [String: Int] {
      Dictionary(classes.map { ($0.entity, 1) }, uniquingKeysWith: +)
    }
    let all = counts(classes)
    var seen: Set<[Int]> = []
    groups = names.compactMap { name in
      guard let found = indices[name], seen.insert(found).inserted else { return nil }
      let group = found.map { classes[$0] }
      let entities = counts(group)
      // An entity that has objects of other classes, too, does not belong to the superclass.
      guard entities.count > 1, entities.allSatisfy({ all[$0.key] == $0.value }) else { return nil }
      return Group(
        superclass: name, name: Self.rules(of: group).entity(name),
        entities: group.map(\.entity).uniqued())
    }
  }
}
