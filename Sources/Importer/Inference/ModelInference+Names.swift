import ArchiveReader
import DataModel

/// The names of entities and properties.
extension ModelInference {
  /// A class or key that needs a name.
  private struct Nameless {
    /// The name that it has by the rules.
    var wanted: String
    /// True if that is its archived name.
    var isKept: Bool
    /// The name that it has got in an earlier run.
    var assigned: String?
  }

  /// Names the entity of each class of which there are objects.
  mutating func nameEntities(_ reservedNames: [String], _ isFormer: (String) -> Bool) {
    let named = profile.classes.indices.filter { profile.classes[$0].count > 0 }
    let order =
      named.filter { !isFormer(profile.classes[$0].name) }
      + named.filter { isFormer(profile.classes[$0].name) }
    let names = names(
      order.map { place in
        let name = profile.classes[place].name
        let wanted = rules(of: place).entity(name)
        return Nameless(
          wanted: wanted, isKept: wanted == EntityName.plain(name, stripPrefix: nil),
          assigned: assigned.classes[name]?.entity)
      }, keptFirst: rules.isPlain, reserved: reservedNames,
      known: assigned.classes.values.map(\.entity))
    entityNames = Array(repeating: nil, count: profile.classes.count)
    for (place, name) in zip(order, names) { entityNames[place] = name }
  }

  /// The names of the properties of a class, in the order of its keys.
  func propertyNames(ofClass place: Int) -> [String] {
    let found = profile.classes[place]
    let known = assigned.classes[found.name]?.properties ?? [:]
    return names(
      found.properties.map { property in
        let wanted = rules(of: place).property(property.key, of: found.name)
        return Nameless(
          wanted: wanted, isKept: wanted == ArchivedKey.plain(property.key),
          assigned: known[property.key])
      }, keptFirst: rules(of: place).changesKeys, known: Array(known.values))
  }

  /// Different names.
  ///
  /// - Parameters:
  ///   - things: The classes or keys that need names.
  ///   - keptFirst: True if those that keep their archived names go first where names collide.
  ///   - reserved: Names that nothing can have.
  ///   - known: The names that earlier runs have given, also to what is not among the things. A
  ///     store may say anything: each is given once, and as SQLite takes it.
  /// - Returns: The names, in the order of the things.
  private func names(
    _ things: [Nameless], keptFirst: Bool, reserved: [String] = [], known: [String]
  ) -> [String] {
    var allocator = NameAllocator(reserved: reserved)
    var names = things.map { thing in thing.assigned.map { allocator.allocate($0) } }
    for name in Set(known).subtracting(names.compactMap { $0 }).sorted() {
      _ = allocator.allocate(name)
    }
    for keeps in keptFirst ? [true, false] : [nil] {
      for (place, thing) in things.enumerated()
      where names[place] == nil && (keeps == nil || thing.isKept == keeps) {
        names[place] = allocator.allocate(thing.wanted)
      }
    }
    return zip(names, things).map { $0 ?? $1.wanted }
  }

  /// The rules for a class; what a model has named stays as it is.
  private func rules(of place: Int) -> NameRules {
    profile.classes[place].isEntity ? rules.ofModels : rules
  }
}

extension AssignedNames {
  /// The names that the archives' classes and keys have in an inferred model.
  package init(_ inferred: Model) {
    self.init()
    for entity in inferred.entities {
      guard let className = entity.archivedClasses.first else { continue }
      let names =
        entity.attributes.map { ($0.key, $0.name) } + entity.relationships.map { ($0.key, $0.name) }
        + entity.collections.map { ($0.key, $0.name) }
      classes[className] = Names(
        entity: entity.name,
        properties: Dictionary(names, uniquingKeysWith: { first, _ in first }))
    }
  }
}

extension SchemaProfile {
  /// Finds things by their names, in the order in which they were added.
  ///
  /// Few are compared one by one, and what is asked for mostly comes after what was asked for
  /// before: the archives of a program show their classes and keys in the same order.
  struct NameIndex: Sendable {
    /// The places, once there are many.
    private var places: [String: Int] = [:]
    private var count = 0
    /// The place that is looked at first.
    private var next = 0

    /// The number of names that are compared one by one.
    private static let few = 16

    /// The place of a name among things, if it was added.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - things: The things that were added, in order.
    ///   - nameOf: The name of a thing.
    /// - Returns: Its place.
    mutating func index<Thing>(
      of name: String, in things: [Thing], _ nameOf: (Thing) -> String
    ) -> Int? {
      if next < count, nameOf(things[next]) == name {
        next += 1
        return next - 1
      }
      guard let index = knownIndex(of: name, in: things, nameOf) else { return nil }
      next = index + 1
      return index
    }

    /// As `place(of:in:_:)`, for those who do not ask for one after the other.
    func knownIndex<Thing>(
      of name: String, in things: [Thing], _ nameOf: (Thing) -> String
    ) -> Int? {
      guard count > Self.few else {
        return things.indices.first { nameOf(things[$0]) == name }
      }
      return places[name] ?? things.indices.prefix(Self.few).first { nameOf(things[$0]) == name }
    }

    /// Adds a name after the others.
    mutating func add(_ name: String) {
      if count >= Self.few { places[name] = count }
      count += 1
      next = count
    }
  }
}
