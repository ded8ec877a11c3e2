/// What the policies of a migration did with the objects that they were given.
///
/// The mapping model does not tell: a policy may do what it says, or something else.
struct PolicyUses {
  /// The entity mappings of which objects were made as the mapping model says.
  var attributes: Set<Int> = []
  /// Those of which relationships were set as it says.
  var relationships: Set<Int> = []
  /// The keys that were read, by the name of the source entity.
  private(set) var readKeys: [String: Set<String>] = [:]
  /// The properties that were set, by the destination entity.
  private(set) var filledProperties: [Int: Set<String>] = [:]

  mutating func noteRead(_ key: String, of entity: String) {
    readKeys[entity, default: []].insert(key)
  }

  mutating func noteFilled(_ property: String, of entity: Int) {
    filledProperties[entity, default: []].insert(property)
  }
}
