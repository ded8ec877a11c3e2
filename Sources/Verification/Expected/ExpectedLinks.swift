import DataModel
import Importer

/// The links that relationships must hold where both of their sides may speak.
///
/// The rules are those of Documentation/mapping.md: the owning side is kept, of two collections
/// that claim a row the later one; links that either side names are there.
final class ExpectedLinks {
  private struct Pair: Hashable {
    var owner: Int64
    var member: Int64
    var entity: Int
  }

  struct Holder: Hashable {
    var relationship: Int
    var row: Int64
  }

  let relationships: [StoredRelationship]
  let plan: ImportPlan
  /// For each relationship, the cells of the rows after `bases`.
  var cells: [[Cell]]
  private var bases: [Int64]
  /// For each table of elements, its links in the order in which they were written, or in that of
  /// their owners once they are settled; and those of the turn.
  var links: [Int: [Link]] = [:]
  private var currentLinks: [Int: [Link]] = [:]
  private var currentPairs: [Int: [Pair: Int]] = [:]
  /// The number of times that a link is among them, if it may be there several times.
  private var currentCounts: [Int: [Pair: Int]] = [:]
  /// The number of times that each link was there before the turn, in a table.
  private var knownPairs: [Int: [Pair: Int]] = [:]
  /// The place after the last member of a collection.
  private var nextPositions: [Holder: Int64] = [:]
  /// The number of members of a collection that tells none from nothing: those of the object that
  /// spoke last, or of the row once the links are settled.
  var counts: [Holder: Int] = [:]
  private var archive: Int32 = 0
  /// True if collections of several objects may be one.
  let mayMerge: Bool

  init(_ relationships: [StoredRelationship], _ plan: ImportPlan) {
    self.relationships = relationships
    self.plan = plan
    cells = relationships.map { _ in [] }
    bases = relationships.map { _ in 0 }
    mayMerge = plan.findsRows
  }

  /// Begins to tell of the rows after some: those before were compared.
  func begin(after lastIDs: [Int64]) {
    for index in relationships.indices {
      bases[index] = lastIDs[relationships[index].table]
      cells[index] = []
    }
    links = [:]
    knownPairs = [:]
    nextPositions = [:]
    counts = [:]
  }

  // MARK: What is said

  /// A to-many relationship of a row holds some others.
  ///
  /// - Parameters:
  ///   - index: The relationship.
  ///   - owner: The row.
  ///   - members: The others.
  ///   - keepsOrder: True if they stand in an order: not in a set.
  func relate(
    _ index: Int, of owner: RowReference, toMany members: [RowReference], keepsOrder: Bool
  ) {
    let stored = relationships[index]
    let hasPlaces = stored.isOrdered && (keepsOrder || stored.inverse != nil)
    let holder = Holder(relationship: index, row: owner.id)
    if stored.count != nil { counts[holder] = members.count }
    var position = nextPositions[holder] ?? 0
    var said: [RowReference: Int] = [:]
    for member in members where fits(member, stored) {
      if mayMerge, stored.inverse == nil, let table = stored.elements {
        // What another object of the row has said as often is there already.
        let pair = Pair(owner: owner.id, member: member.id, entity: member.entity)
        said[member, default: 0] += 1
        guard let count = said[member], count > currentCounts[table]?[pair] ?? 0 else { continue }
        currentCounts[table, default: [:]][pair] = count
      }
      let placement = hasPlaces ? position : nil
      if let inverse = stored.inverse, !relationships[inverse].isToMany, stored.elements == nil {
        claim(inverse, of: member, for: owner, placement)
      } else {
        join(index, owner, member, placement)
      }
      position += 1
    }
    if mayMerge { nextPositions[holder] = position }
  }

  /// A to-one relationship of a row holds another.
  func relate(_ index: Int, of row: RowReference, toOne member: RowReference) {
    let stored = relationships[index]
    guard fits(member, stored) else { return }
    if let inverse = stored.inverse, !relationships[inverse].isToMany {
      pair(index, inverse, row, member)
      return
    }
    var cell = cell(index, of: row.id)
    if cell.target != 0, cell.target != member.id, cell.ownerArchive == archive { return }
    if cell.target != member.id { cell.position = -1 }
    cell.target = member.id
    cell.targetEntity = Int32(truncatingIfNeeded: member.entity)
    set(cell, index, of: row.id)
  }

  private func fits(_ member: RowReference, _ stored: StoredRelationship) -> Bool {
    stored.destinations.contains { plan.hierarchy.isKind(member.entity, of: $0) }
  }

  private func claim(
    _ index: Int, of row: RowReference, for owner: RowReference, _ position: Int64?
  ) {
    var cell = cell(index, of: row.id)
    if cell.target != owner.id { cell.position = -1 }
    cell.target = owner.id
    cell.targetEntity = Int32(truncatingIfNeeded: owner.entity)
    if let position, cell.position < 0 { cell.position = Int32(truncatingIfNeeded: position) }
    cell.ownerArchive = archive
    set(cell, index, of: row.id)
  }

  /// Pairs two rows, of which those that they were paired with are let go.
  private func pair(
    _ index: Int, _ inverse: Int, _ first: RowReference, _ second: RowReference
  ) {
    let isOwning = relationships[index].isOwning
    var own = cell(index, of: first.id)
    var other = cell(inverse, of: second.id)
    if own.target != second.id || other.target != first.id {
      let isDecided =
        own.target != 0 && own.ownerArchive == archive
        || other.target != 0 && other.ownerArchive == archive
      if !isOwning, isDecided { return }
      if own.target != 0 { set(Cell(), inverse, of: own.target) }
      if other.target != 0 { set(Cell(), index, of: other.target) }
      own = Cell(target: second.id, targetEntity: Int32(truncatingIfNeeded: second.entity))
      other = Cell(target: first.id, targetEntity: Int32(truncatingIfNeeded: first.entity))
    }
    if isOwning { (own.ownerArchive, other.ownerArchive) = (archive, archive) }
    set(own, index, of: first.id)
    set(other, inverse, of: second.id)
  }

  private func join(
    _ index: Int, _ owner: RowReference, _ member: RowReference, _ position: Int64?
  ) {
    let stored = relationships[index]
    guard let table = stored.elements else { return }
    guard let inverse = stored.inverse else {
      currentLinks[table, default: []].append(
        Link(
          owner: owner.id, member: member.id, memberEntity: member.entity, position: position,
          inversePosition: nil))
      return
    }
    let isOther = stored.isInverseTable && inverse != index
    if !isOther {
      merge(
        Link(
          owner: owner.id, member: member.id, memberEntity: member.entity, position: position,
          inversePosition: nil), table)
    }
    // What is its own inverse holds each link in both directions.
    if isOther || inverse == index {
      merge(
        Link(
          owner: member.id, member: owner.id, memberEntity: owner.entity, position: nil,
          inversePosition: isOther ? position : nil), table)
    }
  }

  private func merge(_ link: Link, _ table: Int) {
    let pair = Pair(owner: link.owner, member: link.member, entity: link.memberEntity)
    guard let known = currentPairs[table]?[pair] else {
      currentPairs[table, default: [:]][pair] = currentLinks[table]?.count ?? 0
      currentLinks[table, default: []].append(link)
      return
    }
    let old = currentLinks[table]?[known]
    currentLinks[table]?[known].position = old?.position ?? link.position
    currentLinks[table]?[known].inversePosition = old?.inversePosition ?? link.inversePosition
  }

  /// An archive's turn ends.
  func endTurn() {
    for (table, found) in currentLinks {
      guard mayMerge else {
        links[table, default: []] += found
        continue
      }
      // What was there already stays; what stands in a collection more often by now is added.
      var earlier = knownPairs[table] ?? [:]
      for link in found {
        let pair = Pair(owner: link.owner, member: link.member, entity: link.memberEntity)
        if let count = earlier[pair], count > 0 {
          earlier[pair] = count - 1
          continue
        }
        links[table, default: []].append(link)
        knownPairs[table, default: [:]][pair, default: 0] += 1
      }
    }
    currentLinks = [:]
    currentPairs = [:]
    currentCounts = [:]
    archive += 1
  }

  // MARK: What must be there

  /// The value of a to-one relationship of a row.
  func cell(_ relationship: Int, of row: Int64) -> Cell {
    let ordinal = row - bases[relationship]
    guard ordinal > 0, ordinal <= Int64(cells[relationship].count) else { return Cell() }
    return cells[relationship][Int(ordinal) - 1]
  }

  private func set(_ cell: Cell, _ relationship: Int, of row: Int64) {
    let ordinal = row - bases[relationship]
    guard ordinal > 0, let count = Int(exactly: ordinal) else { return }
    while cells[relationship].count < count { cells[relationship].append(Cell()) }
    cells[relationship][count - 1] = cell
  }

  /// The number of members of a collection, where that is kept.
  func count(_ index: Int, of row: Int64) -> Int? {
    counts[Holder(relationship: index, row: row)]
  }
}

extension ExpectedLinks {
  /// The value of a to-one relationship of a row.
  struct Cell {
    /// The row that it leads to; 0 for none.
    var target: Int64 = 0
    var targetEntity: Int32 = -1
    /// The place in the collection of that row; -1 for none.
    var position: Int32 = -1
    /// The turn in which the owning side said so, and the one in which the row itself did.
    var ownerArchive: Int32 = -1
  }

  /// A link that has a row of a table of its own.
  struct Link {
    var owner: Int64
    var member: Int64
    var memberEntity: Int
    var position: Int64?
    var inversePosition: Int64?
  }
}
