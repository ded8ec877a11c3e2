/// The links of a relationship and of its inverse between destination objects.
///
/// It keeps the two sides in agreement, as Core Data does while a migration sets relationships: a
/// link that is made on one side is there on the other, and an end that leads to one object leads
/// to the last one that was set. Takes 16 bytes for each link, and four for each object on either
/// side.
struct LinkTable: Sendable {
  /// What the model says of one of the two relationships.
  struct Side: Sendable, Hashable {
    /// Whether it leads to several objects.
    var isToMany: Bool
    /// Whether the order of the objects means something.
    var isOrdered = false
  }

  private struct Link: Sendable {
    /// The object on the first side; `.max` for a link that was removed.
    var first: UInt32
    var second: UInt32
    /// The link before it of the same object on the first side, and on the second.
    var previousOfFirst: UInt32
    var previousOfSecond: UInt32
  }

  /// The last link of each object on a side, by numbers from a lowest one on.
  private struct Ends: Sendable {
    var base = 0
    var last: [UInt32] = []

    subscript(object: Int) -> UInt32 {
      get {
        let place = object - base
        return place >= 0 && place < last.count ? last[place] : .max
      }
      set {
        if last.isEmpty { base = object }
        if object < base {
          // Room for as many again, so that falling numbers do not move all of them each time.
          let room = min(base, max(base - object, last.count))
          last.insert(contentsOf: repeatElement(.max, count: room), at: 0)
          base -= room
        }
        while object - base >= last.count { last.append(.max) }
        last[object - base] = newValue
      }
    }
  }

  private let sides: (Side, Side)
  /// Whether a relationship is its own inverse.
  private let isSymmetric: Bool
  private var links: [Link] = []
  private var ends = (Ends(), Ends())
  /// How many links were replaced by others or left out, since an end leads to one object alone.
  private(set) var replacedCount = 0
  private(set) var count = 0

  /// Creates a table without links.
  ///
  /// - Parameters:
  ///   - first: The relationship.
  ///   - second: Its inverse; to-many where it has none.
  ///   - isSymmetric: Whether the relationship is its own inverse.
  init(_ first: Side, _ second: Side, isSymmetric: Bool) {
    sides = (first, second)
    self.isSymmetric = isSymmetric
  }

  /// How many bytes it takes.
  var byteCount: Int { links.count * 16 + (ends.0.last.count + ends.1.last.count) * 4 }

  /// The objects that one on a side (0 or 1) is linked to, in the order in which they were set.
  ///
  /// - Complexity: Linear in the links that the object has or had.
  func members(of object: Int, side: Int) -> [Int] {
    let found = linked(object, side).map { other($0, side) }
    guard isSymmetric else { return found.reversed() }
    let opposite = linked(object, 1 - side).map { other($0, 1 - side) }
    var seen: Set<Int> = []
    return (found.reversed() + opposite.reversed()).filter { seen.insert($0).inserted }
  }

  /// Sets what an object leads to.
  ///
  /// - Parameters:
  ///   - members: The objects; of those for a side that leads to one, the first counts.
  ///   - object: The object.
  ///   - side: The side, 0 or 1.
  ///   - keepsOthers: Whether what it leads to already stays, after the others. What leads to one
  ///     object stays only if there are no members.
  mutating func set(_ members: [Int], of object: Int, side: Int, keepsOthers: Bool) {
    let (isToMany, isOrdered) =
      side == 0 ? (sides.0.isToMany, sides.0.isOrdered) : (sides.1.isToMany, sides.1.isOrdered)
    let before = self.members(of: object, side: side)
    if keepsOthers, members.isEmpty || before == members { return }
    var seen: Set<Int> = []
    if isToMany, !isOrdered, keepsOthers {
      // What is there already keeps its place on the other side, too.
      seen.formUnion(before)
      for member in members where seen.insert(member).inserted { add(object, member, side) }
      return
    }
    var wanted = members.filter { seen.insert($0).inserted }
    if !isToMany {
      if keepsOthers { replacedCount += max(0, wanted.count - 1) }
      wanted = Array(wanted.prefix(1))
    }
    if isToMany, keepsOthers { wanted += before.filter { seen.insert($0).inserted } }
    if !isToMany, keepsOthers, let old = before.first, old != wanted.first { replacedCount += 1 }
    removeAll(of: object, side)
    if isSymmetric { removeAll(of: object, 1 - side) }
    for member in wanted { add(object, member, side) }
  }

  /// Adds to what an object leads to, after the others; an end that leads to one object leads to
  /// the last.
  ///
  /// - Complexity: Linear in the members and in the links that these have or had.
  mutating func append(_ members: [Int], to object: Int, side: Int) {
    guard side == 0 ? sides.0.isToMany : sides.1.isToMany else {
      return set(members.suffix(1), of: object, side: side, keepsOthers: true)
    }
    for member in members {
      let isThere =
        linked(member, 1 - side).contains { other($0, 1 - side) == object }
        || isSymmetric && linked(member, side).contains { other($0, side) == object }
      if !isThere { add(object, member, side) }
    }
  }

  /// Removes all links of an object on both sides, as of one that is deleted.
  mutating func remove(_ object: Int) {
    removeAll(of: object, 0)
    removeAll(of: object, 1)
  }

  // MARK: Links

  private mutating func add(_ object: Int, _ member: Int, _ side: Int) {
    let opposite = side == 0 ? sides.1 : sides.0
    if !opposite.isToMany {
      let owners = linked(member, 1 - side)
      if !owners.isEmpty {
        replacedCount += owners.count
        removeAll(of: member, 1 - side)
      }
    }
    let (first, second) = side == 0 ? (object, member) : (member, object)
    links.append(
      Link(
        first: UInt32(truncatingIfNeeded: first), second: UInt32(truncatingIfNeeded: second),
        previousOfFirst: ends.0[first], previousOfSecond: ends.1[second]))
    let index = UInt32(truncatingIfNeeded: links.count - 1)
    ends.0[first] = index
    ends.1[second] = index
    count += 1
  }

  private mutating func removeAll(of object: Int, _ side: Int) {
    for link in linked(object, side) { remove(link: link) }
    // The list ends here: what was in it is gone.
    if side == 0 {
      if ends.0[object] != .max { ends.0[object] = .max }
    } else if ends.1[object] != .max {
      ends.1[object] = .max
    }
  }

  private mutating func remove(link: Int) {
    links[link].first = .max
    count -= 1
  }

  /// The links of an object on a side, the last one first.
  private func linked(_ object: Int, _ side: Int) -> [Int] {
    var found: [Int] = []
    var next = side == 0 ? ends.0[object] : ends.1[object]
    while next != .max {
      let link = links[Int(next)]
      if link.first != .max { found.append(Int(next)) }
      next = side == 0 ? link.previousOfFirst : link.previousOfSecond
    }
    return found
  }

  private func other(_ link: Int, _ side: Int) -> Int {
    Int(side == 0 ? links[link].second : links[link].first)
  }
}
