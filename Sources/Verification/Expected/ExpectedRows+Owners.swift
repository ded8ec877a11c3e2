import DataModel
import Stores

extension ExpectedRows {
  /// The claims of the owners of a table's rows: who they are, and at which place the row stands.
  ///
  /// Rows are counted from the first of the turn on.
  struct Owners {
    /// The members' table, and its column that names the owner.
    let table: Int
    let column: Int
    /// The column of the position, if the order is kept.
    let positionColumn: Int?
    /// The last row of the members' table before this turn, and that of the owners' tables.
    private let base: Int64
    private let ownerBases: [Int64]
    private let ownerTables: [Int]
    /// The base of the table that the column refers to; nil if there is none.
    private let ownerBase: Int64?
    private var owners: [UInt32] = []
    private var positions: [Int32] = []

    /// - Parameters:
    ///   - place: The storage of the relationship.
    ///   - table: The members' table.
    ///   - layout: The layout.
    ///   - bases: For each table, the last row before this turn.
    init(
      _ place: RelationalLayout.MemberStorage, _ table: Int, _ layout: RelationalLayout,
      _ bases: [Int64]
    ) {
      self.table = table
      column = place.reference
      positionColumn = place.position
      base = bases[table]
      ownerBases = bases
      ownerTables = layout.entities.map(\.table)
      let name = layout.tables[table].columns[place.reference].references
      ownerBase = layout.tables.firstIndex { $0.name == name }.map { bases[$0] }
    }

    /// Notes that an owner holds a row.
    mutating func add(_ member: RowReference, position: Int64, owner: RowReference) {
      guard let ordinal = Int(exactly: member.id - base), ordinal > 0 else { return }
      while owners.count < ordinal {
        owners.append(0)
        if positionColumn != nil { positions.append(-1) }
      }
      let ownerNumber = owner.id - ownerBases[ownerTables[owner.entity]]
      owners[ordinal - 1] = UInt32(truncatingIfNeeded: ownerNumber)
      if positionColumn != nil {
        positions[ordinal - 1] = Int32(truncatingIfNeeded: position)
      }
    }

    /// The position of a row, by its number in this turn, if an owner says one.
    func position(of member: Int) -> Int64? {
      guard owners.indices.contains(member - 1), owners[member - 1] != 0, positionColumn != nil
      else { return nil }
      return Int64(positions[member - 1])
    }

    /// True if a row has an owner, by its number in this turn.
    func hasOwner(of member: Int) -> Bool {
      owners.indices.contains(member - 1) && owners[member - 1] != 0
    }

    /// The owner of a row, by its number in this turn, as the column names it.
    func owner(of member: Int) -> Int64? {
      guard hasOwner(of: member), let ownerBase else { return nil }
      return ownerBase + Int64(owners[member - 1])
    }
  }
}
