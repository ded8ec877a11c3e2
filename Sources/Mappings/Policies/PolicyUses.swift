/// The acts of policies in a migration: keys that they read, properties that they set.
///
/// The mapping model does not tell: a policy may do what it says, or something else.
package struct PolicyUses: Sendable {
  /// The entity mappings of which objects were made as the mapping model says.
  package var attributes: Set<Int> = []
  /// Those of which relationships were set as it says.
  package var relationships: Set<Int> = []
  /// The keys that were read, by the name of the source entity.
  package private(set) var readKeys: [String: Set<String>] = [:]
  /// The properties that were set, by the destination entity.
  package private(set) var filledProperties: [Int: Set<String>] = [:]
  /// The same as lists, by class and entity: it is asked for each value whether something is new.
  private var read: [[String]] = []
  private var filled: [[String]] = []

  package init() {}

  /// Takes note of a key that was read.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - index: The class of the object.
  ///   - entity: The name of its entity.
  package mutating func noteRead(
    _ key: String, ofClass index: Int, _ entity: @autoclosure () -> String
  ) {
    if Self.isNew(key, index, &read) { readKeys[entity(), default: []].insert(key) }
  }

  package mutating func noteFilled(_ property: String, of entity: Int) {
    if Self.isNew(property, entity, &filled) {
      filledProperties[entity, default: []].insert(property)
    }
  }

  private static func isNew(_ name: String, _ index: Int, _ known: inout [[String]]) -> Bool {
    while known.count <= index { known.append([]) }
    if known[index].contains(name) { return false }
    known[index].append(name)
    return true
  }
}
