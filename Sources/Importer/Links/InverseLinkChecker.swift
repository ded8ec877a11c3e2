import Stores

/// The members that stand in the collections of the owners that they point back at, for the rows
/// that are written straight from the archive.
///
/// The first reading has shown that members of collections hold their owner, but not that all that
/// hold an owner are its members. Takes a bit for each row, and more only for rows that are
/// written before their owner, or without one.
struct InverseLinkChecker {
  /// A to-many relationship and the to-one relationship that leads back.
  private struct Pair {
    let relationship: Int
    let inverse: Int
    let memberTable: Int
    let reference: Int
    let position: Int?
    var members: RowBits
    var owners: RowBits
    /// Rows with an owner whose collection has not named them so far.
    var unclaimed: [(row: Int64, owner: Int64, isConflict: Bool)] = []
    /// True if a row has a position and no owner.
    var holdsStray = false
  }

  private var pairs: [Pair] = []
  /// For each entity, the pairs of which its rows are members.
  private var pairsOfEntity: [[Int]]

  /// - Parameters:
  ///   - relationships: All relationships.
  ///   - entities: All entities.
  ///   - lastIDs: For each table, the id of the last row before this archive's.
  init(_ relationships: [StoredRelationship], _ entities: [EntityShape], after lastIDs: [Int64]) {
    pairsOfEntity = entities.map { _ in [] }
    for (index, place) in relationships.enumerated() where place.isToMany {
      guard place.elements == nil, let inverse = place.inverse,
        let reference = relationships[inverse].reference
      else { continue }
      let table = relationships[inverse].table
      for entity in entities where entity.toOnes.contains(inverse) {
        pairsOfEntity[entity.index].append(pairs.count)
      }
      pairs.append(
        Pair(
          relationship: index, inverse: inverse, memberTable: table, reference: reference,
          position: place.memberPosition, members: RowBits(after: lastIDs[table]),
          owners: RowBits(after: lastIDs[place.table])))
    }
  }

  /// None: nothing asks for them.
  init(entityCount: Int) {
    pairsOfEntity = Array(repeating: [], count: entityCount)
  }

  /// The pair of a relationship, by the place of its members.
  func pair(of place: RelationalLayout.MemberStorage, _ layout: RelationalLayout) -> Int? {
    let table = layout.entities[place.entity].table
    return pairs.firstIndex { $0.memberTable == table && $0.reference == place.reference }
  }

  /// Notes that the collection of a row is there.
  mutating func noteOwner(_ row: Int64, _ pair: Int) { pairs[pair].owners.insert(row) }

  /// Notes that a row stands in the collection of its owner.
  mutating func noteMember(_ row: Int64, _ pair: Int) { pairs[pair].members.insert(row) }

  /// Notes what a row that is about to be written holds.
  mutating func noteRow(_ buffer: RowBuffer, _ row: Int64, _ entity: Int, tellsConflicts: Bool) {
    for index in pairsOfEntity[entity] {
      guard let owner = buffer.integer(at: pairs[index].reference) else {
        if let position = pairs[index].position, buffer.integer(at: position) != nil {
          pairs[index].holdsStray = true
        }
        continue
      }
      guard !pairs[index].members.contains(row) else { continue }
      pairs[index].unclaimed.append((row, owner, tellsConflicts))
    }
  }

  /// Hands over what is left at the end of the archive's turn.
  mutating func finish(_ links: inout RelationshipTracker) {
    for index in pairs.indices {
      let pair = pairs[index]
      let rest = pair.unclaimed.filter { !pair.members.contains($0.row) }
      if !rest.isEmpty || pair.holdsStray { links.unevenOrders.insert(pair.relationship) }
      let conflicts = rest.filter { $0.isConflict && pair.owners.contains($0.owner) }
      if !conflicts.isEmpty {
        links.unclaimedRows[pair.inverse] = conflicts.map(\.row)
      }
      pairs[index].unclaimed = []
    }
  }
}
