import Stores

extension StoreComparison {
  /// The expected content of a store, as far as it is accounted for: the last row of each table.
  struct Content {
    var lastIDs: [String: Int64] = [:]
    var lastCollection: Int64 = 0
    var lastArchive: Int64 = 0
    var lastRun: Int64 = 0
    /// The classes that are listed, each with its hierarchy and its entity.
    var classes: [String: (hierarchy: String, entity: String?)] = [:]

    /// Up to where the rows of a plan's tables are accounted for.
    func position(in layout: RelationalLayout) -> ExpectedRun.Position {
      ExpectedRun.Position(
        lastIDs: layout.tables.map { lastIDs[$0.name] ?? 0 }, lastCollection: lastCollection)
    }

    /// Accounts for further rows of a plan's tables.
    mutating func add(_ position: ExpectedRun.Position, in layout: RelationalLayout) {
      for (table, last) in zip(layout.tables, position.lastIDs) { lastIDs[table.name] = last }
      lastCollection = position.lastCollection
    }
  }
}
