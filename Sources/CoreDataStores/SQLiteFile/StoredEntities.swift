import DataModel
import Foundation
import Stores

/// The entities that a store has numbers for (`Z_PRIMARYKEY`).
struct StoredEntities {
  /// A row of the table.
  struct Row {
    var number: Int
    var name: String
    /// The number of the entity that it inherits from: 0 for a root, nil for what is no number.
    var parent: Int64?
    /// The greatest key that the entity has counted to.
    var maxKey: Int64?
  }

  /// The rows, each name once.
  private(set) var rows: [Row] = []

  /// Adds a row unless there is one of its name; returns whether it was added.
  @discardableResult
  mutating func append(_ row: Row) -> Bool {
    guard names.insert(row.name).inserted else { return false }
    rows.append(row)
    return true
  }

  private var names: Set<String> = []

  /// The row of each entity of a model, by the names of the model.
  ///
  /// A migration in place renames an entity in the hashes of the store, but not in this table. So an
  /// entity that has a hash and no row is that of a row of the same parent which nothing else
  /// belongs to: the one with its former name, or else with its number.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - hashes: The hashes of the store's entities; none where it does not say.
  /// - Returns: The rows of those entities that have one.
  func rows(of model: Model, hashes: [String: Data]) -> [String: Row] {
    let own = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [String: Row] = [:]
    for entity in model.entities { found[entity.name] = own[entity.name] }
    let modelNames = Set(model.entities.map(\.name))
    var free = rows.filter { row in
      row.number < CoreDataStore.firstOwnNumber && hashes[row.name] == nil
        && !modelNames.contains(row.name)
    }
    guard !free.isEmpty, found.count < modelNames.count else { return found }
    let numbered = model.numberedEntities
    let formerNames = Set(
      model.entities.filter { found[$0.name] == nil }.compactMap(\.renamingIdentifier))
    // Parents come before their subentities.
    for (number, entity) in numbered.map({ ($0.number, $0.entity) })
    where found[entity.name] == nil && (hashes.isEmpty || hashes[entity.name] != nil) {
      let parent = entity.parent.map { found[$0].map { Int64($0.number) } } ?? 0
      guard let parent else { continue }
      let place =
        free.firstIndex { $0.parent ?? 0 == parent && $0.name == entity.renamingIdentifier }
        ?? free.firstIndex { row in
          row.parent ?? 0 == parent && row.number == number && !hashes.isEmpty
            && !formerNames.contains(row.name)
        }
      if let place { found[entity.name] = free.remove(at: place) }
    }
    return found
  }
}

extension Model {
  /// The part of the model that a store holds: all of it, or the entities of one configuration.
  ///
  /// A store of a configuration has hashes of the entities of the configuration alone, and no tables
  /// for others.
  ///
  /// - Parameter hashes: The hashes of the store's entities.
  /// - Returns: The model with these entities.
  func part(inStoreWith hashes: [String: Data]) -> Model {
    guard hasConfigurations, entities.contains(where: { hashes[$0.name] != nil }) else {
      return self
    }
    var part = self
    part.entities = entities.filter { hashes[$0.name] != nil }
    let names = Set(part.entities.map(\.name))
    // A subentity without its superentity has no table.
    guard part.entities.allSatisfy({ $0.parent.map(names.contains) ?? true }) else { return self }
    return part
  }
}
