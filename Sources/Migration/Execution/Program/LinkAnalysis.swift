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
