/// The entities of a report and what leads from one to another.
struct DiagramGraph {
  /// An entity: a box with a line for each relationship.
  struct Node {
    var name: String
    /// The number of its rows; nil where there is no store.
    var rows: Int?
    var fields: [Field]
    /// The number of relationships without a line of their own.
    var fieldsLeftOut = 0
  }

  /// A relationship, as a line in a box.
  struct Field {
    var name: String
    var isToMany: Bool
  }

  /// The number of rows of an entity that an edge leads to.
  enum Mark {
    case one
    case many
    /// Nothing is known: no relationship leads here.
    case open
  }

  /// One end of an edge.
  struct End {
    var node: Int
    /// The line of the box; nil for its head.
    var field: Int?
    var mark: Mark
  }

  /// A relationship, together with its inverse if it has one.
  struct Edge {
    var from: End
    var to: End
    /// The relationships in words.
    var title: String
    var links: Int

    var isLoop: Bool { from.node == to.node }
  }

  var nodes: [Node] = []
  var edges: [Edge] = []

  /// The greatest number of relationships that a box shows.
  private static let maxFields = 12
  /// The most edges that are known, and that are drawn.
  private static let maxEdges = 10_000
  private static let maxDrawnEdges = 400

  init() {}

  init(_ entities: [ConversionReport.Entity]) {
    nodes = entities.map { entity in
      Node(
        name: entity.name, rows: entity.rows,
        fields: entity.relationships.prefix(Self.maxFields).map {
          Field(name: $0.name, isToMany: $0.isToMany)
        },
        fieldsLeftOut: max(0, entity.relationships.count - Self.maxFields))
    }
    let numbers = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (number, entity) in entities.enumerated() {
      for (field, relationship) in entity.relationships.prefix(Self.maxFields).enumerated() {
        for name in relationship.destination.components(separatedBy: ", ") {
          guard let other = numbers[name], edges.count < Self.maxEdges else { continue }
          add(relationship, End(node: number, field: field, mark: .open), to: other, entities)
        }
      }
    }
  }

  private mutating func add(
    _ relationship: ConversionReport.Relationship, _ from: End, to other: Int,
    _ entities: [ConversionReport.Entity]
  ) {
    let (owner, member) = (entities[from.node], entities[other])
    var edge = Edge(
      from: from, to: End(node: other, mark: relationship.isToMany ? .many : .one),
      title: "\(owner.name).\(relationship.name) → \(member.name)", links: relationship.links)
    let inverse = member.relationships.prefix(Self.maxFields).firstIndex {
      $0.name == relationship.inverse && $0.inverse == relationship.name
        && $0.destination.components(separatedBy: ", ").contains(owner.name)
    }
    if let inverse {
      // The pair is one edge, and it is drawn from the side that is met first.
      if (other, inverse) < (from.node, from.field ?? 0) { return }
      edge.to.field = inverse == from.field && other == from.node ? nil : inverse
      edge.from.mark = member.relationships[inverse].isToMany ? .many : .one
      edge.title += ", \(member.name).\(member.relationships[inverse].name) → \(owner.name)"
    }
    // Owners stand before their members.
    if edge.from.mark == .many, edge.to.mark == .one {
      (edge.from, edge.to) = (edge.to, edge.from)
    }
    edges.append(edge)
  }
}

extension DiagramGraph {
  /// The parts of the graph that hang together, the largest first; entities that nothing leads to
  /// or from are in none.
  func components() -> [DiagramGraph] {
    var group = Array(nodes.indices)
    func root(_ node: Int) -> Int {
      var node = node
      while group[node] != node { node = group[node] }
      return node
    }
    for edge in edges {
      let (a, b) = (root(edge.from.node), root(edge.to.node))
      group[max(a, b)] = min(a, b)
    }
    let joined = Set(edges.flatMap { [$0.from.node, $0.to.node] })
    let members = Dictionary(grouping: joined.sorted(), by: root)
    return members.values
      .sorted { ($1.count, $0.first ?? 0) < ($0.count, $1.first ?? 0) }
      .map(subgraph)
  }

  /// The entities that nothing leads to or from.
  var loners: DiagramGraph {
    let joined = Set(edges.flatMap { [$0.from.node, $0.to.node] })
    return subgraph(nodes.indices.filter { !joined.contains($0) })
  }

  /// An entity, and at most so many of those that relationships lead to from it or to it; nil if
  /// there are none.
  func neighbourhood(of node: Int, most: Int) -> DiagramGraph? {
    let own = edges.filter { $0.from.node == node || $0.to.node == node }
    guard !own.isEmpty else { return nil }
    var members = [node]
    for edge in own where members.count <= most {
      let other = edge.from.node == node ? edge.to.node : edge.from.node
      if !members.contains(other) { members.append(other) }
    }
    var part = subgraph(members.sorted())
    let center = members.sorted().firstIndex(of: node)
    // How its neighbours are related to each other is in the diagram of all.
    part.edges.removeAll { $0.from.node != center && $0.to.node != center }
    return part
  }

  /// The part of the graph with at most so many entities: those that most leads to and from.
  func capped(to most: Int) -> DiagramGraph {
    var part = cappedNodes(to: most)
    part.edges = Array(part.edges.prefix(Self.maxDrawnEdges))
    return part
  }

  private func cappedNodes(to most: Int) -> DiagramGraph {
    guard nodes.count > most else { return self }
    var degrees = Array(repeating: 0, count: nodes.count)
    for edge in edges {
      degrees[edge.from.node] += 1
      degrees[edge.to.node] += 1
    }
    let first = nodes.indices.sorted { (degrees[$1], $0) < (degrees[$0], $1) }.prefix(most)
    return subgraph(first.sorted())
  }

  private func subgraph(_ members: [Int]) -> DiagramGraph {
    let numbers = Dictionary(uniqueKeysWithValues: zip(members, members.indices))
    var part = DiagramGraph()
    part.nodes = members.map { nodes[$0] }
    part.edges = edges.compactMap { edge in
      guard let from = numbers[edge.from.node], let to = numbers[edge.to.node] else { return nil }
      var edge = edge
      (edge.from.node, edge.to.node) = (from, to)
      return edge
    }
    return part
  }
}

extension DiagramGraph.Layout {
  /// The columns of a diagram: owners before members, so that each edge leads to a later column.
  struct Layers {
    /// The column of each node.
    private(set) var layers: [Int]

    /// Puts the nodes of a graph into columns.
    ///
    /// Edges that would close a circle are taken backwards. A column is not taller than the diagram
    /// is wide: nodes that find no place go to the next.
    init(_ graph: DiagramGraph) {
      let count = graph.nodes.count
      layers = Array(repeating: 0, count: count)
      var successors = Array(repeating: [Int](), count: count)
      for edge in graph.edges where !edge.isLoop {
        successors[edge.from.node].append(edge.to.node)
      }
      let (order, forward) = Self.straighten(successors)
      var filled: [Int: Int] = [:]
      let tallest = max(5, Int(Double(count).squareRoot() * 1.5))
      for node in order {
        var layer = layers[node]
        while filled[layer, default: 0] >= tallest { layer += 1 }
        layers[node] = layer
        filled[layer, default: 0] += 1
        for next in forward[node] { layers[next] = max(layers[next], layer + 1) }
      }
    }

    /// An order of the nodes in which all edges lead forward, some of them turned round.
    private static func straighten(_ successors: [[Int]]) -> (order: [Int], forward: [[Int]]) {
      enum State { case new, open, done }
      var states = Array(repeating: State.new, count: successors.count)
      var forward = Array(repeating: [Int](), count: successors.count)
      var finished: [Int] = []
      var incoming = Array(repeating: 0, count: successors.count)
      for next in successors.joined() { incoming[next] += 1 }
      // Those that nothing leads to come first.
      for start in successors.indices.sorted(by: { (incoming[$0], $0) < (incoming[$1], $1) })
      where states[start] == .new {
        var path = [(node: start, next: 0)]
        states[start] = .open
        while let (node, next) = path.last {
          guard next < successors[node].count else {
            states[node] = .done
            finished.append(node)
            path.removeLast()
            continue
          }
          path[path.count - 1].next += 1
          let other = successors[node][next]
          switch states[other] {
          case .open: forward[other].append(node)
          case .done: forward[node].append(other)
          case .new:
            forward[node].append(other)
            states[other] = .open
            path.append((other, 0))
          }
        }
      }
      return (finished.reversed(), forward)
    }
  }
}
