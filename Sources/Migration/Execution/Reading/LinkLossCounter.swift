import GraphCore

/// Counts the links that entity mappings follow, and that are left behind: nothing was made of the
/// other object that a new relationship can hold.
struct LinkLossCounter {
  private typealias Follower = MigrationProgram.LinkRisk.Follower

  /// A relationship of the source, with what follows it from either side.
  private struct Relationship {
    var key: String
    var forward: [Follower]
    /// What follows its inverse.
    var backward: [Follower]
    /// Whether a link that is the same from both sides is counted at the lower object.
    var isOrderedByObject: Bool
    /// The entity mappings that count a link from the other side.
    var others: [Int]
  }

  private let state: MigrationState
  private let reader: SourceReader
  private let risk: MigrationProgram.LinkRisk

  init(_ state: MigrationState, _ reader: SourceReader) {
    (self.state, self.reader) = (state, reader)
    risk = MigrationProgram.LinkRisk(state.program)
  }

  /// How many links of each relationship of the source objects of an entity mapping are left
  /// behind; each is counted once, at one of its ends.
  ///
  /// - Complexity: Linear in the links of relationships of which some may be left behind.
  func counts(of index: Int) throws(ArchiveError) -> [String: Int] {
    var counts: [String: Int] = [:]
    for relationship in relationships(of: index) {
      var count = 0
      try state.forEachSource(of: index) { (uid) throws(ArchiveError) in
        count += try lostCount(relationship, uid, index)
      }
      if count > 0 { counts[relationship.key] = count }
    }
    return counts
  }

  private func relationships(of index: Int) -> [Relationship] {
    guard let entity = state.program.mappings[index].sourceEntity else { return [] }
    return risk.keys(of: index).map { key in
      let forward = risk.followers(of: key, from: entity)
      guard let inverse = risk.inverse(of: key, entity) else {
        return Relationship(
          key: key, forward: forward, backward: [], isOrderedByObject: false, others: [])
      }
      let backward = risk.followers(of: inverse.key, from: inverse.entity)
      let isBefore = { (other: Int) in other < index || other == index && inverse.key < key }
      return Relationship(
        key: key, forward: forward, backward: backward,
        isOrderedByObject: inverse.key == key,
        others: backward.map(\.mapping).filter(isBefore))
    }
  }

  private func lostCount(
    _ relationship: Relationship, _ uid: Int, _ index: Int
  ) throws(ArchiveError) -> Int {
    // An object that several entity mappings take is counted by the first.
    let isCounted = relationship.forward.contains {
      $0.mapping < index && state.takes(uid, $0.mapping)
    }
    guard !isCounted else { return 0 }
    let object = try reader.graph.object(uid)
    guard let position = reader.position(of: relationship.key, in: object) else { return 0 }
    let members = try reader.objects(try reader.graph.value(of: object, at: position))
    return members.count { member in
      if relationship.isOrderedByObject, member < uid, state.takes(member, index) { return false }
      return !relationship.others.contains { state.takes(member, $0) }
        && !leads(relationship.forward, from: uid, to: member)
        && !leads(relationship.backward, from: member, to: uid)
    }
  }

  /// Whether an object has a new relationship that leads to what another has become.
  private func leads(_ followers: [Follower], from uid: Int, to other: Int) -> Bool {
    followers.contains { follower in
      state.takes(uid, follower.mapping)
        && follower.targets.contains {
          state.takes(other, $0) && risk.holds(follower.property, $0)
        }
    }
  }
}
