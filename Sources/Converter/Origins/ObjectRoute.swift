import ArchiveReader

/// Looks for the keys that lead to an object: the shortest way from a root, or from an object that
/// belongs to the source by itself.
struct ObjectRoute {
  private let graph: any ObjectGraph
  /// The steps that were taken, each with the one before it.
  private var steps: [(name: String, before: Int?)] = []
  private var pending: [(node: Node, step: Int)] = []
  private var met: Set<Node> = []

  private enum Node: Hashable {
    case object(Int)
    case collection(CollectionID, CollectionKind)
  }

  /// Finds the way to an object.
  ///
  /// - Parameters:
  ///   - uid: The number of the object.
  ///   - graph: The objects of the source.
  ///   - start: The object to begin at, where it is known; nil for the roots.
  /// - Returns: The keys with dots, and the places of elements in brackets: `root.notes[3]`; nil if
  ///   nothing leads to it.
  /// - Throws: `ArchiveError` if something on the way cannot be read.
  /// - Complexity: Linear in what is nearer than the object.
  static func path(
    to uid: Int, _ graph: any ObjectGraph, from start: Int?
  ) throws(ArchiveError) -> String? {
    var route = ObjectRoute(graph)
    if let start {
      if try route.visitObject(start, nil, wanted: uid) { return route.path }
    } else {
      for root in graph.source.roots {
        if try route.visit(root.key, nil, try graph.value(of: root), wanted: uid) {
          return route.path
        }
      }
    }
    var next = 0
    while next < route.pending.count {
      let (node, step) = route.pending[next]
      next += 1
      switch node {
      case .object(let object):
        if try route.visitObject(object, step, wanted: uid) { return route.path }
      case .collection(let id, let kind):
        let elements = try graph.elements(of: id, kind)
        for position in 0..<elements.count {
          let value = try graph.value(of: elements, at: position)
          if try route.visit("[\(position)]", step, value, wanted: uid) { return route.path }
        }
      }
    }
    return nil
  }

  private init(_ graph: any ObjectGraph) { self.graph = graph }

  /// The names of the steps up to the last one.
  private var path: String {
    var names: [String] = []
    var step = steps.indices.last
    while let place = step {
      names.append(steps[place].name)
      step = steps[place].before
    }
    return names.reversed().reduce("") { path, name in
      path.isEmpty || name.hasPrefix("[") ? path + name : "\(path).\(name)"
    }
  }

  private mutating func visitObject(
    _ uid: Int, _ step: Int?, wanted: Int
  ) throws(ArchiveError) -> Bool {
    let object = try graph.object(uid)
    for (position, key) in graph.keys(ofShape: object.shape).enumerated() where key != "$class" {
      let value = try graph.value(of: object, at: position)
      if try visit(ArchivedKey.unescaped(key), step, value, wanted: wanted) { return true }
    }
    return false
  }

  /// Takes a step; returns whether it leads to the object.
  private mutating func visit(
    _ name: String, _ before: Int?, _ value: GraphValue, wanted: Int
  ) throws(ArchiveError) -> Bool {
    let node: Node
    switch value {
    case .object(let uid, _), .foundation(let uid, _):
      node = .object(uid)
      if uid == wanted {
        steps.append((name, before))
        return true
      }
      // The parts of a value are read with it.
      guard case .object = value else { return false }
    case .collection(let id, let kind):
      node = .collection(id, kind)
    default: return false
    }
    guard met.insert(node).inserted else { return false }
    steps.append((name, before))
    pending.append((node, steps.count - 1))
    return false
  }
}
