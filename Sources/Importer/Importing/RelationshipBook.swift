/// What the run knows of relationships until they are in the store: the cells of to-one ones, and
/// the links of those that have a table of their own.
struct RelationshipBook {
  let places: [RelationshipPlace]
  /// For each to-one relationship, its cells.
  var cells: [LinkCells?]
  var joins = JoinBook()
  /// For each to-many relationship, the rows whose collection was set, and the position behind it.
  var setCollections: [[Int64: Int64]]
  /// The lengths of collections that are yet to be written, by relationship and row.
  var counts: [Int: [Int64: Int]] = [:]
  /// The position behind the last member, for ordered relationships that rows were added to.
  var nextPositions: [Int: [Int64: Int64]] = [:]
  /// For each table, the rows that were written.
  private var written: [WrittenRows]

  init(_ places: [RelationshipPlace], lastIDs: [Int64]) {
    self.places = places
    cells = places.map { $0.isToMany ? nil : LinkCells(after: lastIDs[$0.table]) }
    setCollections = places.map { _ in [:] }
    written = lastIDs.map { WrittenRows(after: $0) }
  }

  /// Whether a row is in the store, or on its way there.
  func isWritten(_ row: Int64, table: Int) -> Bool { written[table].contains(row) }

  mutating func noteWritten(_ row: Int64, table: Int) { written[table].insert(row) }

  /// Notes that a row was handed out for an object that is yet to become it.
  mutating func noteReserved(_ row: Int64, table: Int) { written[table].reserve(row) }

  mutating func set(_ cell: LinkCells.Cell, _ relationship: Int, of row: Int64) {
    let isWritten = isWritten(row, table: places[relationship].table)
    cells[relationship]?.set(cell, of: row, isWritten: isWritten)
  }

  /// Forgets which collections were set.
  mutating func forgetCollections() {
    for number in setCollections.indices { setCollections[number] = [:] }
  }

  /// Begins the turn of the next archive.
  mutating func advance(to lastIDs: [Int64]) {
    for number in places.indices where cells[number] != nil {
      let table = places[number].table
      cells[number]?.advance(to: lastIDs[table]) { [written] row in
        !written[table].contains(row)
      }
    }
    forgetCollections()
    nextPositions = [:]
    for table in written.indices { written[table].advance(to: lastIDs[table]) }
  }
}

/// Which rows of a table are in the store.
struct WrittenRows {
  private var firstRow: Int64
  private var bits: [UInt64] = []
  /// Rows before the window that are not.
  private var waiting: Set<Int64> = []
  /// Rows of the window that were handed out and may not be written in it.
  private var reserved: Set<Int64> = []

  init(after lastID: Int64) {
    firstRow = lastID + 1
  }

  func contains(_ row: Int64) -> Bool {
    guard row >= firstRow else { return !waiting.contains(row) }
    let index = Int(row - firstRow)
    guard index >> 6 < bits.count else { return false }
    return bits[index >> 6] & 1 << UInt64(index & 63) != 0
  }

  mutating func insert(_ row: Int64) {
    guard row >= firstRow else {
      waiting.remove(row)
      return
    }
    let index = Int(row - firstRow)
    while bits.count <= index >> 6 { bits.append(0) }
    bits[index >> 6] |= 1 << UInt64(index & 63)
  }

  mutating func reserve(_ row: Int64) { reserved.insert(row) }

  mutating func advance(to lastID: Int64) {
    waiting.formUnion(reserved.filter { !contains($0) })
    reserved = []
    bits.removeAll(keepingCapacity: true)
    firstRow = lastID + 1
  }
}

/// The links of relationships that have a table of their own, of the archive whose turn it is.
struct JoinBook {
  struct Link {
    var owner: Int64
    var member: Int64
    var memberEntity: Int
    /// The positions in the collection of the side that the table belongs to, and of the other.
    var position: Int64?
    var inversePosition: Int64?
    /// Which sides said so.
    var isClaimedByOwner = false
    var isClaimedByMember = false

    /// Adds what is said of the same link.
    mutating func add(_ other: Link) {
      position = position ?? other.position
      inversePosition = inversePosition ?? other.inversePosition
      isClaimedByOwner = isClaimedByOwner || other.isClaimedByOwner
      isClaimedByMember = isClaimedByMember || other.isClaimedByMember
    }
  }

  private struct Pair: Hashable {
    var owner: Int64
    var member: Int64
    var entity: Int
  }

  /// For each table of elements, its links and where each pair is among them.
  private(set) var links: [Int: [Link]] = [:]
  private var places: [Int: [Pair: Int]] = [:]

  /// Adds what one side says of a link; a pair is one link, whoever says so.
  mutating func merge(_ link: Link, table: Int) {
    let pair = Pair(owner: link.owner, member: link.member, entity: link.memberEntity)
    if let place = places[table]?[pair] {
      links[table]?[place].add(link)
      return
    }
    places[table, default: [:]][pair] = links[table]?.count ?? 0
    links[table, default: []].append(link)
  }

  /// Adds a link that may stand in a collection several times.
  mutating func append(_ link: Link, table: Int) {
    links[table, default: []].append(link)
  }

  /// Removes some links of a table; returns them.
  mutating func remove(table: Int, where isRemoved: (Link) -> Bool) -> [Link] {
    guard let known = links[table] else { return [] }
    let isMerged = places[table] != nil
    links[table] = []
    places[table] = nil
    for link in known where !isRemoved(link) {
      if isMerged { merge(link, table: table) } else { append(link, table: table) }
    }
    return known.filter(isRemoved)
  }

  /// Changes the links that two sides can state; those that become the same are merged.
  mutating func change(_ change: (_ table: Int, Link) -> Link?) {
    for (table, known) in links where places[table] != nil {
      links[table] = []
      places[table] = [:]
      for link in known {
        if let changed = change(table, link) { merge(changed, table: table) }
      }
    }
  }

  mutating func removeAll() {
    links = [:]
    places = [:]
  }
}
