import ArchiveReader
import Stores

/// The plans for the keys of plain objects, for each shape and class.
struct ShapePlans {
  /// The plan for a key that is bound as it stands.
  struct Key {
    /// Its position in its shape.
    fileprivate(set) var position: Int
    /// The index of its property among the entity's.
    fileprivate(set) var property: Int
    /// The columns of the property; -1 where it has none.
    fileprivate(set) var value = -1
    /// True if the column of its values is declared as one of reals.
    fileprivate(set) var isReal = false
    fileprivate(set) var reference = -1
    fileprivate(set) var referenceType = -1
    /// The counts of the values that were written so far.
    var counts = Counts()
  }

  /// The numbers of values of a key that are in the rows themselves.
  struct Counts {
    var values = 0
    var nulls = 0
    var links = 0
  }

  /// The keys of a shape.
  struct Plan {
    /// The class and the entity that the plan is for.
    fileprivate var classID: ClassID
    fileprivate(set) var entity: Int
    /// The places in `keys` of its keys that are bound as they stand.
    fileprivate(set) var keys: Range<Int>
    /// For each transformed attribute, where its key stands; -1 where it does not.
    fileprivate(set) var transforms: [Int] = []
    /// For each relationship whose rows are found by parts of texts, where its key stands.
    fileprivate(set) var splits: [Int] = []
    /// Keys that are left behind: unread, and on purpose.
    fileprivate(set) var unread: [String] = []
    fileprivate(set) var ignored: [String] = []
    fileprivate(set) var objectCount = 0

    /// The positions of the keys that are not bound as they stand.
    fileprivate(set) var others: [Int] = []
    /// True if each key is bound once at most.
    fileprivate(set) var bindsOnce = true
  }

  private struct ShapeClass: Hashable {
    var shape: Int
    var `class`: ClassID
  }

  private(set) var plans: [Plan] = []
  var keys: [Key] = []
  private var known: [ShapeClass: Int] = [:]
  /// For each shape, the plan for the class met last; -1 if there is none.
  private var last: [Int] = []

  /// The index of the plan for an object, which is counted; nil if it has to be made.
  mutating func plan(of object: GraphObject) -> Int? {
    guard object.shape < last.count, last[object.shape] >= 0 else { return nil }
    if plans[last[object.shape]].classID != object.class {
      guard let index = known[ShapeClass(shape: object.shape, class: object.class)] else {
        return nil
      }
      last[object.shape] = index
    }
    plans[last[object.shape]].objectCount += 1
    return last[object.shape]
  }

  /// Makes the plan for an object, which is counted.
  ///
  /// - Parameters:
  ///   - object: An object of a class whose rows are written straight from the archive.
  ///   - shapeKeys: The keys of its shape.
  ///   - recipe: The recipe for the rows of its class.
  ///   - properties: The properties of entities.
  /// - Returns: The index of the plan.
  mutating func makePlan(
    of object: GraphObject, keys shapeKeys: [String], _ recipe: RowRecipe,
    _ properties: PlainProperties
  ) -> Int {
    func position(_ key: String?) -> Int { key.flatMap(shapeKeys.firstIndex(of:)) ?? -1 }
    let first = keys.count
    var plan = Plan(
      classID: object.class, entity: recipe.entity, keys: first..<first,
      transforms: recipe.transforms.map { position($0.key) },
      splits: recipe.splits.map { position($0.source.keyPath?.first) }, objectCount: 1)
    for (position, key) in shapeKeys.enumerated() where key != "$class" {
      var isRead = plan.transforms.contains(position) || plan.splits.contains(position)
      let boundCount = keys.count
      for name in recipe.properties[key] ?? [] {
        guard let index = properties.indices[recipe.entity][name] else { continue }
        let storage = properties.storage[recipe.entity][index]
        isRead = true
        keys.append(
          Key(
            position: position, property: index, value: storage.value ?? -1,
            isReal: storage.value.map { properties.reals[recipe.entity].contains($0) } ?? false,
            reference: storage.reference ?? -1, referenceType: storage.referenceType ?? -1))
      }
      if keys.count == boundCount { plan.others.append(position) }
      if keys.count > boundCount + 1 { plan.bindsOnce = false }
      if recipe.ignored.contains(key) {
        plan.ignored.append(key)
      } else if !isRead {
        plan.unread.append(key)
      }
    }
    plan.keys = first..<keys.count
    let index = plans.count
    plans.append(plan)
    known[ShapeClass(shape: object.shape, class: object.class)] = index
    while last.count <= object.shape { last.append(-1) }
    last[object.shape] = index
    return index
  }

  /// Counts again.
  mutating func resetCounts() {
    for index in plans.indices { plans[index].objectCount = 0 }
    for index in keys.indices { keys[index].counts = Counts() }
  }

  /// The class that a plan is for.
  func classID(ofPlan index: Int) -> ClassID { plans[index].classID }
}

extension ShapePlans {
  /// The properties of entities, numbered in the order of their names.
  struct PlainProperties: Sendable {
    /// For each entity, the names.
    let names: [[String]]
    let indices: [[String: Int]]
    let storage: [[RelationalLayout.PropertyStorage]]
    /// For each entity, the columns of its table that are declared as such of reals.
    let reals: [Set<Int>]

    init(_ layout: RelationalLayout) {
      names = layout.entities.map { $0.properties.keys.sorted() }
      indices = names.map { Dictionary(uniqueKeysWithValues: zip($0, $0.indices)) }
      storage = zip(layout.entities, names).map { entity, names in
        names.map { entity.properties[$0] ?? .init() }
      }
      reals = layout.entities.indices.map { entity in
        let columns = layout.table(of: entity).columns
        return Set(columns.indices.filter { columns[$0].type == .real })
      }
    }
  }
}
