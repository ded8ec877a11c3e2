/// The known dictionaries of some sources: their paths and their keys.
///
/// `RecordRules` follow from it.
/// It is the same in whatever order the sources are merged.
package struct RecordEvidence: Sendable, Equatable {
  /// The findings under a path.
  package struct Node: Sendable, Equatable {
    /// The number of dictionaries there, and that of the empty ones.
    var dictionaries = 0
    var emptyDictionaries = 0
    /// The number of dictionaries that cannot be records, whatever the others are.
    var unfitDictionaries = 0
    /// The number of values in the dictionaries that can.
    var values = 0
    /// In how many dictionaries each key occurs; none if there are too many keys.
    var keys: [String: Int] = [:]
    var hasTooManyKeys = false
    var kinds: RecordValueKinds = []
    /// The findings in the values under each key.
    var children: [String: Node] = [:]

    /// True if nothing was found here or further down.
    var isEmpty: Bool { dictionaries == 0 && children.isEmpty }

    /// Adds what was found under the same path elsewhere.
    ///
    /// Recursive: paths are no longer than `RecordRules.maxDepth`.
    mutating func merge(_ other: Node) {
      dictionaries += other.dictionaries
      emptyDictionaries += other.emptyDictionaries
      unfitDictionaries += other.unfitDictionaries
      values += other.values
      kinds.formUnion(other.kinds)
      keys.merge(other.keys, uniquingKeysWith: +)
      hasTooManyKeys = hasTooManyKeys || other.hasTooManyKeys
      for (key, child) in other.children { children[key, default: Node()].merge(child) }
      checkKeys()
    }

    /// Forgets the keys if there are too many for a record.
    mutating func checkKeys() {
      hasTooManyKeys = hasTooManyKeys || keys.count > RecordRules.maxKeys
      guard hasTooManyKeys else { return }
      keys = [:]
      mergeChildren()
    }

    /// Puts together what was found under all keys, which turned out to be data.
    mutating func mergeChildren() {
      guard children.count > 1 || children.first.map({ $0.key != RecordPath.anyKey }) == true
      else { return }
      var all = Node()
      for child in children.values { all.merge(child) }
      children = [RecordPath.anyKey: all]
    }
  }

  /// The findings under top-level keys, and under the keys of objects, by their class.
  var roots: [String: Node] = [:]
  var classes: [String: [String: Node]] = [:]
  /// The names of all classes with objects: no record is named like one of them.
  var classNames: Set<String> = []

  package init() {}

  /// Adds what was found in another source.
  package mutating func merge(_ other: RecordEvidence) {
    for (key, node) in other.roots { roots[key, default: Node()].merge(node) }
    for (name, nodes) in other.classes {
      for (key, node) in nodes { classes[name, default: [:]][key, default: Node()].merge(node) }
    }
    classNames.formUnion(other.classNames)
  }
}
