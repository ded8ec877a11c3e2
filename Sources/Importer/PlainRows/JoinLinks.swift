extension ArchiveImporter {
  /// The links of many-to-many relationships that keep an order on both sides.
  ///
  /// A row of their join table has a position from each side, and neither side knows the other's
  /// when it is read: so the rows wait until the whole archive has been read.
  struct JoinLinks {
    struct Link {
      var owner: Int64
      var member: Int64
      /// The position in the owner's collection, if that is ordered.
      var position: Int64?
    }

    private struct Pair: Hashable {
      var table: Int
      var owner: Int64
      var member: Int64
    }

    private(set) var links: [Int: [Link]] = [:]
    private var inversePositions: [Pair: Int64] = [:]

    /// Adds a link that the owner's collection holds.
    mutating func add(_ link: Link, table: Int) {
      links[table, default: []].append(link)
    }

    /// Notes the position that a link has in the member's collection.
    mutating func notePosition(_ position: Int64, table: Int, owner: Int64, member: Int64) {
      inversePositions[Pair(table: table, owner: owner, member: member)] = position
    }

    /// The position that a link has in the member's collection.
    func inversePosition(of link: Link, table: Int) -> Int64? {
      inversePositions[Pair(table: table, owner: link.owner, member: link.member)]
    }
  }
}
