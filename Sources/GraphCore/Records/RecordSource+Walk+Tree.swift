extension RecordSource.Walk {
  /// The paths that a walk comes to, and what it finds there.
  struct Tree {
    private struct Node {
      var path: RecordPath
      var children: [String: Int] = [:]
      /// The class of the records here; nil if dictionaries here are pairs, or that is not decided.
      var record: Int?
      var found = RecordEvidence.Node()
      /// The number of dictionaries of each shape, and the keys of the shape.
      var shapes: [Int: (count: Int, keys: [String])] = [:]

      /// Adds the keys of the shapes that were noted.
      mutating func countKeys() {
        for (count, keys) in shapes.values {
          for key in keys { found.keys[key, default: 0] += count }
        }
        shapes = [:]
        found.checkKeys()
      }
    }

    private let rules: RecordRules?
    private var nodes: [Node] = []
    private var roots: [String: Int] = [:]
    private var classes: [String: [String: Int]] = [:]

    init(_ rules: RecordRules?) { self.rules = rules }

    private mutating func add(_ path: RecordPath) -> Int {
      nodes.append(Node(path: path, record: rules?.classIndex(of: path)))
      return nodes.count - 1
    }

    /// The node of what a root holds.
    mutating func root(_ key: String) -> Int {
      if let known = roots[key] { return known }
      let node = add(RecordPath.topLevel.appending(key))
      roots[key] = node
      return node
    }

    /// The node of what the objects of a class hold under a key.
    mutating func node(ofKey key: String, inClass name: String) -> Int {
      if let known = classes[name]?[key] { return known }
      let node = add(
        RecordPath(components: [ArchivedName.plain(SwiftName.readable(name))]).appending(key))
      classes[name, default: [:]][key] = node
      return node
    }

    /// The node of what dictionaries of a node hold under a key.
    ///
    /// After the last path that is told apart there is none: what is there is as if it stood here.
    mutating func child(_ key: String, _ parent: Int) -> Int {
      let key = nodes[parent].found.hasTooManyKeys ? RecordPath.anyKey : key
      if let known = nodes[parent].children[key] { return known }
      guard nodes[parent].path.depth < RecordRules.maxDepth else { return parent }
      let path = nodes[parent].path
      let node = add(
        key == RecordPath.anyKey
          ? RecordPath(components: path.components + [key]) : path.appending(key))
      nodes[parent].children[key] = node
      return node
    }

    /// The class of the records of a node.
    func record(_ node: Int) -> Int? { nodes[node].record }

    /// Notes a dictionary.
    ///
    /// - Parameters:
    ///   - keys: Its keys; nil if no record can have them.
    ///   - shape: The shape of these keys.
    ///   - node: The node where it stands.
    /// - Returns: True if the dictionary is a record, or may be one.
    mutating func note(_ keys: [String]?, shape: Int?, _ node: Int) -> Bool {
      guard rules == nil else { return keys != nil && nodes[node].record != nil }
      nodes[node].found.dictionaries += 1
      guard let keys, let shape else {
        nodes[node].found.unfitDictionaries += 1
        return false
      }
      if keys.isEmpty { nodes[node].found.emptyDictionaries += 1 }
      nodes[node].found.values += keys.count
      guard !nodes[node].found.hasTooManyKeys else { return true }
      nodes[node].shapes[shape, default: (0, keys)].count += 1
      if nodes[node].shapes.count > RecordRules.maxKeys { nodes[node].countKeys() }
      return true
    }

    /// Notes what a dictionary that may be a record holds.
    mutating func note(_ value: GraphValue, _ node: Int) {
      if rules == nil { nodes[node].found.kinds.formUnion(RecordEvidence.RecordValueKinds(value)) }
    }

    /// The evidence that was found.
    mutating func evidence() -> RecordEvidence {
      for node in nodes.indices { nodes[node].countKeys() }
      // Children have higher indices than their parents.
      for node in nodes.indices.reversed() {
        for (key, child) in nodes[node].children {
          guard !nodes[child].found.isEmpty else { continue }
          nodes[node].found.children[key, default: RecordEvidence.Node()].merge(nodes[child].found)
        }
        nodes[node].found.checkKeys()
      }
      var evidence = RecordEvidence()
      for (key, node) in roots where !nodes[node].found.isEmpty {
        evidence.roots[key] = nodes[node].found
      }
      for (name, keys) in classes {
        evidence.classNames.insert(name)
        for (key, node) in keys where !nodes[node].found.isEmpty {
          evidence.classes[name, default: [:]][key] = nodes[node].found
        }
      }
      return evidence
    }
  }
}
