import TestSupport

extension RandomGraph {
  /// Draws links and lets either side or both say them.
  ///
  /// - Returns: What the store has to hold.
  mutating func stateInAgreement(using generator: inout SeededGenerator) -> Content {
    var content: Content = [:]
    for (number, pair) in pairs.enumerated() {
      for archive in 0..<archiveCount {
        let own = Side(pair: number, end: 0)
        switch pair.kind {
        case .toOne, .toMany:
          let others = objects(at: pair.ends[1], in: archive)
          for object in objects(at: pair.ends[0], in: archive) where !others.isEmpty {
            let most = pair.kind == .toOne ? 1 : 4
            // The same member may stand in a collection several times.
            let members = (0..<Int.random(in: 0...most, using: &generator)).map { _ in
              others[Int.random(in: others.indices, using: &generator)]
            }
            if members.isEmpty, pair.kind == .toOne || Bool.random(using: &generator) { continue }
            statements[own, default: [:]][object] = members
            content[own, default: [:]][object] = Members(stated: members)
          }
        default:
          stateInAgreement(links(pair, archive, using: &generator), own, &content, &generator)
        }
      }
    }
    return content
  }

  /// Links of which each is possible beside the others.
  private func links(
    _ pair: Pair, _ archive: Int, using generator: inout SeededGenerator
  ) -> [(Int, Int)] {
    let firsts = objects(at: pair.ends[0], in: archive).shuffled(using: &generator)
    let seconds = objects(at: pair.ends[pair.ends.count - 1], in: archive)
      .shuffled(using: &generator)
    guard !firsts.isEmpty, !seconds.isEmpty else { return [] }
    switch pair.kind {
    case .toOne, .toMany:
      return []
    case .ownerAndMembers:
      return seconds.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }.map { member in
        (firsts[Int.random(in: firsts.indices, using: &generator)], member)
      }
    case .oneToOne:
      return zip(firsts, seconds).filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
        .map { $0 }
    case .manyToMany, .friends:
      var links: [(Int, Int)] = []
      for first in firsts {
        for second in seconds where Int.random(in: 0..<3, using: &generator) == 0 {
          // Of friends, one link stands for both directions.
          let isKnown = pair.kind == .friends && links.contains { $0 == second && $1 == first }
          if !isKnown { links.append((first, second)) }
        }
      }
      return links
    case .partner:
      // Some are their own partner.
      return stride(from: 0, to: firsts.count, by: 2).map { place in
        (firsts[place], firsts[place + 1 < firsts.count ? place + 1 : place])
      }.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
    }
  }

  private mutating func stateInAgreement(
    _ links: [(Int, Int)], _ own: Side, _ content: inout Content,
    _ generator: inout SeededGenerator
  ) {
    let other = opposite(own)
    let archives = Set(links.map { objects[$0.0].archive })
    var lists: [Side: [Int: [Int]]] = [:]
    for side in Set([own, other]) {
      for archive in archives {
        for object in objects(at: end(side), in: archive) { lists[side, default: [:]][object] = [] }
      }
    }
    for (first, second) in links {
      lists[own]?[first]?.append(second)
      if own != other || first != second { lists[other]?[second]?.append(first) }
    }
    var speakers: [Side: Set<Int>] = [:]
    for side in Set([own, other]).sorted(by: { $0.end < $1.end }) {
      for object in (lists[side] ?? [:]).keys.sorted() {
        lists[side]?[object]?.shuffle(using: &generator)
        if Bool.random(using: &generator) { speakers[side, default: []].insert(object) }
      }
    }
    for (first, second) in links {
      if speakers[own]?.contains(first) == true { continue }
      if speakers[other]?.contains(second) == true { continue }
      if Bool.random(using: &generator) {
        speakers[own, default: []].insert(first)
      } else {
        speakers[other, default: []].insert(second)
      }
    }
    for (side, members) in lists {
      for (object, list) in members {
        let speaks = speakers[side]?.contains(object) == true
        if speaks, end(side).isToMany || !list.isEmpty {
          statements[side, default: [:]][object] = list
        }
        guard !list.isEmpty else { continue }
        content[side, default: [:]][object] =
          speaks ? Members(stated: list) : Members(others: Set(list))
      }
    }
  }

  /// Lets each object say what it likes.
  mutating func stateAtRandom(using generator: inout SeededGenerator) {
    for side in declaredSides {
      let own = end(side)
      for archive in 0..<archiveCount {
        for object in objects(at: own, in: archive) {
          // The order of two statements of one object in one matter would make a difference.
          if pairs[side.pair].kind == .oneToOne,
            statements[opposite(side)]?[object] != nil
          {
            continue
          }
          let others = objects(at: end(opposite(side)), in: archive)
            .filter { $0 != object }
          if Int.random(in: 0..<3, using: &generator) == 0 { continue }
          if !own.isToMany {
            guard let member = others.randomElement(using: &generator) else { continue }
            statements[side, default: [:]][object] = [member]
            continue
          }
          var members = others.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
            .shuffled(using: &generator)
          if let first = members.first, Int.random(in: 0..<8, using: &generator) == 0 {
            members.append(first)
          }
          statements[side, default: [:]][object] = members
        }
      }
    }
  }
}
