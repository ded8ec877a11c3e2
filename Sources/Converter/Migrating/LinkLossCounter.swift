import GraphCore
import Importer
import Migration

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

  private let program: MigrationProgram
  private let outcome: MigrationOutcome
  private let graph: any ObjectGraph
  private let risk: MigrationProgram.LinkRisk

  init(_ program: MigrationProgram, _ outcome: MigrationOutcome, _ graph: any ObjectGraph) {
    (self.program, self.outcome, self.graph) = (program, outcome, graph)
    risk = MigrationProgram.LinkRisk(program)
  }

  /// How many links of each relationship of the source objects of an entity mapping are left
  /// behind; each is counted once, at one of its ends.
  ///
  /// - Complexity: Linear in the links of relationships of which some may be left behind.
  func counts(of index: Int) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for relationship in relationships(of: index) {
      var count = 0
      try outcome.forEachSource(of: index) { uid in
        count += try lostCount(relationship, uid, index)
      }
      if count > 0 { counts[relationship.key] = count }
    }
    return counts
  }

  private func relationships(of index: Int) -> [Relationship] {
    guard let entity = program.mappings[index].sourceEntity else { return [] }
    return risk.keys(of: index).map { key in
      let forward = followers(of: key, from: entity)
      guard let inverse = risk.inverse(of: key, entity) else {
        return Relationship(
          key: key, forward: forward, backward: [], isOrderedByObject: false, others: [])
      }
      let backward = followers(of: inverse.key, from: inverse.entity)
      let isBefore = { (other: Int) in other < index || other == index && inverse.key < key }
      return Relationship(
        key: key, forward: forward, backward: backward,
        isOrderedByObject: inverse.key == key,
        others: backward.map(\.mapping).filter(isBefore))
    }
  }

  /// The followers of a relationship, with the entity mappings whose objects they can hold.
  private func followers(of key: String, from entity: Int) -> [Follower] {
    risk.followers(of: key, from: entity).map { follower in
      var follower = follower
      follower.targets.removeAll { !risk.holds(follower.property, $0) }
      return follower
    }
  }

  private func lostCount(_ relationship: Relationship, _ uid: Int, _ index: Int) throws -> Int {
    // An object that several entity mappings take is counted by the first.
    let isCounted = try relationship.forward.contains {
      try $0.mapping < index && outcome.takes(uid, $0.mapping)
    }
    guard !isCounted else { return 0 }
    let members = try graph.objects(under: relationship.key, of: uid)
    return try members.count { member in
      if relationship.isOrderedByObject, member < uid, try outcome.takes(member, index) {
        return false
      }
      return try !relationship.others.contains { try outcome.takes(member, $0) }
        && !leads(relationship.forward, from: uid, to: member)
        && !leads(relationship.backward, from: member, to: uid)
    }
  }

  /// Whether an object has a new relationship that leads to what another has become.
  private func leads(_ followers: [Follower], from uid: Int, to other: Int) throws -> Bool {
    try followers.contains { follower in
      try outcome.takes(uid, follower.mapping)
        && follower.targets.contains { try outcome.takes(other, $0) }
    }
  }
}
