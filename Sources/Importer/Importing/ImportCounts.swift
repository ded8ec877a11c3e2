/// What an import wrote, by entity and property.
struct ImportCounts: Sendable, Codable {
  struct PropertyCounts: Sendable, Codable {
    /// Values that are not NULL, those of elements included.
    var values = 0
    /// Objects that hold nil under the key.
    var nulls = 0
    /// References to other rows, one for each object that has one under the key.
    var links = 0
    /// References to other rows that collections hold: a key can have both.
    var memberLinks = 0
    /// Collections that another object holds too, and which were written again.
    var sharedCollections = 0
  }

  struct EntityCounts: Sendable, Codable {
    var rows = 0
    var properties: [String: PropertyCounts] = [:]
  }

  var entities: [EntityCounts]
  /// Rows of `_collection`.
  var collections = 0

  init(entityCount: Int) {
    entities = Array(repeating: EntityCounts(), count: entityCount)
  }
}
