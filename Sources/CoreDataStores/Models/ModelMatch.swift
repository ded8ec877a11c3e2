import DataModel
import Foundation

/// The version of a model that a store is of.
public struct ModelMatch: Sendable {
  /// A note on a match.
  public enum Note: Sendable, Hashable {
    /// Other versions have the same entities, and would serve as well: their descriptions.
    case equalVersions([String])
    /// The hashes of these entities cannot be computed for sure.
    case uncheckedEntities([String])
    /// The store has no version hashes that could be compared: only names were.
    case namesOnly
    /// The same; names of properties were compared as well.
    case namesAndPropertiesOnly
  }

  /// The version.
  public var version: ModelVersion
  /// The comparison with the store.
  public var comparison: Comparison
  /// The notes on the match.
  public var notes: [Note]
}

extension ModelMatch.Note: CustomStringConvertible {
  /// The note in words.
  public var description: String {
    switch self {
    case .equalVersions(let names): "the same entities are in \(names.joined(separator: ", "))"
    case .uncheckedEntities(let names):
      "not compared, since they have derived or composite attributes: "
        + names.joined(separator: ", ")
    case .namesOnly:
      "the store has no version hashes to compare: its model was chosen by the names of entities alone"
    case .namesAndPropertiesOnly:
      "the store has no version hashes to compare: its model was chosen by the names of entities and "
        + "properties"
    }
  }
}

extension ModelVersions {
  /// The greatest number of versions that an error lists.
  private static let maxListed = 3

  /// Finds the version that a store is of: the one with the same entities.
  ///
  /// Where versions are the same as far as hashes tell, the current one is taken, or else the
  /// first.
  ///
  /// - Parameters:
  ///   - store: The entities of the store.
  ///   - storePath: The path of the store, for the error.
  /// - Returns: The version, and what is to be known of the match.
  /// - Throws: `ModelError` with the code `noMatchingVersion` or, if different versions fit,
  ///   `ambiguousMatch`; its words list the versions, those that fit best first.
  public func match(
    _ store: StoreEntities, of storePath: String
  ) throws(ModelError) -> ModelMatch {
    let hashes = versions.map(\.hashes)
    let comparisons = zip(versions, hashes).map { ModelMatch.Comparison(store, $0, $1) }
    var fitting = versions.indices.filter { comparisons[$0].fits }
    let exact = fitting.filter { comparisons[$0].unchecked.isEmpty }
    if !exact.isEmpty { fitting = exact }
    let whole = fitting.filter { comparisons[$0].ofOtherConfigurations.isEmpty }
    if !whole.isEmpty { fitting = whole }
    guard let first = fitting.first else {
      let order = versions.indices.sorted { one, other in
        let (one, other) = ((comparisons[one], one), (comparisons[other], other))
        return one.0.precedes(other.0) || (!other.0.precedes(one.0) && one.1 < other.1)
      }
      throw mismatch(.noMatchingVersion, storePath, order, comparisons)
    }
    // Of versions that differ in entities of other configurations, each serves.
    func held(_ index: Int) -> [String: Data] {
      hashes[index].filter { !comparisons[index].ofOtherConfigurations.contains($0.key) }
    }
    guard fitting.allSatisfy({ held($0) == held(first) }) else {
      throw mismatch(.ambiguousMatch, storePath, fitting, comparisons)
    }
    let chosen = fitting.first { versions[$0].isCurrent } ?? first
    var notes: [ModelMatch.Note] = []
    switch store {
    case .hashes: break
    case .names: notes.append(.namesOnly)
    case .properties: notes.append(.namesAndPropertiesOnly)
    }
    let unchecked = comparisons[chosen].unchecked
    if !unchecked.isEmpty { notes.append(.uncheckedEntities(unchecked)) }
    let others = fitting.filter { $0 != chosen }.compactMap {
      versions[$0].name(beside: versions[chosen])
    }
    if !others.isEmpty { notes.append(.equalVersions(others)) }
    return ModelMatch(version: versions[chosen], comparison: comparisons[chosen], notes: notes)
  }

  private func mismatch(
    _ code: ModelError.Code, _ storePath: String, _ order: [Int],
    _ comparisons: [ModelMatch.Comparison]
  ) -> ModelError {
    // It may be of one that cannot be read.
    let unread = code == .noMatchingVersion ? errors : []
    var words = unread.prefix(Self.maxListed).map { "\($0)" }
    words += order.prefix(Self.maxListed).map { "\(versions[$0]) \(comparisons[$0])" }
    if order.count > Self.maxListed {
      let rest = order.count - Self.maxListed
      words.append(code == .noMatchingVersion ? "\(rest) more fit no better" : "\(rest) more")
    }
    return ModelError(
      code, path: storePath, name: "\(label): \(words.joined(separator: "; "))")
  }
}

extension ModelMatch.Comparison {
  /// True if a store is nearer to this version than to another.
  fileprivate func precedes(_ other: ModelMatch.Comparison) -> Bool {
    (other.matching, differing.count + missing.count + surplus.count)
      < (matching, other.differing.count + other.missing.count + other.surplus.count)
  }
}
