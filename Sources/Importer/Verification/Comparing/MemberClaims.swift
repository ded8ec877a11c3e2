/// What the owners of the rows of a table say: who they are, and at which place the row stands.
struct MemberClaims {
  /// The column of the position, if the order is kept.
  let positionColumn: Int?
  private var owners: [UInt32] = []
  private var positions: [Int32] = []

  init(_ positionColumn: Int?) {
    self.positionColumn = positionColumn
  }

  mutating func add(_ member: Int, position: Int64, owner: Int64) {
    guard member > 0 else { return }
    while owners.count < member {
      owners.append(0)
      if positionColumn != nil { positions.append(-1) }
    }
    owners[member - 1] = UInt32(truncatingIfNeeded: owner)
    if positionColumn != nil {
      positions[member - 1] = Int32(truncatingIfNeeded: position)
    }
  }

  /// The owner of a row and its position, by the numbers of the rows in this turn.
  func claim(on member: Int) -> (owner: Int64, position: Int64?)? {
    guard owners.indices.contains(member - 1), owners[member - 1] != 0 else { return nil }
    return (
      Int64(owners[member - 1]), positionColumn == nil ? nil : Int64(positions[member - 1])
    )
  }
}
