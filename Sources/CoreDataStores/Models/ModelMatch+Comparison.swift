import DataModel
import Foundation
import Support

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
