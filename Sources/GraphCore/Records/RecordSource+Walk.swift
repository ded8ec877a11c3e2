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
