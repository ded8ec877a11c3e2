import ArchiveReader

/// What becomes of the keys of plain objects, for each shape and class.
struct ShapePlans {
  /// What becomes of a key.
  struct Key {
    /// The number of its property among the entity's; -1 for `$class`, and for keys that are left
    /// behind.
    fileprivate(set) var property: Int
    /// The columns of the property; -1 where it has none.
    fileprivate(set) var value = -1
    fileprivate(set) var reference = -1
    fileprivate(set) var referenceType = -1
    /// What was written so far.
    var counts = Counts()
  }

  /// How many values of a key are in the rows themselves.
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
    /// Where its keys stand in `keys`.
    fileprivate(set) var keys: Range<Int>
    /// Keys that are left behind.
    fileprivate(set) var unread: [String]
    fileprivate(set) var objectCount = 0
  }

  private struct ShapeClass: Hashable {
    var shape: Int
    var `class`: ClassID
  }

  private let properties: PlainProperties
  private(set) var plans: [Plan] = []
  var keys: [Key] = []
  private var known: [ShapeClass: Int] = [:]
  /// For each shape, the plan for the class met last; -1 if there is none.
  private var last: [Int] = []

  init(_ properties: PlainProperties) {
    self.properties = properties
  }

  /// The number of the plan for an object, which is counted; nil if it has to be made.
  mutating func plan(of object: ArchivedObject) -> Int? {
    guard object.shape < last.count, last[object.shape] >= 0 else { return nil }
    if plans[last[object.shape]].classID != object.class {
      guard let number = known[ShapeClass(shape: object.shape, class: object.class)] else {
        return nil
      }
      last[object.shape] = number
    }
    plans[last[object.shape]].objectCount += 1
    return last[object.shape]
  }

  /// Makes the plan for an object, which is counted.
  ///
  /// - Parameters:
  ///   - object: An object of a plain class.
  ///   - shapeKeys: The keys of its shape.
  ///   - entity: The entity of its class.
  ///   - names: The property of each key that is read.
  /// - Returns: The number of the plan.
  mutating func makePlan(
    of object: ArchivedObject, keys shapeKeys: [String], entity: Int,
    properties names: [String: String]
  ) -> Int {
    var unread: [String] = []
    let first = keys.count
    for key in shapeKeys {
      if key != "$class", let name = names[key],
        let number = properties.numbers[entity][name]
      {
        let place = properties.places[entity][number]
        keys.append(
          Key(
            property: number, value: place.value ?? -1, reference: place.reference ?? -1,
            referenceType: place.referenceType ?? -1))
      } else {
        keys.append(Key(property: -1))
        if key != "$class" { unread.append(key) }
      }
    }
    let number = plans.count
    plans.append(
      Plan(
        classID: object.class, entity: entity, keys: first..<keys.count, unread: unread,
        objectCount: 1))
    known[ShapeClass(shape: object.shape, class: object.class)] = number
    while last.count <= object.shape { last.append(-1) }
    last[object.shape] = number
    return number
  }

  /// The class that a plan is for.
  func classID(ofPlan number: Int) -> ClassID { plans[number].classID }
}

/// The properties of entities, numbered in the order of their names.
struct PlainProperties: Sendable {
  /// For each entity, the names.
  let names: [[String]]
  let numbers: [[String: Int]]
  let places: [[RelationalLayout.PropertyPlace]]

  init(_ layout: RelationalLayout) {
    names = layout.entities.map { $0.properties.keys.sorted() }
    numbers = names.map { Dictionary(uniqueKeysWithValues: zip($0, $0.indices)) }
    places = zip(layout.entities, names).map { entity, names in
      names.map { entity.properties[$0] ?? .init() }
    }
  }
}
