import DataModel
import GraphCore

/// The rows of a database that are objects: where they are, and what is known of them.
struct StoreRows: Sendable, ObjectKeys {
  let snapshot: StoreSnapshot
  let layout: StoreLayout
  let index: ObjectIndex
  let externalData: ExternalDataFolder
  /// True if numbers and dates may be blobs of their text.
  let isTemporary: Bool

  /// Creates the rows.
  ///
  /// - Throws: `ModelError` if there are too many.
  init(
    snapshot: StoreSnapshot, layout: StoreLayout, index: ObjectIndex,
    externalData: ExternalDataFolder, isTemporary: Bool = false
  ) throws(ModelError) {
    (self.snapshot, self.layout, self.index) = (snapshot, layout, index)
    (self.externalData, self.isTemporary) = (externalData, isTemporary)
    // The numbers of collections are made of those of objects and relationships.
    guard !index.count.multipliedReportingOverflow(by: max(1, layout.maxLinkCount)).overflow else {
      throw ModelError(.tooMany, name: "rows")
    }
  }

  /// The number of objects, and of values of their attributes and relationships.
  var valueCount: Int {
    var count = index.count
    for table in index.tables {
      for (entity, rows) in table.countByEntity {
        count += rows * layout.entities[entity].keys.count
      }
    }
    return count
  }

  /// The entity of an object and its primary key; nil for a number that no object has.
  func storeKey(ofObject uid: Int) -> (entity: String, key: Int64)? {
    guard let (table, rank) = index.location(of: uid) else { return nil }
    let rows = index.tables[table]
    return (layout.entities[rows.entity(rank)].record.name, rows.key(rank))
  }

  /// A look-up of objects by entity and primary key.
  func makeLookup() -> (_ entity: String, _ key: Int64) -> Int? {
    let entities = Dictionary(
      layout.entities.enumerated().map { ($1.record.name, $0) }, uniquingKeysWith: { one, _ in one }
    )
    return { [layout, index] name, key in
      guard let entity = entities[name] else { return nil }
      let table = index.tables[layout.entities[entity].table]
      guard let rank = table.rank(ofKey: key), table.entity(rank) == entity else { return nil }
      return table.base + rank
    }
  }
}
