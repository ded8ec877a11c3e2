/// The run's relationships until they are in the store: the cells of to-one ones, and the links of
/// those that have a table of their own.
struct RelationshipTracker {
  let relationships: [StoredRelationship]
  /// For each to-one relationship, its cells.
  var cells: [ForeignKeyBuffer?]
  var joins = JoinRows()
  /// For each to-many relationship, the rows whose collection was set, and the position after it.
  var setCollections: [CollectionEnds]
  /// For each to-one relationship, how many rows point at others without a place in their
  /// collection, as far as that was said in the turn of the current archive.
  var unplaced: [Int]
  /// The lengths of collections that are yet to be written, by relationship and row.
  var counts: [Int: [Int64: Int]] = [:]
  /// Relationships that count members of rows whose collection was set several times.
  var setAgain: Set<Int> = []
  /// For relationships that count members, the rows of earlier runs whose collection was set, or has
  /// got or lost a member.
  var earlierCounts: [Int: Set<Int64>] = [:]
  /// The position after the last member, for ordered relationships that rows were added to.
  var nextPositions: [Int: [Int64: Int64]] = [:]
  /// Ordered relationships whose members may have to be numbered again at the end.
  var unevenOrders: Set<Int> = []
  /// For to-one relationships, the rows written straight from the archive whose owner's collection
  /// was set without them.
  var unclaimedRows: [Int: [Int64]] = [:]
  /// Links to rows of which nobody knows yet whether they are of a subentity that the relationship
  /// leads to.
  var awaited: [(relationship: Int, member: RowReference)] = []
  /// Relationships that hooks set from both sides.
  var setFromBothSides: Set<Int> = []
  /// For each table, the rows that were written.
  private var written: [WrittenRows]
  /// For each table, the last row before this run, or what it goes on with.
  private let earlierIDs: [Int64]
  private let hasEarlierRows: Bool

  init(_ relationships: [StoredRelationship], lastIDs: [Int64]) {
    self.relationships = relationships
    cells = relationships.map { $0.isToMany ? nil : ForeignKeyBuffer(after: lastIDs[$0.table]) }
    setCollections = relationships.map { CollectionEnds(after: lastIDs[$0.table]) }
    unplaced = relationships.map { _ in 0 }
    written = lastIDs.map { WrittenRows(after: $0) }
    earlierIDs = lastIDs
    hasEarlierRows = lastIDs.contains { $0 > 0 }
  }

  /// Notes that the members of a row may be more or fewer than they were.
  mutating func noteMembers(_ relationship: Int?, of row: Int64) {
    guard hasEarlierRows, let relationship, relationships[relationship].count != nil,
      row <= earlierIDs[relationships[relationship].table]
    else { return }
    earlierCounts[relationship, default: []].insert(row)
  }

  /// True if a row is in the store, or on its way there.
  func isWritten(_ row: Int64, table: Int) -> Bool { written[table].contains(row) }

  mutating func noteWritten(_ row: Int64, table: Int) { written[table].insert(row) }

  /// Notes that a row was handed out for an object that is yet to become it.
  mutating func noteReserved(_ row: Int64, table: Int) { written[table].reserve(row) }

  mutating func set(_ cell: ForeignKeyBuffer.Cell, _ relationship: Int, of row: Int64) {
    let isWritten = isWritten(row, table: relationships[relationship].table)
    cells[relationship]?.set(cell, of: row, isWritten: isWritten)
  }

  /// Forgets which collections were set.
  mutating func forgetCollections() {
    for index in setCollections.indices { setCollections[index].removeAll() }
  }

  /// Begins the turn of the next archive.
  mutating func advance(to lastIDs: [Int64]) {
    for index in relationships.indices where cells[index] != nil {
      let table = relationships[index].table
      cells[index]?.advance(to: lastIDs[table]) { [written] row in
        !written[table].contains(row)
      }
    }
    for index in relationships.indices {
      setCollections[index].advance(to: lastIDs[relationships[index].table])
    }
    nextPositions = [:]
    for index in unplaced.indices { unplaced[index] = 0 }
    for table in written.indices { written[table].advance(to: lastIDs[table]) }
  }
}

extension RelationshipTracker {
  /// The rows of a table that are in the store.
  struct WrittenRows {
    private var bits: RowBits
    /// Rows before the window that are not.
    private var waiting: Set<Int64> = []
    /// Rows of the window that were handed out and may not be written in it.
    private var reserved: RowBits

    init(after lastID: Int64) {
      bits = RowBits(after: lastID)
      reserved = RowBits(after: lastID)
    }

    func contains(_ row: Int64) -> Bool {
      row >= bits.firstRow ? bits.contains(row) : !waiting.contains(row)
    }

    mutating func insert(_ row: Int64) {
      if row >= bits.firstRow {
        bits.insert(row)
      } else {
        waiting.remove(row)
      }
    }

    mutating func reserve(_ row: Int64) { reserved.insert(row) }

    mutating func advance(to lastID: Int64) {
      let handedOut = reserved
      reserved = RowBits(after: lastID)
      handedOut.forEach { row in
        if !contains(row) { waiting.insert(row) }
      }
      bits.reset(after: lastID)
    }
  }
}
