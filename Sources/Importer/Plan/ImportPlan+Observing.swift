import ArchiveReader

extension ImportPlan {
  /// Of so many objects, one at most may not become a row straight from the archive.
  private static let rareness = 8

  /// True if the profile of archives can be taken of what is read for their rows: each object
  /// becomes a row of its own, and whatever it refers to has its turn.
  ///
  /// If it turns out otherwise on the way, the import ends with `ArchiveError.unplanned`.
  ///
  /// - Parameter profile: The profile of the archives: that of a sample will do.
  /// - Returns: False where that would be sure to happen, or would take longer than to have another
  ///   thread take the profile: most rows do not come straight from the archive.
  package func isObservable(_ profile: SchemaProfile) -> Bool {
    guard passes.count == 1 else { return false }
    let pass = passes[0]
    let isEachOwn = pass.classes.values.allSatisfy { plan in
      switch plan {
      case .plain: true
      case .mapped(let indices): indices.count == 1 && pass.entities[indices[0]].makesOwnRows
      default: false
      }
    }
    let others = profile.classes.filter {
      if case .mapped = pass.classes[$0.name] { pass.direct[$0.name] == nil } else { false }
    }
    let objectCount = profile.classes.reduce(0) { $0 + $1.count }
    return isEachOwn && others.reduce(0) { $0 + $1.count } <= objectCount / Self.rareness
      && profile.classes.allSatisfy { found in
        guard case .mapped(let indices) = pass.classes[found.name] else { return true }
        let bound = pass.direct[found.name]?.bound ?? []
        return found.properties.allSatisfy {
          pass.entities[indices[0]].isObservable($0, bound: bound)
        }
      }
  }
}

extension ImportPlan.EntityPlan {
  /// True if each object becomes a row of its own, whatever else there is.
  var makesOwnRows: Bool { isSimple && policy == nil && !asksForRows }

  /// True if the values under a key are looked at once, and what they refer to has its turn.
  fileprivate func isObservable(_ property: SchemaProfile.PropertyProfile, bound: Set<Int>) -> Bool
  {
    func reads(_ source: ValueSource) -> Bool { source.keyPath == [property.key] }
    guard bound.count(where: { reads(attributes[$0].source) }) <= 1 else { return false }
    guard !property.kinds.isDisjoint(with: [.object, .collection]) else { return true }
    return collections.count { $0.key == property.key }
      + relationships.count { $0.split == nil && reads($0.source) } == 1
  }
}
