import DataModel
import Foundation
import Support

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

extension ModelMatch {
  /// The comparison of the entities of a store with those of a version of a model.
  public struct Comparison: Sendable, Hashable {
    /// The number of entities that are the same.
    public var matching = 0
    /// The entities that are different, sorted, as all that follow.
    public var differing: [String] = []
    /// The entities of the store that the version lacks.
    public var missing: [String] = []
    /// The entities of the version that the store lacks.
    public var surplus: [String] = []
    /// The entities that both have and whose hash cannot be computed for sure: they have derived or
    /// composite attributes.
    public var unchecked: [String] = []
    /// The entities of the version that belong to other configurations than the one in the store.
    package var ofOtherConfigurations: [String] = []

    /// True if the store may be of the version.
    public var fits: Bool { differing.isEmpty && missing.isEmpty && surplus.isEmpty }
    /// The number of entities of the store.
    public var entityCount: Int {
      matching + differing.count + missing.count + unchecked.count
    }

    /// Compares entities.
    ///
    /// - Parameters:
    ///   - store: The entities of the store.
    ///   - version: The version.
    ///   - hashes: The hashes of the version's entities: see `ModelVersion.hashes`.
    init(_ store: StoreEntities, _ version: ModelVersion, _ hashes: [String: Data]) {
      switch store {
      case .hashes(let expected):
        let uncertain = Set(version.uncertainHashes)
        for (name, hash) in expected {
          switch hashes[name] {
          case nil: missing.append(name)
          case hash: matching += 1
          default:
            if uncertain.contains(name) { unchecked.append(name) } else { differing.append(name) }
          }
        }
        let held = Set(version.source.model.part(inStoreWith: expected).entities.map(\.name))
        ofOtherConfigurations = hashes.keys.filter { !held.contains($0) }
        surplus = hashes.keys.filter { expected[$0] == nil && held.contains($0) }
      case .names(let names, let isComplete):
        let own = Set(hashes.keys.map { $0.uppercased() })
        let folded = Set(names.map { $0.uppercased() })
        matching = own.intersection(folded).count
        missing = names.filter { !own.contains($0.uppercased()) }
        if isComplete { surplus = hashes.keys.filter { !folded.contains($0.uppercased()) } }
      case .properties(let properties):
        compare(properties, with: AtomicSchema(version.source.model))
      }
      differing.sort { $0.precedesInBytes($1) }
      missing.sort { $0.precedesInBytes($1) }
      surplus.sort { $0.precedesInBytes($1) }
      unchecked.sort { $0.precedesInBytes($1) }
      ofOtherConfigurations.sort { $0.precedesInBytes($1) }
    }
  }
}

extension ModelMatch.Comparison {
  /// Compares the properties that objects have with those of a model.
  private mutating func compare(
    _ properties: [String: Set<String>], with schema: AtomicSchema
  ) {
    let own = Dictionary(
      schema.entities.map { ($0.name.uppercased(), Set($0.keys.map { $0.uppercased() })) },
      uniquingKeysWith: { $0.union($1) })
    for (name, names) in properties {
      guard let known = own[name.uppercased()] else {
        missing.append(name)
        continue
      }
      if names.allSatisfy({ known.contains($0.uppercased()) }) {
        matching += 1
      } else {
        differing.append(name)
      }
    }
  }
}

extension ModelMatch.Comparison: CustomStringConvertible {
  /// The greatest number of names in a list.
  private static let maxNames = 3

  /// The fit of the version, in words: `fits 7 of 9 entities (Note, Folder differ)`.
  public var description: String {
    var parts: [String] = []
    func add(_ names: [String], _ one: String, _ several: String) {
      guard !names.isEmpty else { return }
      var list = names.prefix(Self.maxNames).joined(separator: ", ")
      if names.count > Self.maxNames { list += " and \(names.count - Self.maxNames) more" }
      parts.append("\(list) \(names.count == 1 ? one : several)")
    }
    add(differing, "differs", "differ")
    add(missing, "is missing", "are missing")
    add(surplus, "is not in the store", "are not in the store")
    add(unchecked, "is not checked", "are not checked")
    let count = "fits \(matching) of \(entityCount) \(entityCount == 1 ? "entity" : "entities")"
    return parts.isEmpty ? count : "\(count) (\(parts.joined(separator: "; ")))"
  }
}
