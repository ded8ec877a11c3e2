/// The objects that are still to be decoded, first come, first served.
///
/// Whoever meets a reference puts its object here instead of decoding it, so that no graph,
/// however deep, costs stack, and each object is decoded once. Owners come before their members.
///
/// Takes four bytes for each object that waits or has waited, and a bit for each entry.
package struct WorkList {
  private var queue: [UInt32] = []
  private var next = 0
  private var seen: [UInt64]

  /// Creates a list for the objects of an archive with `objectCount` entries.
  package init(objectCount: Int) {
    seen = Array(repeating: 0, count: (objectCount + 63) / 64)
  }

  /// Starts over, for an archive with `objectCount` entries.
  package mutating func reset(objectCount: Int) {
    queue.removeAll(keepingCapacity: true)
    next = 0
    seen.removeAll(keepingCapacity: true)
    seen.append(contentsOf: repeatElement(0, count: (objectCount + 63) / 64))
  }

  /// The number of objects that have been added.
  package var count: Int { queue.count }

  /// About how much of a source is done, from 0 to 1, where a walk over its objects has this list.
  ///
  /// What the walk has reached is done, but for the objects that have not had their turn yet.
  package func share(of graph: any ObjectGraph) -> Double {
    let done = graph.countReachedObjects().map { $0 - (queue.count - next) } ?? next
    return min(1, Double(max(0, done)) / Double(max(1, graph.source.objectCount)))
  }

  /// Adds an object that is not in the list and has not been; returns whether it was new.
  @discardableResult
  package mutating func add(_ uid: Int) -> Bool {
    let mask: UInt64 = 1 << UInt64(uid & 63)
    guard seen[uid >> 6] & mask == 0 else { return false }
    seen[uid >> 6] |= mask
    queue.append(UInt32(truncatingIfNeeded: uid))
    return true
  }

  /// True if an object is in the list, or has been.
  package func contains(_ uid: Int) -> Bool {
    seen[uid >> 6] & 1 << UInt64(uid & 63) != 0
  }

  /// The object whose turn it is.
  package mutating func takeNext() -> Int? {
    guard next < queue.count else { return nil }
    defer { next += 1 }
    return Int(queue[next])
  }
}
