extension RelationshipTracker {
  /// The links of relationships that have a table of their own, of the archive whose turn it is.
  struct JoinRows {
    /// A link, in 32 bytes.
    struct Link {
      var owner: Int64
      var member: Int64
      private var entity: Int32
      private var places: (own: Int32, inverse: Int32) = (-1, -1)
      /// The sides that said so.
      var isClaimedByOwner = false
      var isClaimedByMember = false

      init(
        owner: Int64, member: Int64, memberEntity: Int, position: Int64? = nil,
        isClaimedByOwner: Bool = false, isClaimedByMember: Bool = false
      ) {
        self.owner = owner
        self.member = member
        entity = Int32(truncatingIfNeeded: memberEntity)
        self.isClaimedByOwner = isClaimedByOwner
        self.isClaimedByMember = isClaimedByMember
        self.position = position
      }

      var memberEntity: Int {
        get { Int(entity) }
        set { entity = Int32(truncatingIfNeeded: newValue) }
      }

      /// The position in the collection of the side that the table belongs to.
      var position: Int64? {
        get { places.own < 0 ? nil : Int64(places.own) }
        set { places.own = newValue.map(Int32.init(truncatingIfNeeded:)) ?? -1 }
      }

      /// The position in the collection of the other side.
      var inversePosition: Int64? {
        get { places.inverse < 0 ? nil : Int64(places.inverse) }
        set { places.inverse = newValue.map(Int32.init(truncatingIfNeeded:)) ?? -1 }
      }

      /// Adds what is said of the same link.
      mutating func add(_ other: Link) {
        position = position ?? other.position
        inversePosition = inversePosition ?? other.inversePosition
        isClaimedByOwner = isClaimedByOwner || other.isClaimedByOwner
        isClaimedByMember = isClaimedByMember || other.isClaimedByMember
      }

      fileprivate var pair: Pair { Pair(owner: owner, member: member, entity: entity) }
      /// The row whose collection says so.
      fileprivate var speaker: Int64 { isClaimedByOwner ? owner : member }
    }

    fileprivate struct Pair: Hashable {
      var owner: Int64
      var member: Int64
      var entity: Int32
    }

    /// The links of one table.
    private struct TableLinks {
      var links: [Link] = []
      /// True if both sides can state a link.
      var isMerged = false
      /// The index of each pair among the links, as soon as they do not come in order.
      var places: [Pair: Int]?
      /// The index of the first link of the row whose collection was set last.
      var groupStart = 0
      /// The number of times each pair is among the links, up to one of them: as soon as that is
      /// asked for.
      private var counts: [Pair: Int] = [:]
      private var countedLinks = 0

      mutating func count(of pair: Pair) -> Int {
        for link in links[countedLinks...] { counts[link.pair, default: 0] += 1 }
        countedLinks = links.count
        return counts[pair] ?? 0
      }

      mutating func merge(_ link: Link) {
        isMerged = true
        if places == nil, !isInOrder(link) {
          places = Dictionary(
            zip(links.lazy.map(\.pair), links.indices), uniquingKeysWith: { first, _ in first })
        }
        guard places == nil else {
          if let place = places?[link.pair] {
            links[place].add(link)
          } else {
            places?[link.pair] = links.count
            links.append(link)
          }
          return
        }
        for place in groupStart..<links.count
        where links[place].owner == link.owner && links[place].member == link.member
          && links[place].memberEntity == link.memberEntity
        {
          links[place].add(link)
          return
        }
        links.append(link)
      }

      /// True if only the links of the same row can be equal to a link: rows mostly come one after
      /// the other, and then no index is needed.
      private mutating func isInOrder(_ link: Link) -> Bool {
        guard let last = links.last else { return true }
        guard last.isClaimedByOwner == link.isClaimedByOwner,
          last.isClaimedByMember == link.isClaimedByMember
        else { return false }
        if last.speaker == link.speaker { return links.count - groupStart < 64 }
        groupStart = links.count
        return last.speaker < link.speaker
      }
    }

    /// The tables, by their numbers.
    private var tables: [TableLinks] = []

    /// The tables that have links, in order.
    var all: [(table: Int, links: [Link])] {
      tables.enumerated().filter { !$0.element.links.isEmpty }.map { ($0.offset, $0.element.links) }
    }

    /// The links of a table.
    func links(of table: Int) -> [Link] { table < tables.count ? tables[table].links : [] }

    /// Adds what one side says of a link; a pair is one link, whoever says so.
    mutating func merge(_ link: Link, table: Int) {
      makeRoom(table)
      tables[table].merge(link)
    }

    /// Adds a link that may stand in a collection several times.
    mutating func append(_ link: Link, table: Int) {
      makeRoom(table)
      tables[table].links.append(link)
    }

    /// The number of copies of a link that may stand in a collection several times.
    mutating func count(of link: Link, table: Int) -> Int {
      table < tables.count ? tables[table].count(of: link.pair) : 0
    }

    /// Removes some links of a table; returns them.
    mutating func remove(table: Int, where isRemoved: (Link) -> Bool) -> [Link] {
      guard table < tables.count else { return [] }
      let known = tables[table]
      tables[table] = TableLinks()
      for link in known.links where !isRemoved(link) {
        if known.isMerged { merge(link, table: table) } else { append(link, table: table) }
      }
      return known.links.filter(isRemoved)
    }

    /// Changes the links that two sides can state; those that become the same are merged.
    mutating func change(_ change: (_ table: Int, Link) -> Link?) {
      for table in tables.indices where tables[table].isMerged {
        let known = tables[table].links
        tables[table] = TableLinks()
        for link in known {
          if let changed = change(table, link) { merge(changed, table: table) }
        }
      }
    }

    mutating func removeAll() { tables = [] }

    private mutating func makeRoom(_ table: Int) {
      while tables.count <= table { tables.append(TableLinks()) }
    }
  }
}
