/// Which source objects have become which destination objects by an entity mapping with a policy.
///
/// Takes eight bytes for each association, twice as many once it has been asked for sources.
struct AssociationList: Sendable {
  private struct Pair: Sendable {
    var source: UInt32
    var destination: UInt32
  }

  private var pairs: [Pair] = []
  private var isSorted = true
  /// The pairs by destination, made when somebody asks.
  private var byDestination: [Pair]?

  /// How many associations there are.
  var count: Int { pairs.count }

  /// Adds an association, unless it is there as the last one.
  mutating func add(source: Int, destination: Int) {
    let pair = Pair(
      source: UInt32(truncatingIfNeeded: source),
      destination: UInt32(truncatingIfNeeded: destination))
    if let last = pairs.last {
      if last.source == pair.source, last.destination == pair.destination { return }
      if last.source > pair.source { isSorted = false }
    }
    pairs.append(pair)
    byDestination = nil
  }

  /// Puts the associations in the order of their sources, so that they can be looked up.
  mutating func sort() {
    guard !isSorted else { return }
    // The order among those of one source is that in which they were made.
    let order = pairs.indices.sorted {
      (pairs[$0].source, $0) < (pairs[$1].source, $1)
    }
    pairs = order.map { pairs[$0] }
    isSorted = true
  }

  /// Calls a function with each destination object of a source object; the list is sorted.
  func forEachDestination(of source: Int, _ body: (Int) -> Void) {
    var (low, high) = (0, pairs.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(pairs[middle].source) < source { low = middle + 1 } else { high = middle }
    }
    while low < pairs.count, Int(pairs[low].source) == source {
      body(Int(pairs[low].destination))
      low += 1
    }
  }

  /// The source objects of a destination object.
  mutating func sources(of destination: Int) -> [Int] {
    let sorted =
      byDestination
      ?? pairs.indices.sorted { (pairs[$0].destination, $0) < (pairs[$1].destination, $1) }
      .map { pairs[$0] }
    byDestination = sorted
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(sorted[middle].destination) < destination { low = middle + 1 } else { high = middle }
    }
    var found: [Int] = []
    while low < sorted.count, Int(sorted[low].destination) == destination {
      found.append(Int(sorted[low].source))
      low += 1
    }
    return found
  }

  /// The destination objects, each once, in the order in which they were associated first.
  var destinations: [Int] {
    var seen: Set<UInt32> = []
    return pairs.compactMap { seen.insert($0.destination).inserted ? Int($0.destination) : nil }
  }

  /// How many different source objects have become something; the list is sorted.
  var sourceCount: Int {
    var count = 0
    for (index, pair) in pairs.enumerated()
    where index == 0 || pairs[index - 1].source != pair.source { count += 1 }
    return count
  }

  /// How many bytes it takes.
  var byteCount: Int { (pairs.count + (byDestination?.count ?? 0)) * 8 }
}
