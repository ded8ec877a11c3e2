import Importer
import TestSupport

/// A random model, objects of it in some archives, and what each of them says of its relationships:
/// plain values, which a store is compared with.
///
/// Objects are numbered from 0 over all archives of the graph; the number is their attribute `tag`.
struct RandomGraph {
  struct EntityForm {
    var name: String
    var parent: Int?
    var isAbstract = false
  }

  enum Kind: CaseIterable {
    /// Without an inverse.
    case toOne, toMany
    case ownerAndMembers, oneToOne, manyToMany
    /// Their own inverse.
    case partner, friends
  }

  struct End {
    var entity: Int
    var name: String
    var isToMany: Bool
    var isOrdered: Bool
  }

  struct Pair {
    var kind: Kind
    /// One end, or two that are each other's inverse.
    var ends: [End]
  }

  /// An end of a pair: 0 or 1.
  struct Side: Hashable {
    var pair: Int
    var end: Int
  }

  struct Object {
    var entity: Int
    var archive: Int
  }

  /// What an object is to hold: members in the order that it stated, and those that only the other
  /// side named, which stand behind them in the order of their rows.
  struct Members: Equatable {
    var stated: [Int] = []
    var others: Set<Int> = []
  }

  /// What each object holds, end by end; nothing where it is not mentioned.
  typealias Content = [Side: [Int: Members]]

  let prefix: String
  private(set) var entities: [EntityForm] = []
  private(set) var pairs: [Pair] = []
  /// The orders of the entities and of all ends in the model.
  private(set) var entityOrder: [Int] = []
  private(set) var sideOrder: [Side] = []
  private(set) var objects: [Object] = []
  private(set) var archiveCount = 1
  /// What the archives hold: members of an object, none where it says nothing.
  var statements: [Side: [Int: [Int]]] = [:]

  static let maxEntities = 4

  /// Makes a model and objects that say nothing yet.
  init(prefix: String, using generator: inout SeededGenerator) {
    self.prefix = prefix
    for number in 0..<Int.random(in: 1...Self.maxEntities, using: &generator) {
      var form = EntityForm(name: "\(prefix)E\(number)")
      if number > 0, Int.random(in: 0..<5, using: &generator) < 2 {
        let parent = Int.random(in: 0..<number, using: &generator)
        form.parent = parent
        if Bool.random(using: &generator) { entities[parent].isAbstract = true }
      }
      entities.append(form)
    }
    for number in 0..<Int.random(in: 2...6, using: &generator) {
      addPair(number, using: &generator)
    }
    entityOrder = entities.indices.shuffled(using: &generator)
    sideOrder = pairs.enumerated().flatMap { number, pair in
      pair.ends.indices.map { Side(pair: number, end: $0) }
    }.shuffled(using: &generator)
    archiveCount = Int.random(in: 1...2, using: &generator)
    let concrete = entities.indices.filter { !entities[$0].isAbstract }
    for archive in 0..<archiveCount {
      for _ in 0..<Int.random(in: 2...10, using: &generator) {
        let entity = concrete[Int.random(in: concrete.indices, using: &generator)]
        objects.append(Object(entity: entity, archive: archive))
      }
    }
  }

  private mutating func addPair(_ number: Int, using generator: inout SeededGenerator) {
    let kind = Kind.allCases[Int.random(in: Kind.allCases.indices, using: &generator)]
    let places = (0..<2).map { _ in Int.random(in: entities.indices, using: &generator) }
    func end(_ place: Int, isToMany: Bool) -> End {
      End(
        entity: places[place], name: "\(prefix)r\(number)\(place == 0 ? "a" : "b")",
        isToMany: isToMany, isOrdered: isToMany && Bool.random(using: &generator))
    }
    let ends =
      switch kind {
      case .toOne: [end(0, isToMany: false), end(1, isToMany: false)]
      case .toMany: [end(0, isToMany: true), end(1, isToMany: false)]
      case .ownerAndMembers: [end(0, isToMany: true), end(1, isToMany: false)]
      case .oneToOne: [end(0, isToMany: false), end(1, isToMany: false)]
      case .manyToMany: [end(0, isToMany: true), end(1, isToMany: true)]
      case .partner: [end(0, isToMany: false)]
      case .friends: [end(0, isToMany: true)]
      }
    pairs.append(Pair(kind: kind, ends: ends))
  }

  // MARK: The model

  /// The ends that have a property in the model, in its order.
  var declaredSides: [Side] {
    sideOrder.filter { side in
      side.end == 0 || ![.toOne, .toMany].contains(pairs[side.pair].kind)
    }
  }

  func end(_ side: Side) -> End { pairs[side.pair].ends[side.end] }

  /// The side that leads back; for its own inverse, the same.
  func opposite(_ side: Side) -> Side {
    Side(pair: side.pair, end: pairs[side.pair].ends.count - 1 - side.end)
  }

  func entityModels() -> [Entity] {
    entityOrder.map { number in
      let form = entities[number]
      let relationships = declaredSides.filter { end($0).entity == number }.map { side in
        let own = end(side)
        let other = end(opposite(side))
        let hasInverse = ![.toOne, .toMany].contains(pairs[side.pair].kind)
        return Relationship(
          name: own.name, destinations: [entities[other.entity].name], isToMany: own.isToMany,
          isOrdered: own.isOrdered, inverse: hasInverse ? other.name : nil)
      }
      return Entity(
        name: form.name, parent: form.parent.map { entities[$0].name },
        isAbstract: form.isAbstract,
        attributes: form.parent == nil ? [Attribute(name: "tag", type: .integer)] : [],
        relationships: relationships)
    }
  }

  /// Whether a side is the one of its pair that stands first in the model.
  func standsFirst(_ side: Side) -> Bool {
    func place(_ side: Side) -> (Int, Int) {
      (entityOrder.firstIndex(of: end(side).entity) ?? 0, sideOrder.firstIndex(of: side) ?? 0)
    }
    return place(side) <= place(opposite(side))
  }

  // MARK: Entities and objects

  func root(of entity: Int) -> Int {
    var entity = entity
    while let parent = entities[entity].parent { entity = parent }
    return entity
  }

  func isKind(_ entity: Int, of other: Int) -> Bool {
    sequence(first: entity) { entities[$0].parent }.contains(other)
  }

  /// The objects of an archive that can be at an end.
  func objects(at end: End, in archive: Int) -> [Int] {
    objects.indices.filter {
      objects[$0].archive == archive && isKind(objects[$0].entity, of: end.entity)
    }
  }
}
