extension MigrationState {
  /// Which source objects have become which destination objects by an entity mapping with a policy.
  ///
  /// Takes eight bytes for each association; twice as many where destination objects are not
  /// associated in the order in which they were made, and somebody asks for their source objects.
  struct AssociationList: Sendable {
    private struct Pair: Sendable {
      var source: UInt32
      var destination: UInt32
    }

    private var pairs: [Pair] = []
    private var isSorted = true
    /// Whether destinations stand in ascending order, too.
    private var hasAscendingDestinations = true
    /// The pairs by destination, made when somebody asks where they stand in another order.
    private var byDestination: [Pair] = []

    /// How many associations there are.
    var count: Int { pairs.count }

    /// Makes room for associations.
    mutating func reserve(_ count: Int) { pairs.reserveCapacity(pairs.count + count) }

    /// Adds an association, unless it is there as the last one.
    mutating func add(source: Int, destination: Int) {
      let pair = Pair(
        source: UInt32(truncatingIfNeeded: source),
        destination: UInt32(truncatingIfNeeded: destination))
      if let last = pairs.last {
        if last.source == pair.source, last.destination == pair.destination { return }
        if last.source > pair.source { isSorted = false }
        if last.destination > pair.destination { hasAscendingDestinations = false }
      }
      pairs.append(pair)
      byDestination = []
    }

    /// Puts the associations in the order of their sources, so that they can be looked up.
    mutating func sort() {
      guard !isSorted else { return }
      // The order among those of one source is that in which they were made.
      pairs = pairs.enumerated().sorted {
        ($0.element.source, $0.offset) < ($1.element.source, $1.offset)
      }.map(\.element)
      isSorted = true
      hasAscendingDestinations = zip(pairs, pairs.dropFirst()).allSatisfy {
        $0.destination <= $1.destination
      }
    }

    /// Calls a function with each destination object of a source object; the list is sorted.
    func forEachDestination(of source: Int, _ body: (Int) -> Void) {
      var place = Self.first(pairs) { Int($0.source) >= source }
      while place < pairs.count, Int(pairs[place].source) == source {
        body(Int(pairs[place].destination))
        place += 1
      }
    }

    /// The source objects of a destination object.
    mutating func sources(of destination: Int) -> [Int] {
      if !hasAscendingDestinations, byDestination.isEmpty {
        byDestination = pairs.enumerated().sorted {
          ($0.element.destination, $0.offset) < ($1.element.destination, $1.offset)
        }.map(\.element)
      }
      return Self.sources(of: destination, hasAscendingDestinations ? pairs : byDestination)
    }

    private static func sources(of destination: Int, _ pairs: [Pair]) -> [Int] {
      var place = first(pairs) { Int($0.destination) >= destination }
      var found: [Int] = []
      while place < pairs.count, Int(pairs[place].destination) == destination {
        found.append(Int(pairs[place].source))
        place += 1
      }
      return found
    }

    /// The place of the first pair of which something is true, as it is of all after it.
    private static func first(_ pairs: [Pair], _ isBehind: (Pair) -> Bool) -> Int {
      var (low, high) = (0, pairs.count)
      while low < high {
        let middle = (low + high) / 2
        if isBehind(pairs[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }

    /// The destination objects, each once, in the order in which they were associated first.
    var destinations: [UInt32] {
      var found: [UInt32] = []
      found.reserveCapacity(pairs.count)
      var seen: Set<UInt32> = []
      for pair in pairs {
        let isNew =
          hasAscendingDestinations
          ? found.last != pair.destination : seen.insert(pair.destination).inserted
        if isNew { found.append(pair.destination) }
      }
      return found
    }

    /// Calls a function with each source object once; the list is sorted.
    func forEachSource<Failure: Error>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
      for (index, pair) in pairs.enumerated()
      where index == 0 || pairs[index - 1].source != pair.source { try body(Int(pair.source)) }
    }

    /// How many different source objects have become something; the list is sorted.
    var sourceCount: Int {
      var count = 0
      for (index, pair) in pairs.enumerated()
      where index == 0 || pairs[index - 1].source != pair.source { count += 1 }
      return count
    }

    /// How many bytes it takes.
    var byteCount: Int { (pairs.count + byDestination.count) * 8 }
  }
}
