import Migration

/// The links of a relationship and its inverse in a store that a step of a migration made: those
/// that its mapping models speak of, and those that are there.
struct StepLinks {
  /// A link from the side on which the pair begins.
  struct Link: Hashable, Comparable {
    var owner: UInt32
    var member: UInt32

    var reversed: Link { Link(owner: member, member: owner) }

    static func < (first: Link, second: Link) -> Bool {
      (first.owner, first.member) < (second.owner, second.member)
    }
  }

  private let pair: DestinationSchema.Pair
  private var said: [Link] = []
  /// The links that are there, as the one side has them.
  private var found: [Link] = []
  /// The same as the other side has them.
  private var foundBackwards: [Link] = []

  init(_ pair: DestinationSchema.Pair) { self.pair = pair }

  /// The number of links that are there.
  var count: Int { found.count }

  mutating func removeAll() { self = StepLinks(pair) }

  /// An entity mapping says that a row leads to another.
  mutating func say(_ row: Int, _ other: Int, _ side: Int) {
    let link = Link(
      owner: UInt32(truncatingIfNeeded: row), member: UInt32(truncatingIfNeeded: other))
    said.append(side == 0 ? link : link.reversed)
    if pair.isSymmetric { said.append(link.reversed) }
  }

  /// A row leads to another.
  mutating func find(_ row: Int, _ other: Int, _ side: Int) {
    let link = Link(
      owner: UInt32(truncatingIfNeeded: row), member: UInt32(truncatingIfNeeded: other))
    if side == 0 { found.append(link) }
    if side == 1 || pair.isSymmetric { foundBackwards.append(link.reversed) }
  }

  /// The links that are missing, and those that should not be there.
  ///
  /// A link may be missing where one of its ends leads to one row alone, and has another: two rows
  /// claimed it.
  ///
  /// - Parameter isOpen: True for a row that a policy may have given links.
  /// - Returns: The links in their order.
  /// - Complexity: O(*n* log *n*).
  mutating func differences(isOpen: (UInt32) -> Bool) -> [(link: Link, isMissing: Bool)] {
    said.sortUniquely()
    found.sortUniquely()
    var differences: [(link: Link, isMissing: Bool)] = []
    if pair.hasInverse {
      foundBackwards.sortUniquely()
      Self.forEachDifference(found, foundBackwards) { link, isFirst in
        differences.append((link, !isFirst))
      }
      foundBackwards = foundBackwards.map(\.reversed)
      foundBackwards.sort()
    }
    Self.forEachDifference(said, found) { link, isMissing in
      guard isMissing else {
        if !isOpen(link.owner), !isOpen(link.member) { differences.append((link, false)) }
        return
      }
      let isReplaced =
        !pair.isToMany[0] && found.hasLink(of: link.owner)
        || pair.hasInverse && !pair.isToMany[pair.isSymmetric ? 0 : 1]
          && foundBackwards.hasLink(of: link.member)
      if !isReplaced { differences.append((link, true)) }
    }
    return differences
  }

  /// Calls a function with each link of two sorted lists that only one of them has.
  private static func forEachDifference(
    _ first: [Link], _ second: [Link], _ body: (_ link: Link, _ isOfFirst: Bool) -> Void
  ) {
    var (left, right) = (0, 0)
    while left < first.count || right < second.count {
      if right == second.count || left < first.count && first[left] < second[right] {
        body(first[left], true)
        left += 1
      } else if left == first.count || second[right] < first[left] {
        body(second[right], false)
        right += 1
      } else {
        left += 1
        right += 1
      }
    }
  }
}

extension [StepLinks.Link] {
  fileprivate mutating func sortUniquely() {
    sort()
    var last: Element?
    removeAll { link in
      defer { last = link }
      return link == last
    }
  }

  /// True if a sorted list has a link of an owner.
  fileprivate func hasLink(of owner: UInt32) -> Bool {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].owner < owner { low = middle + 1 } else { high = middle }
    }
    return low < endIndex && self[low].owner == owner
  }
}
