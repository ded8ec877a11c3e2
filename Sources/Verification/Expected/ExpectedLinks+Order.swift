import Importer

/// In which order members stand, when everything has been said.
extension ExpectedLinks {
  /// Numbers the members of ordered relationships from 0, those without a place after the others if
  /// the plan says so; and puts the links of each table in the order of their owners and places.
  ///
  /// Where there is no model, no mapping and no hook, nobody numbers them again.
  func settle() {
    if plan.validates {
      numberMembers()
      countMembers()
    }
    for (table, found) in links {
      links[table] = found.indices.sorted {
        // In SQL, nothing comes before everything.
        (found[$0].owner, found[$0].position ?? -1, $0)
          < (found[$1].owner, found[$1].position ?? -1, $1)
      }.map { found[$0] }
    }
  }

  private func numberMembers() {
    for stored in relationships where stored.isToMany && stored.isOrdered {
      guard let inverse = stored.inverse, !relationships[inverse].isToMany, stored.elements == nil
      else {
        continue
      }
      number(inverse, all: plan.placesStrays(stored))
    }
    for table in links.keys {
      guard
        let index = relationships.firstIndex(where: { $0.elements == table && !$0.isInverseTable })
      else { continue }
      let stored = relationships[index]
      guard let inverse = stored.inverse else {
        // What a collection held already leaves no gap.
        if stored.isOrdered, mayMerge { rank(table, by: \.owner, \.position, all: false) }
        continue
      }
      if stored.isOrdered { rank(table, by: \.owner, \.position) }
      if inverse != index, relationships[inverse].isOrdered {
        rank(table, by: \.member, \.inversePosition)
      }
    }
  }

  /// Counts the members of the collections that were there, where that is kept.
  private func countMembers() {
    for (index, stored) in relationships.enumerated() where stored.countsMembers(in: plan.model) {
      var found: [Int64: Int] = [:]
      if let table = stored.elements {
        let isOther = stored.isInverseTable && stored.inverse != index
        for link in links[table] ?? [] {
          found[isOther ? link.member : link.owner, default: 0] += 1
        }
      } else if let inverse = stored.inverse {
        // A row whose owner's ordered collection does not hold it has no place.
        for cell in cells[inverse]
        where cell.target != 0 && (!stored.isOrdered || cell.position >= 0) {
          found[cell.target, default: 0] += 1
        }
      }
      for holder in counts.keys where holder.relationship == index {
        counts[holder] = found[holder.row] ?? 0
      }
    }
  }

  private func number(_ toOne: Int, all: Bool) {
    let rows = cells[toOne].indices.filter {
      cells[toOne][$0].target != 0 && (all || cells[toOne][$0].position >= 0)
    }.sorted {
      let (first, second) = (cells[toOne][$0], cells[toOne][$1])
      let positions = (UInt32(bitPattern: first.position), UInt32(bitPattern: second.position))
      return (first.target, positions.0, $0) < (second.target, positions.1, $1)
    }
    var owner: Int64 = 0
    var position: Int32 = 0
    for row in rows {
      if cells[toOne][row].target != owner { (owner, position) = (cells[toOne][row].target, 0) }
      cells[toOne][row].position = position
      position += 1
    }
  }

  private func rank(
    _ table: Int, by holder: KeyPath<Link, Int64>, _ column: WritableKeyPath<Link, Int64?>,
    all: Bool = true
  ) {
    guard var found = links[table] else { return }
    let ranked = found.indices.filter { all || found[$0][keyPath: column] != nil }
    let order = ranked.sorted {
      let (first, second) = (found[$0], found[$1])
      return (first[keyPath: holder], first[keyPath: column] ?? .max, $0)
        < (second[keyPath: holder], second[keyPath: column] ?? .max, $1)
    }
    var owner: Int64 = 0
    var position: Int64 = 0
    for link in order {
      let own = found[link][keyPath: holder]
      if own != owner { (owner, position) = (own, 0) }
      found[link][keyPath: column] = position
      position += 1
    }
    links[table] = found
  }
}
