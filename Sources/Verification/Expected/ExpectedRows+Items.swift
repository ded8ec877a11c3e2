import ArchiveReader
import DataModel
import Importer
import Stores

extension ExpectedRows {
  /// The row that a reference to an object leads to; it is handed out if there is none yet.
  ///
  /// - Parameters:
  ///   - uid: The object.
  ///   - id: Its class.
  ///   - destinations: The entities that fit; none if any does.
  ///   - mapping: The name of the entity mapping whose row is meant.
  /// - Returns: Nil if the object becomes no row.
  /// - Throws: `ArchiveError` if the archive cannot be read.
  func row(
    of uid: Int, _ id: ClassID, fitting destinations: [Int] = [], mapping: String? = nil
  ) throws -> RowReference? {
    if mapping == nil, !run.keepsEarlierRows {
      // There is one row at most, whatever would fit.
      switch use(of: id) {
      case .plain(let entity, let table):
        return RowReference(entity: entity, id: ledger.reachRow(of: uid, table))
      case .simple(let index, let entity, let table):
        let row = ledger.reachRow(of: uid, table, mapping: index)
        return RowReference(entity: entity, id: row)
      case .other:
        break
      }
    }
    if let mapping {
      if let own = try made(uid, id).first(where: { $0.mapping == mapping }) { return own.row }
      return earlier(uid).first { $0.mapping == mapping }?.row
    }
    let own = try made(uid, id).map(\.row)
    let older = earlier(uid).map(\.row)
    guard !destinations.isEmpty else { return older.first ?? own.first }
    func fits(_ row: RowReference) -> Bool {
      destinations.contains { plan.hierarchy.isKind(row.entity, of: $0) }
    }
    return own.first(where: fits) ?? older.first(where: fits) ?? own.first
  }

  /// The rows that this pass makes of an object, each with the name of its entity mapping.
  private func made(_ uid: Int, _ id: ClassID) throws -> [(mapping: String?, row: RowReference)] {
    ledger.reach(uid)
    switch use(of: id) {
    case .plain(let entity, let table):
      return [(nil, RowReference(entity: entity, id: ledger.ownRow(of: uid, table)))]
    case .simple(let index, let entity, let table):
      let row = ledger.ownRow(of: uid, table, mapping: index)
      return [(pass.entities[index].name, RowReference(entity: entity, id: row))]
    case .other:
      guard case .mapped(let indices) = classPlan(of: id) else {
        return earlier(uid).map { ($0.mapping, $0.row) }
      }
      return try resolve(uid, indices).map { (pass.entities[$0.mapping].name, $0.reference) }
    }
  }

  /// The rows that were made of an object before.
  private func earlier(_ uid: Int) -> [(mapping: String, row: RowReference)] {
    guard run.keepsEarlierRows else { return [] }
    return run.earlierRows[SourceKey(archiveID, uid)] ?? []
  }

  /// Notes that an entity mapping made a row of an object.
  func noteMade(_ row: RowReference, of uid: Int, _ mapping: Int) {
    guard run.keepsEarlierRows else { return }
    let name = pass.entities[mapping].name
    let key = SourceKey(archiveID, uid)
    if run.earlierRows[key]?.contains(where: { $0.mapping == name && $0.row == row }) == true {
      return
    }
    run.earlierRows[key, default: []].append((name, row))
  }

  /// The item for a value in a collection or under a top-level key; rows are handed out.
  func item(of value: GraphValue, inCollection: Bool) throws -> ExpectedElement.Item {
    switch value {
    case .null, .nsNull:
      return .nothing
    case .object(let uid, let id):
      if inCollection, usesMapping {
        switch try importValue(of: value) {
        case .null: return .nothing
        case .row(let row): return .row(row)
        case let standing: return .plain(.value(standing))
        }
      }
      return try row(of: uid, id).map { .row($0) } ?? .nothing
    case .collection(let id, let kind):
      return .collection(row(of: id, kind))
    default:
      return .plain(.archived(value))
    }
  }

  /// An element of a collection; with a place where every element has one, or the order counts.
  func element(
    _ elements: GraphElements, at position: Int, hasPlace: Bool = false
  ) throws -> ExpectedElement {
    var element = ExpectedElement()
    if hasPlace || elements.kind.isOrdered { element.position = Int64(position) }
    if elements.kind.isKeyed {
      element.key = try item(of: try graph.key(of: elements, at: position), inCollection: true)
    }
    element.value = try item(of: try graph.value(of: elements, at: position), inCollection: true)
    return element
  }
}

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
