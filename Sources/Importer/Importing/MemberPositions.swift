/// The positions that members have in the collections of their owners.
///
/// An owner is mostly written before its members, so a position waits here until the member's row
/// is written. Where the member came first, its row is updated at the end.
struct MemberPositions {
  private struct Waiting {
    var column: Int
    /// Positions of the rows from `firstRow` on; -1 where there is none.
    var firstRow: Int64
    var positions: [Int32]
  }

  private var late: [PositionUpdate] = []
  /// For each entity, what waits, column by column.
  private var waiting: [[Waiting]]
  private var lastWritten: [Int64]

  /// - Parameters:
  ///   - lastIDs: For each table, the id of the last row before this archive's.
  ///   - tables: For each entity, its table.
  init(lastIDs: [Int64], tables: [Int]) {
    waiting = Array(repeating: [], count: tables.count)
    lastWritten = tables.map { lastIDs[$0] }
  }

  /// Updates of rows that were written before their position was known, in the order of the rows.
  var lateUpdates: [PositionUpdate] {
    late.sorted { ($0.entity, $0.column, $0.row) < ($1.entity, $1.column, $1.row) }
  }

  /// Notes the position of a member.
  mutating func set(_ position: Int64, entity: Int, column: Int, row: Int64) {
    guard row > lastWritten[entity] else {
      late.append(
        PositionUpdate(entity: entity, column: column, row: row, position: position))
      return
    }
    let slot: Int
    if let known = waiting[entity].firstIndex(where: { $0.column == column }) {
      slot = known
    } else {
      waiting[entity].append(
        Waiting(column: column, firstRow: lastWritten[entity] + 1, positions: []))
      slot = waiting[entity].count - 1
    }
    let index = Int(row - waiting[entity][slot].firstRow)
    while waiting[entity][slot].positions.count <= index {
      waiting[entity][slot].positions.append(-1)
    }
    waiting[entity][slot].positions[index] = Int32(truncatingIfNeeded: position)
  }

  /// Fills the positions into the row of a member that is about to be written.
  func fill(_ buffer: RowBuffer, entity: Int, row: Int64) {
    for slot in waiting[entity] {
      let index = Int(row - slot.firstRow)
      guard slot.positions.indices.contains(index), slot.positions[index] >= 0 else { continue }
      buffer.set(slot.column, Int64(slot.positions[index]))
    }
  }

  /// Notes that a row was written.
  ///
  /// Rows of an entity are written in the order of their ids.
  mutating func noteWritten(entity: Int, row: Int64) {
    lastWritten[entity] = row
  }
}
