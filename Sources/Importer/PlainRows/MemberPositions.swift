extension ArchiveImporter {
  /// The positions that members have in the collections of their owners.
  ///
  /// An owner is mostly written before its members, so a position waits here until the member's row
  /// is written. Where the member came first, its row is updated at the end.
  struct MemberPositions {
    /// The positions that wait for a column of an entity's rows.
    private struct Waiting {
      var entity: Int
      var column: Int
      /// Positions of the rows from `firstRow` on; -1 where there is none.
      var firstRow: Int64
      var positions: [Int32] = []
    }

    private var late: [StoreWriter.PositionUpdate] = []
    private var waiting: [Waiting] = []
    private var lastWritten: [Int64]

    /// - Parameters:
    ///   - lastIDs: For each table, the id of the last row before this archive's.
    ///   - tables: For each entity, its table.
    init(lastIDs: [Int64], tables: [Int]) {
      lastWritten = tables.map { lastIDs[$0] }
    }

    /// Starts over, for an archive whose rows stand after others.
    mutating func reset(lastIDs: [Int64], tables: [Int]) {
      late.removeAll(keepingCapacity: true)
      for entity in lastWritten.indices { lastWritten[entity] = lastIDs[tables[entity]] }
      for slot in waiting.indices {
        waiting[slot].firstRow = lastWritten[waiting[slot].entity] + 1
        waiting[slot].positions.removeAll(keepingCapacity: true)
      }
    }

    /// Updates of rows that were written before their position was known, in the order of the rows.
    var lateUpdates: [StoreWriter.PositionUpdate] {
      late.sorted { ($0.entity, $0.column, $0.row) < ($1.entity, $1.column, $1.row) }
    }

    /// Notes the position of a member.
    mutating func set(_ position: Int64, entity: Int, column: Int, row: Int64) {
      guard row > lastWritten[entity] else {
        late.append(
          StoreWriter.PositionUpdate(entity: entity, column: column, row: row, position: position))
        return
      }
      let slot = slot(entity, column)
      let index = Int(row - waiting[slot].firstRow)
      let missing = index + 1 - waiting[slot].positions.count
      if missing > 0 {
        waiting[slot].positions.append(contentsOf: repeatElement(-1, count: missing))
      }
      waiting[slot].positions[index] = Int32(truncatingIfNeeded: position)
    }

    /// There are few: one for each ordered relationship whose members hold their position.
    private mutating func slot(_ entity: Int, _ column: Int) -> Int {
      for slot in waiting.indices
      where waiting[slot].entity == entity && waiting[slot].column == column {
        return slot
      }
      waiting.append(Waiting(entity: entity, column: column, firstRow: lastWritten[entity] + 1))
      return waiting.count - 1
    }

    /// Fills the positions into the row of a member that is about to be written.
    func fill(_ buffer: RowBuffer, entity: Int, row: Int64) {
      for slot in waiting.indices where waiting[slot].entity == entity {
        let index = Int(row - waiting[slot].firstRow)
        guard index >= 0, index < waiting[slot].positions.count,
          waiting[slot].positions[index] >= 0
        else { continue }
        buffer.set(waiting[slot].column, Int64(waiting[slot].positions[index]))
      }
    }

    /// Notes that a row was written.
    ///
    /// Rows of an entity are written in the order of their ids.
    mutating func noteWritten(entity: Int, row: Int64) {
      lastWritten[entity] = row
    }
  }
}

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
