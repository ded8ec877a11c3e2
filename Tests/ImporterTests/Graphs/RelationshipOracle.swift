/// What becomes of statements that may disagree, by the rules alone.
///
/// Objects have their turn in the order of their numbers.
struct RelationshipOracle {
  typealias Side = RandomGraph.Side

  private(set) var content: RandomGraph.Content = [:]
  /// A line for each: "sidesDisagree property tag".
  private(set) var conflicts: [String] = []
  private let graph: RandomGraph

  init(_ graph: RandomGraph) {
    self.graph = graph
    for (number, pair) in graph.pairs.enumerated() {
      let own = Side(pair: number, end: 0)
      switch pair.kind {
      case .toOne, .toMany:
        content[own] = graph.statements[own]?.mapValues { RandomGraph.Members(stated: $0) }
      case .ownerAndMembers: relateMembers(own)
      case .oneToOne, .partner: match(own)
      case .manyToMany, .friends: join(own)
      }
    }
    conflicts.sort()
  }

  private func statements(_ side: Side) -> [(object: Int, members: [Int])] {
    (graph.statements[side] ?? [:]).sorted { $0.key < $1.key }.map { object, members in
      var seen: Set<Int> = []
      return (object, members.filter { seen.insert($0).inserted })
    }
  }

  private mutating func note(_ code: String, _ side: Side, _ object: Int) {
    conflicts.append("\(code) \(graph.end(side).name) \(object)")
  }

  // MARK: Owner and members

  private mutating func relateMembers(_ own: Side) {
    let other = graph.opposite(own)
    var claims: [Int: [Int]] = [:]
    for (owner, members) in statements(own) {
      for member in members { claims[member, default: []].append(owner) }
    }
    for member in graph.objects.indices {
      let named = graph.statements[other]?[member]?.first
      let owners = claims[member] ?? []
      for _ in owners.dropFirst() { note("claimedTwice", other, member) }
      if let named, let first = owners.first {
        // A member speaks against the collection that holds it when it has its turn.
        if named != owners.last(where: { $0 < member }) ?? first {
          note("sidesDisagree", other, member)
        }
      } else if let named, graph.statements[own]?[named] != nil {
        note("notInCollection", other, member)
      }
      guard let owner = owners.last ?? named else { continue }
      content[other, default: [:]][member] = .init(stated: [owner])
      guard owners.isEmpty else { continue }
      content[own, default: [:]][owner, default: .init()].others.insert(member)
    }
    for (owner, members) in statements(own) {
      content[own, default: [:]][owner, default: .init()].stated = members.filter {
        claims[$0]?.last == owner
      }
    }
  }

  // MARK: One to one

  private struct Couple {
    var first: Int
    var second: Int
    var saidBy: Side
  }

  /// Each statement makes a couple; one of the side that stands first cannot be undone by the
  /// other.
  private mutating func match(_ own: Side) {
    let other = graph.opposite(own)
    let strong = graph.standsFirst(own) ? own : other
    let weak = graph.opposite(strong)
    var turns = statements(strong).map { (side: strong, $0.object, $0.members[0]) }
    if weak != strong { turns += statements(weak).map { (side: weak, $0.object, $0.members[0]) } }
    var couples: [Couple] = []
    for (side, object, member) in turns.sorted(by: { $0.1 < $1.1 }) {
      let (first, second) = side == strong ? (object, member) : (member, object)
      func holds(_ couple: Couple, _ side: Side, _ object: Int) -> Bool {
        strong == weak && couple.second == object
          || (side == strong ? couple.first : couple.second) == object
      }
      if let known = couples.firstIndex(where: {
        $0.first == first && $0.second == second
          || strong == weak && $0.first == second && $0.second == first
      }) {
        if side == strong { couples[known].saidBy = strong }
        continue
      }
      let otherSide = side == strong ? weak : strong
      let inTheWay = couples.filter { holds($0, side, object) || holds($0, otherSide, member) }
      if strong != weak, side == weak, inTheWay.contains(where: { $0.saidBy == strong }) {
        note("sidesDisagree", weak, object)
        continue
      }
      for couple in inTheWay {
        if holds(couple, side, object) {
          let isFirst = couple.first == object && (side == strong || strong == weak)
          note("sidesDisagree", otherSide, isFirst ? couple.second : couple.first)
        }
        if holds(couple, otherSide, member) {
          note(couple.saidBy == side ? "claimedTwice" : "sidesDisagree", otherSide, member)
        }
      }
      couples.removeAll { holds($0, side, object) || holds($0, otherSide, member) }
      couples.append(Couple(first: first, second: second, saidBy: side))
    }
    for couple in couples {
      content[strong, default: [:]][couple.first] = .init(stated: [couple.second])
      content[weak, default: [:]][couple.second] = .init(stated: [couple.first])
    }
  }

  // MARK: Many to many

  private mutating func join(_ own: Side) {
    let other = graph.opposite(own)
    for side in Set([own, other]) {
      let opposite = graph.opposite(side)
      for (object, members) in statements(side) {
        content[side, default: [:]][object, default: .init()].stated = members
        for member in members {
          let back = graph.statements[opposite]?[member]
          if back?.contains(object) == true { continue }
          content[opposite, default: [:]][member, default: .init()].others.insert(object)
          if back != nil { note("notInCollection", side, object) }
        }
      }
    }
  }
}
