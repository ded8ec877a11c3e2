import ArchiveReader
import Support

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
