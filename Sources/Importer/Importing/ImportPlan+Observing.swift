import ArchiveReader
import Inference

extension ImportPlan {
  /// Whether the profile of archives can be taken of what is read for their rows: all of these are
  /// written straight from the archive, and every object and collection is looked at once.
  ///
  /// If it turns out otherwise on the way, the import ends with `ArchiveError.unplanned`.
  ///
  /// - Parameter profile: What is known of the archives: a sample will do.
  /// - Returns: False where that would be sure to happen.
  package func isObservable(_ profile: SchemaProfile) -> Bool {
    guard passes.count == 1, !passes[0].needsSession else { return false }
    return profile.classes.allSatisfy { found in
      guard let direct = passes[0].direct[found.name] else { return true }
      let mapping = passes[0].entities[direct.index]
      return found.properties.allSatisfy { mapping.isObservable($0, bound: direct.bound) }
    }
  }
}

extension EntityPlan {
  /// Whether the values under a key are looked at once.
  fileprivate func isObservable(_ property: PropertyProfile, bound: Set<Int>) -> Bool {
    func reads(_ source: ValueSource) -> Bool { source.keyPath == [property.key] }
    guard bound.count(where: { reads(attributes[$0].source) }) <= 1 else { return false }
    guard !property.kinds.isDisjoint(with: [.object, .collection]) else { return true }
    // What nothing leads to by itself has no turn.
    return collections.count { $0.key == property.key }
      + relationships.count { $0.split == nil && reads($0.source) } == 1
  }
}
