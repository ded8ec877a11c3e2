import DataModel
import GraphCore

/// Collects the objects of an atomic store as they are read, and connects them at last.
struct AtomicStoreBuilder {
  let schema: AtomicSchema
  let bytes = AtomicBytes()
  private let limits: ReadingLimits
  private let salvages: Bool
  /// The text before the number in the names of objects: "z" in XML.
  private let keyPrefix: String
  /// The greatest number of values of the objects: an object has all of them, be they in the file
  /// or not.
  private let maxValues: Int
  private var objects: [AtomicObjects.Object] = []
  private var values: [AtomicObjects.Value] = []
  private var identifiers = Identifiers()
  /// The references of all relationships, by the numbers of names.
  private var members: [Int32] = []
  private var faults: [ArchiveError] = []
  private var losses = LossList()
  /// For each object the number of its name; below zero where it has none.
  private var nameNumbers: [Int32] = []
  /// For each name that no object has the relationship that held it last.
  private var danglingHolders: [Int32: Int] = [:]
  /// True if all objects have keys that the store gives, so that these say their order.
  private var haveKeys = true

  /// Begins a store.
  ///
  /// - Parameters:
  ///   - schema: The schema of its objects.
  ///   - keyPrefix: The text before the number in the names of objects.
  ///   - byteCount: The size of the file, which its objects may exceed as the limits say.
  ///   - limits: The limits for hostile files.
  ///   - salvages: True if mistakes are noted, rather than refused.
  init(
    schema: AtomicSchema, keyPrefix: String, byteCount: Int, limits: ReadingLimits, salvages: Bool
  ) {
    self.schema = schema
    maxValues =
      ExpansionBudget.product(byteCount, limits.expansion)
      / MemoryLayout<AtomicObjects.Value>.stride
      + 100_000
    self.keyPrefix = keyPrefix
    (self.limits, self.salvages) = (limits, salvages)
  }

  /// The number of objects so far.
  var count: Int { objects.count }

  // MARK: Losses

  /// Refuses the store for a mistake, or notes it where the rest is to be read.
  mutating func lose(_ error: ArchiveError) throws(ArchiveError) {
    guard salvages else { throw error }
    losses.append(error)
  }

  // MARK: Objects

  /// Adds an object, whose values are nil at first.
  ///
  /// - Parameters:
  ///   - entity: The place of its entity.
  ///   - name: The name by which others refer to it; nil if none can.
  /// - Returns: True if it was added: of two with one name, the first is.
  /// - Throws: `ArchiveError` at a limit, or if another object has the name.
  mutating func add(entity: Int, name: Identifiers.Name?) throws(ArchiveError) -> Bool {
    if let name, !identifiers.assign(name, to: objects.count) {
      try lose(ArchiveError(.repeatedObject, name: text(of: name)))
      return false
    }
    let found = schema.entities[entity]
    guard values.count + found.keys.count <= limits.values,
      objects.count < min(limits.values, Int(Int32.max))
    else { throw limits.exceeded(.values) }
    guard values.count + found.keys.count <= maxValues, objects.count < maxValues else {
      throw limits.exceeded(.expansion)
    }
    var key = Int64(objects.count + 1)
    if case .key(let given) = name { key = given } else { haveKeys = false }
    nameNumbers.append(name.map { identifiers.number(of: $0) } ?? -1)
    objects.append(AtomicObjects.Object(entity: Int32(entity), firstValue: values.count, key: key))
    for _ in found.attributes { values.append(.plain(.null)) }
    for relationship in found.relationships {
      values.append(.members(start: 0, count: 0, isOrdered: relationship.isOrdered))
    }
    return true
  }

  /// The entity of the object that was added last.
  private var lastEntity: AtomicSchema.Entity? {
    objects.last.map { schema.entities[Int($0.entity)] }
  }

  /// Sets an attribute of the object that was added last.
  mutating func set(attribute: Int, _ value: AtomicObjects.Value) {
    guard let object = objects.last else { return }
    values[object.firstValue + attribute] = value
  }

  /// The number of a name that relationships refer to.
  mutating func reference(to name: Identifiers.Name) throws(ArchiveError) -> Int32 {
    guard identifiers.count < min(limits.values, Int(Int32.max)) else {
      throw limits.exceeded(.values)
    }
    return identifiers.number(of: name)
  }

  /// Sets a relationship of the object that was added last.
  mutating func set(relationship: Int, to references: [Int32]) throws(ArchiveError) {
    guard let object = objects.last, let entity = lastEntity else { return }
    guard members.count + references.count <= limits.values else {
      throw limits.exceeded(.values)
    }
    values[object.firstValue + entity.attributes.count + relationship] = .members(
      start: members.count, count: references.count,
      isOrdered: entity.relationships[relationship].isOrdered)
    members += references
  }

  /// The position in errors of an object, by its place, and of a property.
  ///
  /// It is named as in the file, by its entity and the name by which others refer to it.
  private func position(of place: Int, _ property: String) -> ArchiveError.Position {
    let number = nameNumbers[place]
    let name = number < 0 ? "" : " \(text(of: identifiers.name(number)))"
    return .record(
      schema.entities[Int(objects[place].entity)].name + name, property: property)
  }

  private func text(of name: Identifiers.Name) -> String {
    switch name {
    case .key(let key): "\(keyPrefix)\(key)"
    case .text(let text): text
    }
  }

  // MARK: Connecting

  /// Sorts the objects, and connects them.
  mutating func finish() -> AtomicObjects {
    // Keys of two origins could be the same.
    if !haveKeys {
      for place in objects.indices { objects[place].key = Int64(place + 1) }
    }
    let order = objects.indices.sorted { one, other in
      let (left, right) = (objects[one], objects[other])
      if left.entity != right.entity { return left.entity < right.entity }
      return left.key != right.key ? left.key < right.key : one < other
    }
    var numbers = Array(repeating: Int32(0), count: objects.count)
    for (number, place) in order.enumerated() { numbers[place] = Int32(number) }
    // For each object the relationship that held it last, so that none is held twice.
    var holders = Array(repeating: -1, count: objects.count)
    for place in order {
      let object = objects[place]
      let entity = schema.entities[Int(object.entity)]
      for relationship in entity.relationships.indices {
        let value = object.firstValue + entity.attributes.count + relationship
        connect(value, of: entity, relationship, place, numbers, &holders)
      }
    }
    return AtomicObjects(
      schema: schema, objects: order.map { objects[$0] }, values: values, members: members,
      faults: faults, losses: losses, bytes: bytes)
  }

  /// Puts the numbers of objects in the place of references.
  private mutating func connect(
    _ value: Int, of entity: AtomicSchema.Entity, _ relationship: Int, _ object: Int,
    _ numbers: [Int32], _ holders: inout [Int]
  ) {
    guard case .members(let start, let count, let isOrdered) = values[value] else { return }
    let property = entity.relationships[relationship]
    func misplaced(_ code: ArchiveError.Code, _ name: String) -> ArchiveError {
      ArchiveError(code, at: position(of: object, property.name), name: name)
    }
    var written = start
    for place in start..<start + count {
      let reference = members[place]
      if let target = identifiers.object(reference) {
        guard isAllowed(objects[target], entity.destinations[relationship]) else {
          let name = schema.entities[Int(objects[target].entity)].name
          keep(misplaced(.classNotAllowed, name), &written)
          continue
        }
        guard holders[target] != value else { continue }
        holders[target] = value
        members[written] = numbers[target]
        written += 1
      } else if danglingHolders.updateValue(value, forKey: reference) != value {
        keep(misplaced(.danglingReference, text(of: identifiers.name(reference))), &written)
      }
    }
    guard !property.isToMany else {
      values[value] = .members(start: start, count: written - start, isOrdered: isOrdered)
      return
    }
    switch written - start {
    case 0: values[value] = .plain(.null)
    case 1 where members[start] >= 0: values[value] = .object(Int(members[start]))
    case 1: values[value] = .fault(Int(-1 - members[start]))
    default:
      let error = misplaced(.wrongKind, "a single object")
      if salvages {
        losses.append(error)
        values[value] = .plain(.null)
      } else {
        faults.append(error)
        values[value] = .fault(faults.count - 1)
      }
    }
  }

  private func isAllowed(_ object: AtomicObjects.Object, _ destinations: [Int]) -> Bool {
    let ancestors = schema.entities[Int(object.entity)].ancestors
    return destinations.isEmpty || destinations.contains { ancestors.contains($0) }
  }

  /// Notes a reference that leads nowhere: in its place, or as a loss.
  private mutating func keep(_ error: ArchiveError, _ written: inout Int) {
    guard !salvages else { return losses.append(error) }
    faults.append(error)
    members[written] = Int32(truncatingIfNeeded: -faults.count)
    written += 1
  }
}

extension AtomicStoreBuilder {
  /// The names by which objects of a store are referred to, each with a number of its own: those of
  /// objects that are still to come, too.
  struct Identifiers {
    /// A name: in most stores a number.
    enum Name: Hashable {
      case key(Int64)
      case text(String)
    }

    private var numbers: [Name: Int32] = [:]
    private var names: [Name] = []
    /// For each name the place of its object; below zero where there is none so far.
    private var objects: [Int32] = []

    /// The number of a name.
    mutating func number(of name: Name) -> Int32 {
      if let known = numbers[name] { return known }
      let number = Int32(truncatingIfNeeded: names.count)
      numbers[name] = number
      names.append(name)
      objects.append(-1)
      return number
    }

    /// Gives a name to an object.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The place of the object.
    /// - Returns: True if no other object has it.
    mutating func assign(_ name: Name, to object: Int) -> Bool {
      let number = Int(number(of: name))
      guard objects[number] < 0 else { return false }
      objects[number] = Int32(truncatingIfNeeded: object)
      return true
    }

    /// The name with a number.
    func name(_ number: Int32) -> Name { names[Int(number)] }

    /// The place of the object with the name of a number; nil if there is none.
    func object(_ number: Int32) -> Int? {
      let object = objects[Int(number)]
      return object < 0 ? nil : Int(object)
    }

    /// The number of names.
    var count: Int { names.count }
  }
}
