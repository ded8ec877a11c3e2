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
