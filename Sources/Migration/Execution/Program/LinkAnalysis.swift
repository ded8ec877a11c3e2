import DataModel

extension MigrationProgram {
  /// Finds out which links agree on both sides by themselves, so that they need not be kept.
  ///
  /// That is so where both sides are filled from two relationships of the source that are each
  /// other's inverse, and each leads to the objects that the other begins with.
  struct LinkAnalysis {
    private let program: MigrationProgram
    /// For each pair, where its values come from.
    private var uses: [[Use]]

    private struct Use {
      var mapping: Int
      var side: Int
      var value: PlannedValue
    }

    init(_ program: MigrationProgram) {
      self.program = program
      uses = Array(repeating: [], count: program.destination.pairs.count)
      for (index, mapping) in program.mappings.enumerated() {
        guard let entity = mapping.destinationEntity else { continue }
        for (position, property) in program.destination.entities[entity].properties.enumerated() {
          guard case .relationship(_, let pair, let side) = property.content else { continue }
          uses[pair].append(Use(mapping: index, side: side, value: mapping.values[position]))
        }
      }
    }

    /// Whether the links of a pair can be looked up in the source whenever they are asked for.
    func isLazy(_ pair: Int) -> Bool {
      uses[pair].allSatisfy { use in
        // A policy may set anything.
        guard !program.mappings[use.mapping].isEager else { return false }
        switch use.value {
        case .none: return true
        case .links(let links): return isLazy(use, links, pair)
        default: return false
        }
      }
    }

    private func isLazy(_ use: Use, _ links: PlannedMapping.Links, _ pair: Int) -> Bool {
      guard links.mappings.allSatisfy({ !program.mappings[$0].isEager }) else { return false }
      let isToMany = program.destination.pairs[pair].isToMany[use.side]
      let isSingle: Bool
      switch links.sources {
      case .itself: isSingle = true
      case .relationship(let key):
        guard let found = relationship(key, of: use.mapping) else { return false }
        isSingle = !found.isToMany
      case .expression: return false
      }
      // An end that leads to one object must not be offered several.
      if !isToMany, !isSingle || canShareSources(links.mappings) { return false }
      guard program.destination.pairs[pair].hasInverse else { return true }
      let opposite = program.destination.pairs[pair].isSymmetric ? use.side : 1 - use.side
      return links.mappings.allSatisfy { target in
        uses[pair].contains { other in
          guard other.mapping == target, other.side == opposite,
            case .links(let back) = other.value
          else { return false }
          return back.mappings.contains(use.mapping) && leadBack(use, links, target, back)
        }
      }
    }

    /// Whether the source objects of one side lead back to those of the other.
    private func leadBack(
      _ use: Use, _ links: PlannedMapping.Links, _ target: Int, _ back: PlannedMapping.Links
    ) -> Bool {
      switch (links.sources, back.sources) {
      case (.itself, .itself): return true
      case (.relationship(let key), .relationship(let inverse)):
        guard let there = relationship(key, of: use.mapping),
          let back = relationship(inverse, of: target)
        else { return false }
        return there.inverse == inverse && back.inverse == key
      default: return false
      }
    }

    private func relationship(_ key: String, of mapping: Int) -> Relationship? {
      program.mappings[mapping].sourceEntity.flatMap {
        program.sourceHierarchy.relationship(key, of: $0, in: program.source)
      }
    }

    /// Whether two of the entity mappings may make objects out of the same source object.
    private func canShareSources(_ mappings: [Int]) -> Bool {
      program.mappingsOfEntity.contains { migrating in
        migrating.count { mappings.contains($0) } > 1
      }
    }
  }
}

extension MigrationProgram {
  /// Relationships of the source that entity mappings follow, and of which links may be left behind
  /// all the same: nothing may have been made of the other object that a new relationship can hold.
  package struct LinkRisk {
    /// A relationship that an entity mapping follows.
    package struct Follower {
      package var mapping: Int
      package var property: DestinationSchema.Property
      /// The entity mappings whose objects it leads to.
      package var targets: [Int]
    }

    private let program: MigrationProgram

    package init(_ program: MigrationProgram) { self.program = program }

    /// The relationships of the source entity of an entity mapping that it follows, and of which
    /// links may be left behind, sorted.
    ///
    /// Those that policies or expressions have a part in are left out: what they mean by it, only
    /// they know.
    package func keys(of index: Int) -> [String] {
      let mapping = program.mappings[index]
      guard mapping.policyClassName == nil, mapping.destinationEntity != nil,
        let entity = mapping.sourceEntity
      else { return [] }
      let keys = Set(mapping.values.compactMap(\.followedKey))
      return keys.filter { isAtRisk($0, of: entity, index) }.sorted()
    }

    /// What follows a relationship from an entity or one that inherits from it.
    package func followers(of key: String, from entity: Int) -> [Follower] {
      mappings(ofKind: entity).flatMap { followers(of: key, by: $0) }
    }

    /// The inverse of a relationship that an entity has.
    package func inverse(of key: String, _ entity: Int) -> (key: String, entity: Int)? {
      guard
        let relationship = program.sourceHierarchy.relationship(
          key, of: entity, in: program.source),
        let destination = relationship.destinations.first.flatMap(program.sourceHierarchy.index),
        let inverse = program.sourceHierarchy.inverse(
          of: relationship, at: destination, in: program.source)
      else { return nil }
      return (inverse.name, destination)
    }

    private func isAtRisk(_ key: String, of entity: Int, _ index: Int) -> Bool {
      guard
        let relationship = program.sourceHierarchy.relationship(key, of: entity, in: program.source)
      else { return false }
      let kinds = relationship.destinations.compactMap(program.sourceHierarchy.index)
        .flatMap(program.sourceHierarchy.withDescendants)
      let inverse = inverse(of: key, entity)
      let readers =
        mappings(ofKind: entity).map { (mapping: $0, key: key) }
        + kinds.flatMap { mappings(ofKind: $0) }.map { (mapping: $0, key: inverse?.key ?? "") }
      guard readers.allSatisfy({ isPlain($0.mapping, $0.key) }) else { return false }
      let forward = followers(of: key, by: index)
      return kinds.filter { !program.source.entities[$0].isAbstract }.contains { kind in
        let whole = program.mappingsOfEntity[kind].filter(takesAll)
        let leadsThere = forward.contains { follower in
          whole.contains { follower.targets.contains($0) && holds(follower.property, $0) }
        }
        let leadsBack = inverse.map { inverse in
          whole.flatMap { followers(of: inverse.key, by: $0) }.contains {
            $0.targets.contains(index) && holds($0.property, index)
          }
        }
        return !leadsThere && !(leadsBack ?? false)
      }
    }

    /// Whether relationships can lead to the objects of an entity mapping.
    package func holds(_ property: DestinationSchema.Property, _ index: Int) -> Bool {
      guard case .relationship(let relationship, _, _) = property.content,
        let entity = program.mappings[index].destinationEntity
      else { return false }
      let hierarchy = program.destination.hierarchy
      return relationship.destinations.compactMap(hierarchy.index)
        .contains { hierarchy.isKind(entity, of: $0) }
    }

    private func takesAll(_ index: Int) -> Bool {
      program.mappings[index].filter == nil && program.mappings[index].destinationEntity != nil
    }

    /// Whether an entity mapping has no policy, and no expression that makes something else of a
    /// relationship.
    private func isPlain(_ index: Int, _ key: String) -> Bool {
      let mapping = program.mappings[index]
      return mapping.policyClassName == nil
        && !mapping.values.contains { value in
          value.isOfRelationship
            && value.expression?.keyPaths.contains { $0.first == key } ?? false
        }
    }

    private func mappings(ofKind entity: Int) -> [Int] {
      Set(
        program.sourceHierarchy.withDescendants(of: entity)
          .flatMap { program.mappingsOfEntity[$0] }
      ).sorted()
    }

    private func followers(of key: String, by index: Int) -> [Follower] {
      let mapping = program.mappings[index]
      guard let entity = mapping.destinationEntity else { return [] }
      return zip(program.destination.entities[entity].properties, mapping.values).compactMap {
        property, value in
        guard value.followedKey == key, case .links(let links) = value else { return nil }
        return Follower(mapping: index, property: property, targets: links.mappings)
      }
    }
  }
}

extension PlannedValue {
  /// The relationship of the source object whose objects it leads to, as what they have become.
  fileprivate var followedKey: String? {
    guard case .links(let links) = self, case .relationship(let key) = links.sources else {
      return nil
    }
    return key
  }
}
