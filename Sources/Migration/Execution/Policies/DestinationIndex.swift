import DataModel

extension StoreMigrationEngine {
  /// Finds destination objects by the values of some attributes.
  ///
  /// It takes a key for each object of the entities that were asked for.
  struct DestinationIndex {
    /// What objects are told apart by.
    struct Kind: Hashable {
      /// The entity; objects of its subentities are found, too.
      var entity: Int
      /// The names of the attributes, sorted.
      var attributes: [String]
    }

    private struct Entries {
      var indices: [[ImportValue]: [Int]] = [:]
      /// All objects before this one have been looked at.
      var end = 0
    }

    private var entries: [Kind: Entries] = [:]

    /// Whether nothing was asked for.
    var isEmpty: Bool { entries.isEmpty }

    /// The first object that has not been looked at.
    func end(of kind: Kind) -> Int { entries[kind]?.end ?? 0 }

    /// Notes that all objects before one have been looked at.
    mutating func setEnd(_ end: Int, of kind: Kind) { entries[kind, default: Entries()].end = end }

    /// The objects with some values, the first one first.
    func indices(_ values: [ImportValue], _ kind: Kind) -> [Int] {
      entries[kind]?.indices[values] ?? []
    }

    mutating func add(_ index: Int, _ values: [ImportValue], _ kind: Kind) {
      entries[kind, default: Entries()].indices[values, default: []].append(index)
    }

    mutating func remove(_ index: Int, _ values: [ImportValue], _ kind: Kind) {
      entries[kind]?.indices[values]?.removeAll { $0 == index }
    }

    /// What has looked at an object, and tells objects apart by an attribute.
    func kinds(of attribute: String, _ index: Int) -> [Kind] {
      guard !entries.isEmpty else { return [] }
      return entries.compactMap { kind, entries in
        index < entries.end && kind.attributes.contains(attribute) ? kind : nil
      }
    }
  }
}
