extension RecordSource {
  /// Walks everything that the roots of a source reach, and notes under which path each dictionary
  /// was met first.
  ///
  /// Either it gathers the evidence that rules follow from, or it goes by rules and finds the
  /// records.
  ///
  /// - Complexity: Linear in the values reached. Takes a bit for each object, and four bytes for
  ///   each
  ///   that is visited.
  struct Walk {
    private let graph: any ObjectGraph
    /// The rules by which records are found; nil where evidence is gathered.
    private let rules: RecordRules?
    private var tree: Tree
    private var shapes = Shapes()
    private var workList: WorkList
    private var collections: [Stop] = []
    private var nextCollection = 0
    /// The collections among the objects, each of which is looked at once.
    private var seenObjects: WorkList
    private var seenInline: Set<Int> = []
    /// For each shape and class, the nodes of its keys.
    private var keyNodes: [ShapeOfClass: [Int]] = [:]
    private var values: [GraphValue] = []
    /// The records that were found, by the indices of their classes.
    private(set) var records: [(id: CollectionID, class: Int)] = []

    private struct Stop {
      var id: CollectionID
      var kind: CollectionKind
      var node: Int
    }

    private struct ShapeOfClass: Hashable {
      var shape: Int
      var `class`: Int
    }

    init(_ graph: any ObjectGraph, _ rules: RecordRules?) {
      (self.graph, self.rules) = (graph, rules)
      tree = Tree(rules)
      workList = WorkList(objectCount: graph.source.objectCount)
      seenObjects = WorkList(objectCount: graph.source.objectCount)
    }

    /// Gathers the evidence.
    mutating func evidence() throws(ArchiveError) -> RecordEvidence {
      try walk()
      return tree.evidence()
    }

    /// Walks; afterwards `records` has what was found.
    mutating func walk() throws(ArchiveError) {
      for root in graph.source.roots {
        if let found = admit(try graph.value(of: root)) { add(found, tree.root(root.key)) }
      }
      while true {
        if let uid = workList.takeNext() {
          try visit(object: try graph.object(uid))
        } else if nextCollection < collections.count {
          let next = collections[nextCollection]
          nextCollection += 1
          try visit(next)
        } else {
          break
        }
      }
    }

    /// A collection that has not been met.
    private typealias Found = (id: CollectionID, kind: CollectionKind)

    /// Lets an object that a value is have its turn; returns a collection that it is, when it is
    /// met first.
    private mutating func admit(_ value: GraphValue) -> Found? {
      switch value {
      case .object(let uid, _):
        workList.add(uid)
        return nil
      case .collection(.object(let uid), let kind):
        return seenObjects.add(uid) ? (.object(uid), kind) : nil
      case .collection(.inline(let index), let kind):
        return seenInline.insert(index).inserted ? (.inline(index), kind) : nil
      default:
        return nil
      }
    }

    private mutating func add(_ found: Found, _ node: Int) {
      collections.append(Stop(id: found.id, kind: found.kind, node: node))
    }

    private mutating func visit(object: GraphObject) throws(ArchiveError) {
      try graph.read(object, into: &values)
      let key = ShapeOfClass(shape: object.shape, class: object.class.index)
      let nodes: [Int]
      if let known = keyNodes[key] {
        nodes = known
      } else {
        let name = graph.classes[object.class.index].name
        nodes = graph.keys(ofShape: object.shape).map { tree.node(ofKey: $0, inClass: name) }
        keyNodes[key] = nodes
      }
      for position in 0..<object.keyCount {
        if let found = admit(values[position]) { add(found, nodes[position]) }
      }
    }

    private mutating func visit(_ stop: Stop) throws(ArchiveError) {
      let elements = try graph.elements(of: stop.id, stop.kind)
      guard stop.kind == .dictionary else {
        try visit(elements, stop, hasObjectKeys: stop.kind.isKeyed) { _, node in node }
        return
      }
      let variant = try shapes.variant(of: elements, graph).map { shapes.variants[$0] }
      let isRecord = tree.note(
        variant.map { shapes.keys[$0.shape] }, shape: variant?.shape, stop.node)
      if isRecord, let index = tree.record(stop.node) { records.append((stop.id, index)) }
      guard let variant, isRecord else {
        try visit(elements, stop, hasObjectKeys: variant == nil) { tree, node in
          tree.child(RecordPath.anyKey, node)
        }
        return
      }
      let keys = shapes.keys[variant.shape]
      for (position, place) in variant.places.enumerated() {
        let value = try graph.value(of: elements, at: place)
        tree.note(value, stop.node)
        if let found = admit(value) { add(found, tree.child(keys[position], stop.node)) }
      }
    }

    /// Looks at elements that have no keys of their own to be told apart by.
    private mutating func visit(
      _ elements: GraphElements, _ stop: Stop, hasObjectKeys: Bool,
      _ node: (inout Tree, Int) -> Int
    ) throws(ArchiveError) {
      for position in 0..<elements.count {
        if hasObjectKeys, let found = admit(try graph.key(of: elements, at: position)) {
          add(found, node(&tree, stop.node))
        }
        if let found = admit(try graph.value(of: elements, at: position)) {
          add(found, node(&tree, stop.node))
        }
      }
    }
  }
}

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
