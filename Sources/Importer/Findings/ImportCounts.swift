/// The counts of an import, by entity and property.
package struct ImportCounts: Sendable, Codable {
  package struct PropertyCounts: Sendable, Codable, Equatable {
    /// Values that are not NULL, those of elements included.
    package var values = 0
    /// Objects that hold nil under the key.
    package var nulls = 0
    /// References to other rows, one for each object that has one under the key.
    package var links = 0
    /// References to other rows that collections hold: a key can have both.
    package var memberLinks = 0
    /// Collections that another object holds too, and which were written again.
    package var sharedCollections = 0

    package init() {}

    fileprivate mutating func add(_ other: PropertyCounts) {
      values += other.values
      nulls += other.nulls
      links += other.links
      memberLinks += other.memberLinks
      sharedCollections += other.sharedCollections
    }
  }

  package struct EntityCounts: Sendable, Codable {
    package var rows = 0
    /// The counts of properties; one without an entry has none.
    package var properties: [String: PropertyCounts] = [:]

    package init() {}
  }

  package var entities: [EntityCounts]
  /// Rows of `_collection`.
  package var collections = 0
  /// Values that are not NULL, and references, in `_collection_element`.
  package var collectionValues = 0
  package var collectionLinks = 0
  /// Values that are not NULL in `_top`.
  package var topLevelValues = 0

  package init(entityCount: Int) {
    entities = Array(repeating: EntityCounts(), count: entityCount)
  }
}

extension ImportCounts {
  /// Adds what another archive gave.
  package mutating func add(_ other: ImportCounts) {
    for (index, entity) in other.entities.enumerated()
    where entity.rows > 0 || !entity.properties.isEmpty {
      entities[index].rows += entity.rows
      for (key, more) in entity.properties {
        entities[index].properties[key, default: .init()].add(more)
      }
    }
    collections += other.collections
    collectionValues += other.collectionValues
    collectionLinks += other.collectionLinks
    topLevelValues += other.topLevelValues
  }
}
