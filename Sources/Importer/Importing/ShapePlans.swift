import ArchiveReader

/// What becomes of the keys of plain objects, for each shape.
struct ShapePlans {
  /// What becomes of the keys of a shape.
  struct Plan {
    /// The class that the plan is for.
    fileprivate var classID: ClassID
    /// For each key, the number of its property; -1 for `$class`, and for keys that are left
    /// behind.
    fileprivate(set) var properties: [Int] = []
    /// Keys that are left behind.
    fileprivate(set) var unread: [String] = []
  }

  /// For each entity, the names of its properties: their places are the properties' numbers.
  let names: [[String]]
  private let numbers: [[String: Int]]
  /// For each shape, the plan for the class met last: mostly there is one only.
  private var plans: [Plan] = []

  init(_ layout: RelationalLayout) {
    names = layout.entities.map { $0.properties.keys.sorted() }
    numbers = names.map { Dictionary(uniqueKeysWithValues: zip($0, $0.indices)) }
  }

  /// The plan for an object.
  ///
  /// - Parameters:
  ///   - object: An object of a plain class.
  ///   - keys: The keys of its shape.
  ///   - entity: The entity of its class.
  ///   - properties: The property of each key that is read.
  /// - Returns: The plan, which is made where it is not known.
  mutating func plan(
    of object: ArchivedObject, keys: [String], entity: Int, properties: [String: String]
  ) -> Plan {
    while plans.count <= object.shape { plans.append(Plan(classID: ClassID(index: -1))) }
    if plans[object.shape].classID == object.class { return plans[object.shape] }
    var found = Plan(classID: object.class)
    for key in keys {
      if key != "$class", let name = properties[key], let number = numbers[entity][name] {
        found.properties.append(number)
      } else {
        found.properties.append(-1)
        if key != "$class" { found.unread.append(key) }
      }
    }
    plans[object.shape] = found
    return found
  }
}
